import Foundation

/// All sols of all rovers, ready to be looked up.
struct SolCatalogue: Sendable {
    /// The sols of one rover, in order.
    struct RoverSols: Sendable {
        let rover: MarsRover
        let sols: [MarsSol]
        let totalPhotos: Int

        init(_ rover: MarsRover, _ sols: [MarsSol]) {
            self.rover = rover
            self.sols = sols
            totalPhotos = sols.reduce(0) { $0 + $1.total }
        }

        /// The sol of a number; nil when it has no photos.
        subscript(number: Int) -> MarsSol? {
            let index = lowerBound(of: number)
            return index < sols.count && sols[index].number == number ? sols[index] : nil
        }

        /// Those of a day on Earth.
        func sols(on earthDate: some StringProtocol) -> [MarsSol] { sols.filter { $0.earthDate == earthDate } }

        /// Those within a range of numbers.
        func sols(in range: ClosedRange<Int>) -> ArraySlice<MarsSol> {
            sols[lowerBound(of: range.lowerBound)..<lowerBound(of: range.upperBound + 1)]
        }

        /// How many sols come before a number.
        private func lowerBound(of number: Int) -> Int {
            var (low, high) = (0, sols.count)
            while low < high {
                let middle = (low + high) / 2
                if sols[middle].number < number { low = middle + 1 } else { high = middle }
            }
            return low
        }
    }

    let date: Date
    private let rovers: [MarsRover: RoverSols]

    init(_ sols: [MarsSol], date: Date) {
        self.date = date
        let byRover = Dictionary(grouping: sols, by: \.rover)
        rovers = Dictionary(uniqueKeysWithValues: MarsRover.allCases.map { ($0, RoverSols($0, byRover[$0] ?? [])) })
    }

    subscript(rover: MarsRover) -> RoverSols { rovers[rover] ?? RoverSols(rover, []) }
}

/// What is served of the sols: read, or made up and stored, when it is first asked for, and kept ready from then on.
actor SolCatalogueCache {
    /// The catalogue, and the manifests, which lead to no address and so are the same for everybody.
    struct Contents: Sendable {
        let catalogue: SolCatalogue
        let manifests: [MarsRover: Representation]
        let lastModified: HTTPDate
    }

    private let database: OriginDatabase
    private let demo: DemoSols
    private let now: @Sendable () -> Date
    private var loading: Task<Contents, any Error>?

    init(database: OriginDatabase, seed: UInt64, now: @escaping @Sendable () -> Date) {
        self.database = database
        demo = DemoSols(seed: seed)
        self.now = now
    }

    /// Those who come while it is read wait for the same reading; what failed is tried again by the next.
    var contents: Contents {
        get async throws {
            let task = loading ?? Task { try await load() }
            loading = task
            do {
                return try await task.value
            } catch {
                if loading == task { loading = nil }
                throw error
            }
        }
    }

    @concurrent
    private nonisolated func load() async throws -> Contents {
        let (sols, date) = try await database.sols(of: demo, now: now())
        let catalogue = SolCatalogue(sols, date: date)
        let lastModified = HTTPDate(date)
        let manifests = MarsRover.allCases.map { rover in
            (rover, Representation(PhotoDocuments.manifest(catalogue[rover]), of: .photos, lastModified: lastModified))
        }
        return Contents(catalogue: catalogue, manifests: Dictionary(uniqueKeysWithValues: manifests), lastModified: lastModified)
    }
}
