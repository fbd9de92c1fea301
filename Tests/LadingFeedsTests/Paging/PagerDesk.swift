@testable import LadingFeeds
import LadingTesting

/// A pager, the store that it reads, and what it has asked for. Readings are performed at once, flights when a test says so.
struct PagerDesk {
    typealias Row = ConformanceRow

    private(set) var pager: Pager<Row>
    let store = MemoryRecordStore<Row>()
    /// Flights that are under way, oldest first.
    private(set) var flights: [PageFlight] = []
    private(set) var cancelled: [Int] = []
    /// How often rows were read.
    private(set) var readings = 0
    /// How often it was said that something else is shown.
    private(set) var updates = 0
    /// Whether rows cannot be read.
    var isUnreadable = false

    init(_ paging: any Paging = OffsetPaging(pageLength: 20), reach: Int = 10, kept: Int = 100) {
        pager = Pager(paging: paging, limits: Pager.Limits(reach: reach, kept: kept))
    }

    mutating func tell(_ event: Pager<Row>.Event) async throws {
        var events = [event]
        while !events.isEmpty {
            var effects: [Pager<Row>.Effect] = []
            pager.handle(events.removeFirst(), effects: &effects)
            for effect in effects {
                switch effect {
                case .fetch(let flight): flights.append(flight)
                case .cancel(let number):
                    flights.removeAll { $0.number == number }
                    cancelled.append(number)
                case .read(let number, let places):
                    readings += 1
                    guard !isUnreadable else {
                        events.append(.unread(number, CancellationError()))
                        continue
                    }
                    try await events.append(.read(number, store.records(in: places).records))
                case .update: updates += 1
                }
            }
        }
    }

    mutating func open() async throws { try await tell(.opened(store.runs())) }

    /// The oldest flight brings the rows that a list has there.
    mutating func land(from list: [Int], pageLength: Int = 20) async throws {
        guard !flights.isEmpty else { return }
        try await land(flights[0], from: list, pageLength)
    }

    mutating func land(_ flight: PageFlight, from list: [Int], _ pageLength: Int) async throws {
        flights.removeAll { $0 == flight }
        guard case .start(let start) = flight.anchor else { return }
        let rows = list.dropFirst(start).prefix(pageLength).map { ConformanceRow($0) }
        let page = RecordPage(SourcePage(rows), for: flight, pager.paging)
        let run = PageRun(
            places: page.places, generation: page.generation, previous: page.previous, next: page.next, isEnd: page.isEnd)
        let receipt = try await store.store(page)
        try await tell(receipt == .stored ? .fetched(flight.number, run) : .dropped(flight.number))
        try await tell(.changed(store.runs()))
    }

    mutating func fail(_ flight: PageFlight) async throws {
        flights.removeAll { $0 == flight }
        try await tell(.failed(flight.number, CancellationError()))
    }

    /// What stands in some places: identities, and nil for placeholders.
    func shown(_ places: Range<Int>) -> [Int?] {
        pager.slots(in: places).map { slot in
            if case .row(let record) = slot { record.row.id } else { nil }
        }
    }
}
