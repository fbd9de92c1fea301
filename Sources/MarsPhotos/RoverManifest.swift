/// The sols of a rover that have photos.
public struct RoverManifest: Hashable, Sendable, Codable {
    /// A sol with the number of its photos and their cameras.
    public struct Entry: Hashable, Sendable, Codable {
        public var sol: Sol
        /// The date from the manifest, or computed from the landing date; nil when both are unknown.
        public var earthDate: EarthDate?
        public var totalPhotos: Int
        /// The cameras' codes, in upper case.
        public var cameras: [String]

        public init(sol: Sol, earthDate: EarthDate? = nil, totalPhotos: Int, cameras: [String] = []) {
            self.sol = sol
            self.earthDate = earthDate
            self.totalPhotos = totalPhotos
            self.cameras = cameras
        }
    }

    public let profile: RoverProfile
    /// The entries in ascending order of sols, without duplicates and without sols that have no photos.
    public let entries: [Entry]

    public init(_ profile: RoverProfile, entries: [Entry]) {
        var seen: Set<Sol> = []
        self.profile = profile
        self.entries = entries.filter { $0.totalPhotos > 0 && seen.insert($0.sol).inserted }.sorted { $0.sol < $1.sol }
    }

    /// Returns the entry of a sol; nil when it has no photos.
    public subscript(_ sol: Sol) -> Entry? {
        let index = insertionIndex(of: sol)
        return index < entries.count && entries[index].sol == sol ? entries[index] : nil
    }

    /// Returns the nearest sols with photos before and after a sol, which need not have any itself.
    public func adjacentSols(to sol: Sol) -> AdjacentSols {
        let index = insertionIndex(of: sol)
        let next = index < entries.count && entries[index].sol == sol ? index + 1 : index
        return AdjacentSols(
            previous: index > 0 ? entries[index - 1].sol : nil, next: next < entries.count ? entries[next].sol : nil)
    }

    /// Returns the last sol with photos on or before a date; the first sol when all are later.
    public func sol(onOrBefore date: EarthDate) -> Sol? {
        let dated = entries.compactMap { entry in entry.earthDate.map { (sol: entry.sol, date: $0) } }
        return (dated.prefix { $0.date <= date }.last ?? dated.first)?.sol
    }

    /// Returns the number of entries before a sol.
    private func insertionIndex(of sol: Sol) -> Int {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].sol < sol { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// The nearest sols with photos before and after one.
public struct AdjacentSols: Hashable, Sendable {
    public var previous: Sol?
    public var next: Sol?

    public init(previous: Sol? = nil, next: Sol? = nil) {
        self.previous = previous
        self.next = next
    }
}
