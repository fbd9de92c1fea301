import Foundation
import HTTPFieldValues

/// All sols of all rovers, indexed by rover and number.
struct SolCatalog: Sendable {
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

        /// The sol with a number; nil when it has no photos.
        subscript(number: Int) -> MarsSol? {
            let index = lowerBound(of: number)
            return index < sols.count && sols[index].number == number ? sols[index] : nil
        }

        /// Returns the sols of a day on Earth.
        func sols(on earthDate: some StringProtocol) -> [MarsSol] { sols.filter { $0.earthDate == earthDate } }

        /// Returns the sols within a range of numbers.
        func sols(in range: ClosedRange<Int>) -> ArraySlice<MarsSol> {
            sols[lowerBound(of: range.lowerBound)..<lowerBound(of: range.upperBound + 1)]
        }

        /// Returns the index of the first sol with at least this number.
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

/// The sol catalog and its documents, read or created on first use and cached.
actor SolCatalogCache {
    /// The catalog and the manifests, which contain no URLs and are therefore the same for every client.
    struct Contents: Sendable {
        let catalog: SolCatalog
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

    /// The contents. Concurrent requests share one load; after a failure the next request loads again.
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
        let catalog = SolCatalog(sols, date: date)
        let lastModified = HTTPDate(date)
        let manifests = MarsRover.allCases.map { rover in
            (rover, Representation(PhotoDocuments.manifest(catalog[rover]), of: .photos, lastModified: lastModified))
        }
        return Contents(catalog: catalog, manifests: Dictionary(uniqueKeysWithValues: manifests), lastModified: lastModified)
    }
}
