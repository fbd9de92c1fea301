import LadingFeeds
import LadingTesting
import Testing

@Suite struct PagerTests {
    private let list = Array(1_000..<1_065)

    /// A desk whose store has the first pages of the list, fetched and read.
    private func desk(having pages: Int) async throws -> PagerDesk {
        var desk = PagerDesk()
        try await desk.open()
        for page in 0..<pages {
            try await desk.land(from: list)
            if page + 1 < pages { try await desk.tell(.show(page * 20 + 10..<page * 20 + 20)) }
        }
        return desk
    }

    @Test func `A list that was never stored begins with its first page`() async throws {
        var desk = PagerDesk()
        try await desk.open()

        #expect(desk.flights.map(\.key) == [.offset(0)])
        #expect(desk.flights.map(\.generation) == [1])
        try await desk.land(from: list)
        #expect(desk.shown(0..<5) == [1_000, 1_001, 1_002, 1_003, 1_004])
    }

    @Test func `What is stored is read before anything is fetched`() async throws {
        var desk = try await desk(having: 2)
        let store = desk.store

        var other = PagerDesk()
        for run in try await store.runs() {
            let rows = try await store.records(in: run.places).rows
            _ = try await other.store.store(RecordPage(rows, at: 0, generation: 1, next: run.next))
        }
        try await other.open()

        #expect(other.flights.isEmpty)
        #expect(other.shown(0..<2) == [1_000, 1_001])
        desk = other
        try await desk.tell(.show(25..<35))
        #expect(desk.flights.map(\.key) == [.offset(40)])
    }

    @Test func `The next page is asked for before the end is reached, once`() async throws {
        var desk = try await desk(having: 1)

        try await desk.tell(.show(0..<5))
        #expect(desk.flights.isEmpty)
        try await desk.tell(.show(6..<11))
        try await desk.tell(.show(8..<20))
        #expect(desk.flights.map(\.key) == [.offset(20)])
        #expect(desk.pager.fetching == [.append])
    }

    @Test func `A short page is the end`() async throws {
        var desk = try await desk(having: 4)
        try await desk.tell(.show(55..<65))

        #expect(desk.pager.isComplete)
        #expect(desk.flights.isEmpty)
        #expect(desk.shown(60..<80) == [1_060, 1_061, 1_062, 1_063, 1_064])
    }

    @Test func `An empty page is the end too`() async throws {
        let list = Array(0..<20)
        var desk = PagerDesk()
        try await desk.open()
        try await desk.land(from: list)
        try await desk.tell(.show(10..<20))
        try await desk.land(from: list)

        #expect(desk.pager.isComplete)
        #expect(desk.shown(0..<40).count == 20)
    }

    @Test func `A failure keeps the rows, and is tried again when told`() async throws {
        var desk = try await desk(having: 1)
        try await desk.tell(.show(10..<20))
        try await desk.fail(desk.flights[0])
        try await desk.tell(.show(12..<20))

        #expect(desk.flights.isEmpty)
        #expect(desk.pager.failures.keys.map { $0 } == [.append])
        #expect(desk.shown(18..<20) == [1_018, 1_019])
        try await desk.tell(.retry)
        #expect(desk.flights.map(\.key) == [.offset(20)])
        #expect(desk.pager.failures.isEmpty)
    }

    @Test func `A retry is told, even where nothing is fetched for it`() async throws {
        var desk = try await desk(having: 1)
        try await desk.tell(.show(10..<20))
        try await desk.fail(desk.flights[0])
        let updates = desk.updates
        try await desk.tell(.retry)
        #expect(desk.updates > updates)

        var other = try await self.desk(having: 3)
        try await other.tell(.show(50..<60))
        try await other.fail(other.flights[0])
        try await other.tell(.show(0..<10))
        let earlier = other.updates
        try await other.tell(.retry)
        #expect(other.updates > earlier && other.flights.isEmpty && other.pager.failures.isEmpty)
    }

    @Test func `A page that came too late is told to be under way no more`() async throws {
        var desk = try await desk(having: 1)
        try await desk.tell(.show(10..<20))
        let late = desk.flights[0]
        try await desk.tell(.changed([PageRun(places: 0..<20, generation: 2, isEnd: true)]))
        let updates = desk.updates
        try await desk.tell(.dropped(late.number))

        #expect(desk.updates > updates)
        #expect(desk.pager.fetching.isEmpty)
    }

    @Test func `Rows that could not be read are read on retry, and when the store changes`() async throws {
        for event in [Pager<ConformanceRow>.Event.retry, .changed([PageRun(places: 0..<20, generation: 2, isEnd: true)])] {
            var desk = try await desk(having: 1)
            try await desk.tell(.show(0..<10))
            _ = try await desk.store.store(RecordPage((0..<20).map { ConformanceRow(2_000 + $0) }, at: 0, generation: 2, isEnd: true))
            desk.isUnreadable = true
            try await desk.tell(.changed(desk.store.runs()))
            #expect(desk.pager.readFailure != nil)
            #expect(desk.shown(0..<1) == [1_000])

            desk.isUnreadable = false
            try await desk.tell(event)
            #expect(desk.shown(0..<1) == [2_000])
            #expect(desk.pager.readFailure == nil)
        }
    }

    @Test func `A failed refresh keeps the rows, and paging goes on`() async throws {
        var desk = try await desk(having: 1)
        try await desk.tell(.refresh)
        try await desk.fail(desk.flights[0])
        try await desk.tell(.show(10..<20))

        #expect(desk.shown(0..<20).count == 20)
        #expect(desk.flights.map(\.key) == [.offset(20)])
        #expect(desk.flights.map(\.generation) == [1])
        try await desk.tell(.retry)
        #expect(desk.flights.map(\.direction) == [.refresh])
    }

    @Test func `A refresh cancels what is under way, and what still arrives of it changes nothing`() async throws {
        var desk = try await desk(having: 1)
        try await desk.tell(.show(10..<20))
        let old = desk.flights[0]
        try await desk.tell(.refresh)

        #expect(desk.cancelled == [old.number])
        #expect(desk.flights.map(\.generation) == [2])
        let before = desk.pager.coverage
        try await desk.tell(.fetched(old.number, PageRun(places: 20..<40, generation: 1)))
        #expect(desk.pager.coverage == before)
    }

    @Test func `After a refresh older rows stay until their places are covered`() async throws {
        var desk = try await desk(having: 3)
        try await desk.tell(.show(0..<5))
        try await desk.tell(.refresh)
        let renewed = Array(2_000..<2_065)
        try await desk.land(from: renewed)

        #expect(desk.shown(18..<22) == [2_018, 2_019, 1_020, 1_021])
        #expect(desk.flights.isEmpty)
        try await desk.tell(.show(8..<18))
        #expect(desk.flights.map(\.key) == [.offset(20)])
        try await desk.land(from: renewed)
        #expect(desk.shown(18..<22) == [2_018, 2_019, 2_020, 2_021])
    }

    @Test(arguments: [(250, 1_000), (250, 270), (260, 270), (240, 1_000)])
    func `A jump behind the end finds the end, and asks for nothing twice`(count: Int, place: Int) async throws {
        var desk = PagerDesk()
        try await desk.open()
        try await desk.land(from: Array(0..<count))
        var keys: [PageKey] = []
        try await desk.tell(.jump(to: place))
        while let flight = desk.flights.first, keys.count < 100 {
            keys.append(flight.key)
            try await desk.land(flight, from: Array(0..<count), 20)
        }

        #expect(Set(keys).count == keys.count && keys.count < 20)
        #expect(desk.pager.isComplete)
    }

    @Test func `A jump fetches the page there, and shows placeholders in between`() async throws {
        let list = Array(0..<1_000)
        var desk = PagerDesk()
        try await desk.open()
        try await desk.land(from: list)
        try await desk.tell(.jump(to: 507))

        #expect(desk.flights.map(\.key) == [.offset(500)])
        #expect(desk.pager.fetching == [.jump])
        try await desk.land(from: list)
        #expect(desk.shown(498..<502) == [nil, nil, 500, 501])
        #expect(desk.shown(100..<102) == [nil, nil])
        // The pages on both sides come into sight.
        #expect(desk.flights.map(\.key) == [.offset(480)])
        try await desk.tell(.show(505..<515))
        #expect(desk.flights.map(\.key) == [.offset(480), .offset(520)])
        try await desk.land(from: list)
        #expect(desk.shown(498..<502) == [498, 499, 500, 501])
    }

    @Test func `Pages that name no place are found one after the other only`() async throws {
        var desk = PagerDesk(CursorPaging())
        try await desk.open()
        try await desk.tell(.fetched(desk.flights[0].number, PageRun(places: 0..<20, generation: 1, next: .cursor("b"))))
        try await desk.tell(.jump(to: 500))

        #expect(desk.flights.dropFirst().isEmpty)
    }

    @Test func `A list that was opened in the middle grows at the front`() async throws {
        var desk = PagerDesk(CursorPaging())
        _ = try await desk.store.store(
            RecordPage((0..<20).map { ConformanceRow($0) }, at: 0, generation: 1, previous: .cursor("a"), next: .cursor("c")))
        try await desk.open()

        #expect(desk.flights.map(\.key) == [.cursor("a")])
        #expect(desk.flights.map(\.anchor) == [.end(0)])
    }

    @Test func `However far one scrolls, memory holds a bounded number of rows`() async throws {
        var desk = PagerDesk()
        let rows = (0..<1_500).map { ConformanceRow($0) }
        _ = try await desk.store.store(RecordPage(rows, at: 0, generation: 1, isEnd: true))
        try await desk.open()

        for start in Array(stride(from: 0, to: 1_480, by: 7)) + stride(from: 1_480, to: 0, by: -13) {
            try await desk.tell(.show(start..<start + 20))
            #expect(desk.shown(start..<start + 20) == Array(start..<start + 20))
            #expect(desk.pager.records.count <= 100)
        }
        // Rows are read by the dozen, not one by one.
        #expect(desk.readings < 240)
    }

    @Test func `A view that is too long is shortened`() async throws {
        var desk = PagerDesk()
        _ = try await desk.store.store(RecordPage((0..<999).map { ConformanceRow($0) }, at: 0, generation: 1, isEnd: true))
        try await desk.open()
        try await desk.tell(.show(0..<900))

        #expect(desk.pager.records.count <= 100)
        #expect(desk.shown(0..<1) == [0])
    }
}
