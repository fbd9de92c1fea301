import LadingConformance
import LadingTesting
@testable import LadingRecords

/// A pager with a store and its pending fetches. Reads are performed at once, fetches on request.
struct PagerStoreHarness {
    typealias Row = ConformanceRow

    private(set) var pager: Pager<Row>
    let store = MemoryRecordStore<Row>()
    /// The fetches in progress, oldest first.
    private(set) var fetches: [PageFetch] = []
    private(set) var cancelledFetches: [Int] = []
    /// The number of reads.
    private(set) var readCount = 0
    /// The number of updates.
    private(set) var updateCount = 0
    /// Whether reads fail.
    var failsReads = false

    init(_ paging: any Paging = OffsetPaging(pageLength: 20), prefetchDistance: Int = 10, bufferLimit: Int = 100) {
        pager = Pager(paging: paging, limits: PagerLimits(prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))
    }

    mutating func send(_ event: Pager<Row>.Event) async throws {
        var events = [event]
        while !events.isEmpty {
            var effects: [Pager<Row>.Effect] = []
            pager.handle(events.removeFirst(), effects: &effects)
            for effect in effects {
                switch effect {
                case .fetch(let fetch): fetches.append(fetch)
                case .cancel(let number):
                    fetches.removeAll { $0.number == number }
                    cancelledFetches.append(number)
                case .read(let number, let places):
                    readCount += 1
                    guard !failsReads else {
                        events.append(.readFailed(number, CancellationError()))
                        continue
                    }
                    try await events.append(.read(number, store.records(in: places).records))
                case .update: updateCount += 1
                }
            }
        }
    }

    mutating func open() async throws { try await send(.opened(store.loadedRanges())) }

    /// Completes the oldest fetch with the rows of a list.
    mutating func complete(from list: [Int], pageLength: Int = 20) async throws {
        guard !fetches.isEmpty else { return }
        try await complete(fetches[0], from: list, pageLength)
    }

    mutating func complete(_ flight: PageFetch, from list: [Int], _ pageLength: Int) async throws {
        fetches.removeAll { $0 == flight }
        guard case .start(let start) = flight.anchor else { return }
        let rows = list.dropFirst(start).prefix(pageLength).map { ConformanceRow($0) }
        let page = RecordPage(SourcePage(rows), for: flight, pager.paging)
        let run = LoadedRange(
            places: page.places, generation: page.generation, previous: page.previous, next: page.next, isEnd: page.isEnd)
        let result = try await store.store(page)
        try await send(result == .stored ? .fetched(flight.number, run) : .dropped(flight.number))
        try await send(.changed(store.loadedRanges()))
    }

    mutating func fail(_ flight: PageFetch) async throws {
        fetches.removeAll { $0 == flight }
        try await send(.failed(flight.number, CancellationError()))
    }

    /// Ends a fetch that others cancel.
    mutating func cancel(_ flight: PageFetch) async throws {
        fetches.removeAll { $0 == flight }
        try await send(.cancelled(flight.number))
    }

    /// Returns the identities in some places, and nil for placeholders.
    func slots(_ places: Range<Int>) -> [Int?] {
        pager.slots(in: places).map { slot in
            if case .row(let record) = slot { record.row.id } else { nil }
        }
    }
}
