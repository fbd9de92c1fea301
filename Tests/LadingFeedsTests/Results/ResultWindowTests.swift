import LadingFeeds
import LadingTesting
import Testing

@Suite struct ResultWindowTests {
    private struct Broken: Error {}

    /// Rows with the numbers from 0, each heavier than the one before.
    private func rows(_ count: Int) -> [ConformanceRow] {
        (0..<count).map { ConformanceRow($0, $0 % 7 == 0 ? "lamp" : "shoe", weight: Double($0)) }
    }

    private let heaviestFirst = RecordQuery(order: .sorted("weight", descending: true))

    @Test func `What is in view is read and all is counted`() async throws {
        var desk = try await ResultDesk(RecordQuery(search: "lamp"), rows: rows(70))
        try await desk.settle(.open)

        #expect(desk.window.count == 10)
        #expect(desk.shown(0..<3) == [0, 7, 14])
        #expect(desk.window.isCurrent)
    }

    @Test func `Whoever scrolls on reads on from what is known, and memory stays bounded`() async throws {
        var desk = try await ResultDesk(heaviestFirst, rows: rows(500))
        try await desk.settle(.open)
        for start in stride(from: 0, to: 490, by: 7) {
            try await desk.settle(.show(start..<start + 10))
            #expect(desk.shown(start..<start + 10) == (0..<10).map { 499 - start - $0 })
            #expect(desk.window.records.count <= 100)
        }
        for start in stride(from: 480, through: 0, by: -9) {
            try await desk.settle(.show(start..<start + 10))
            #expect(desk.shown(start..<start + 10) == (0..<10).map { 499 - start - $0 })
        }

        #expect(desk.starts.first == .index(0))
        #expect(desk.starts.dropFirst().allSatisfy { if case .index = $0 { false } else { true } })
    }

    @Test func `A jump is found by its index`() async throws {
        var desk = try await ResultDesk(rows: rows(500))
        try await desk.settle(.open)
        try await desk.settle(.show(400..<410))

        #expect(desk.starts == [.index(0), .index(390)])
        #expect(desk.shown(400..<402) == [400, 401])
    }

    @Test func `Behind the end nothing is read again and again`() async throws {
        var desk = try await ResultDesk(rows: rows(30))
        try await desk.settle(.open)
        try await desk.settle(.show(25..<35))
        let readings = desk.starts.count
        try await desk.settle(.show(26..<36))
        try await desk.settle(.show(900..<910))
        try await desk.settle(.show(900..<911))

        #expect(desk.starts.count == readings)
        #expect(desk.shown(29..<31) == [29, nil])
    }

    @Test func `Rows that come while the end is being read are read too`() async throws {
        var desk = try await ResultDesk(rows: rows(180))
        try await desk.settle(.open)
        try await desk.settle(.show(150..<160))
        desk.tell(.show(172..<180))
        try await desk.askOne()

        try await desk.put(rows(200))
        try await desk.settle(.changed)

        try await desk.settle(.show(192..<200))
        #expect(desk.shown(192..<200) == Array(192..<200))
    }

    @Test func `It is settled once all that is known to have changed was read and counted, and not while that failed`() async throws {
        var desk = try await ResultDesk(rows: rows(5))
        #expect(!desk.window.isSettled)
        try await desk.settle(.open)
        #expect(desk.window.isSettled)
        try await desk.put(rows(8))
        desk.tell(.changed)
        while !desk.pending.isEmpty {
            #expect(!desk.window.isSettled)
            try await desk.performOne()
        }
        #expect(desk.window.isSettled && desk.window.count == 8 && desk.shown(7..<8) == [7])

        desk.tell(.changed)
        desk.failOne(with: Broken())
        while !desk.pending.isEmpty { try await desk.performOne() }
        #expect(!desk.window.isSettled)
        try await desk.settle(.retry)
        #expect(desk.window.isSettled)
    }

    @Test func `An empty list is settled too`() async throws {
        var desk = try await ResultDesk(rows: [])
        try await desk.settle(.open)
        #expect(desk.window.isSettled && desk.window.count == 0)
    }

    @Test func `Another query begins at its first row, and what was found before stays until it is read`() async throws {
        var desk = try await ResultDesk(rows: rows(200))
        try await desk.settle(.open)
        try await desk.settle(.show(100..<110))
        desk.tell(.ask(heaviestFirst))

        #expect(!desk.window.isCurrent)
        #expect(desk.window.count == nil)
        #expect(desk.shown(100..<101) == [100])
        while !desk.pending.isEmpty { try await desk.performOne() }
        #expect(desk.window.isCurrent)
        #expect(desk.shown(0..<2) == [199, 198])
        #expect(desk.starts.last == .index(0))
    }

    @Test func `What arrives for an older query changes nothing`() async throws {
        var desk = try await ResultDesk(rows: rows(50))
        desk.tell(.open)
        let old = desk.pending
        desk.tell(.ask(RecordQuery(search: "nowhere")))
        #expect(desk.cancelled.count == old.count)
        for case .read(let number, let query, let start, let limit) in old {
            try await desk.tell(.read(number, desk.store.records(query, from: start, limit: limit)))
        }
        while !desk.pending.isEmpty { try await desk.performOne() }

        #expect(desk.window.records.isEmpty)
        #expect(desk.window.count == 0)
    }

    @Test func `The same query again changes nothing`() async throws {
        var desk = try await ResultDesk(heaviestFirst, rows: rows(50))
        try await desk.settle(.open)
        desk.tell(.ask(heaviestFirst))

        #expect(desk.pending.isEmpty)
        #expect(desk.window.isCurrent)
    }

    @Test func `A change is looked at once more, also when it comes while rows are read`() async throws {
        var desk = try await ResultDesk(rows: rows(20))
        desk.tell(.open)
        try await desk.put(rows(30))
        desk.tell(.changed)
        desk.tell(.changed)
        #expect(desk.pending.count == 2)
        while !desk.pending.isEmpty { try await desk.performOne() }

        #expect(desk.window.count == 30)
        #expect(desk.starts.count <= 3)
        try await desk.settle(.show(20..<30))
        #expect(desk.shown(28..<31) == [28, 29, nil])
    }

    @Test func `A list that became short is followed up to where its rows are`() async throws {
        var desk = try await ResultDesk(rows: rows(200))
        try await desk.settle(.open)
        try await desk.settle(.show(150..<160))
        try await desk.put(rows(40))
        try await desk.settle(.changed)

        #expect(desk.window.count == 40)
        #expect(desk.shown(150..<151) == [nil])
        try await desk.settle(.show(30..<40))
        #expect(desk.shown(38..<40) == [38, 39])
    }

    @Test func `Rows that went away in front of what is in memory are noticed when it is read on`() async throws {
        var desk = try await ResultDesk(heaviestFirst, rows: rows(300))
        try await desk.settle(.open)
        try await desk.settle(.show(60..<70))
        try await desk.settle(.show(200..<210))
        try await desk.put(Array(rows(120)))
        try await desk.settle(.show(185..<195))

        #expect(desk.window.records.count <= 100)
        try await desk.settle(.show(0..<10))
        #expect(desk.shown(0..<2) == [119, 118])
    }

    @Test func `A row that cannot be decoded hides no other, and is not read without end`() async throws {
        var desk = try await ResultDesk(rows: rows(60))
        desk.unreadable = [1]
        desk.tell(.show(30..<35))
        try await desk.settle(.open)
        for first in stride(from: 25, through: 0, by: -5) { try await desk.settle(.show(first..<first + 5)) }

        #expect(desk.shown(0..<3) == [0, 2, 3])
        #expect(desk.window.isSettled)
        #expect(desk.starts.count <= 8)
    }

    @Test func `A failure keeps the rows, and is tried again when told`() async throws {
        var desk = try await ResultDesk(rows: rows(100))
        try await desk.settle(.open)
        desk.tell(.changed)
        desk.failOne(with: Broken())
        try await desk.performOne()
        desk.tell(.show(3..<9))

        #expect(desk.window.failure is Broken)
        #expect(desk.pending.isEmpty)
        #expect(desk.shown(0..<2) == [0, 1])
        try await desk.settle(.retry)
        #expect(desk.window.failure == nil)
        #expect(desk.window.count == 100)
    }
}
