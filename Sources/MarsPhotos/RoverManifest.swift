/// What a source tells about a rover: when it landed, how far it came, and which cameras it has. What is not told is nil or empty.
public struct RoverProfile: Hashable, Sendable, Codable {
    public var rover: Rover
    /// As the service writes it: `Curiosity`.
    public var title: String
    /// `active` or `complete`.
    public var status: String?
    public var landingDate: EarthDate?
    public var launchDate: EarthDate?
    /// The last sol with photos.
    public var maxSol: Sol?
    public var maxDate: EarthDate?
    public var totalPhotos: Int?
    public var cameras: [Camera]

    public init(
        _ rover: Rover, title: String? = nil, status: String? = nil, landingDate: EarthDate? = nil, launchDate: EarthDate? = nil,
        maxSol: Sol? = nil, maxDate: EarthDate? = nil, totalPhotos: Int? = nil, cameras: [Camera] = []
    ) {
        self.rover = rover
        self.title = title ?? rover.title
        self.status = status
        self.landingDate = landingDate
        self.launchDate = launchDate
        self.maxSol = maxSol
        self.maxDate = maxDate
        self.totalPhotos = totalPhotos
        self.cameras = cameras
    }
}

/// All sols of a rover that have photos.
public struct RoverManifest: Hashable, Sendable, Codable {
    /// One sol: how many photos it has, and of which cameras.
    public struct Entry: Hashable, Sendable, Codable {
        public var sol: Sol
        /// As told, or counted from the landing where old manifests do not tell it; nil when that is unknown too.
        public var earthDate: EarthDate?
        public var totalPhotos: Int
        /// Codes, in upper case.
        public var cameras: [String]

        public init(sol: Sol, earthDate: EarthDate? = nil, totalPhotos: Int, cameras: [String] = []) {
            self.sol = sol
            self.earthDate = earthDate
            self.totalPhotos = totalPhotos
            self.cameras = cameras
        }
    }

    public let profile: RoverProfile
    /// In the order of their sols, each once; those without photos are left out.
    public let entries: [Entry]

    public init(_ profile: RoverProfile, entries: [Entry]) {
        var seen: Set<Sol> = []
        self.profile = profile
        self.entries = entries.filter { $0.totalPhotos > 0 && seen.insert($0.sol).inserted }.sorted { $0.sol < $1.sol }
    }

    /// The entry of a sol; nil when it has no photos.
    public subscript(_ sol: Sol) -> Entry? {
        let index = insertionIndex(of: sol)
        return index < entries.count && entries[index].sol == sol ? entries[index] : nil
    }

    /// The sols with photos on either side of a sol, which need not have any itself.
    public func adjacentSols(to sol: Sol) -> AdjacentSols {
        let index = insertionIndex(of: sol)
        let next = index < entries.count && entries[index].sol == sol ? index + 1 : index
        return AdjacentSols(
            previous: index > 0 ? entries[index - 1].sol : nil, next: next < entries.count ? entries[next].sol : nil)
    }

    /// The last sol with photos whose day is not after this one; the first of all when they all are.
    public func sol(nearest date: EarthDate) -> Sol? {
        let dated = entries.filter { $0.earthDate != nil }
        let past = dated.prefix { ($0.earthDate ?? date) <= date }
        return (past.last ?? dated.first)?.sol
    }

    /// How many entries come before a sol.
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
