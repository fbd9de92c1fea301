import Testing

@testable import Origin

@Suite("Link line")
struct LinkLineTests {
    /// What happens, and what crosses the line because of it.
    struct Row: CustomTestStringConvertible {
        let testDescription: String
        let deeds: [LinkDeed]
        let crossings: [Crossing]

        init(_ testDescription: String, _ deeds: [LinkDeed], _ crossings: [Crossing]) {
            (self.testDescription, self.deeds, self.crossings) = (testDescription, deeds, crossings)
        }
    }

    static let rows = [
        Row(
            "A segment holds the line for its bytes, then travels",
            [.offer(100, from: 1, at: 0)],
            [Crossing(1, 100, departs: 100, arrives: 200)]),
        Row(
            "What is longer than a segment is cut",
            [.offer(3_000, from: 1, at: 0)],
            [
                Crossing(1, 1_460, departs: 1_460, arrives: 1_560), Crossing(1, 1_460, departs: 2_920, arrives: 3_020),
                Crossing(1, 80, departs: 3_000, arrives: 3_100),
            ]),
        Row(
            "Two connections take turns",
            [.offer(2_920, from: 1, at: 0), .offer(2_920, from: 2, at: 0)],
            [
                Crossing(1, 1_460, departs: 1_460, arrives: 1_560), Crossing(2, 1_460, departs: 2_920, arrives: 3_020),
                Crossing(1, 1_460, departs: 4_380, arrives: 4_480), Crossing(2, 1_460, departs: 5_840, arrives: 5_940),
            ]),
        Row(
            "Who comes late waits for the segment on the line, not for the queue of another",
            [.offer(4_380, from: 1, at: 0), .offer(10, from: 2, at: 100)],
            [
                Crossing(1, 1_460, departs: 1_460, arrives: 1_560), Crossing(2, 10, departs: 1_470, arrives: 1_570),
                Crossing(1, 1_460, departs: 2_930, arrives: 3_030), Crossing(1, 1_460, departs: 4_390, arrives: 4_490),
            ]),
        Row(
            "A line that was idle owes nothing",
            [.offer(100, from: 1, at: 0), .offer(100, from: 1, at: 1_000)],
            [Crossing(1, 100, departs: 100, arrives: 200), Crossing(1, 100, departs: 1_100, arrives: 1_200)]),
        Row(
            "Who closes frees the line for the other behind the segment on it",
            [.offer(14_600, from: 1, at: 0), .offer(1_470, from: 2, at: 0), .close(1, at: 1_500)],
            [Crossing(2, 1_460, departs: 2_920, arrives: 3_020), Crossing(2, 10, departs: 2_930, arrives: 3_030)]),
        Row(
            "A segment on the line holds it to its end, and arrives nowhere",
            [.offer(1_460, from: 1, at: 0), .offer(10, from: 2, at: 0), .close(1, at: 1)],
            [Crossing(2, 10, departs: 1_470, arrives: 1_570)]),
        Row(
            "An end arrives behind all bytes and takes no time of the line",
            [.offer(50, from: 1, at: 0), .end(1, at: 0), .offer(50, from: 2, at: 0)],
            [
                Crossing(1, 50, departs: 50, arrives: 150), Crossing(2, 50, departs: 100, arrives: 200),
                Crossing(1, 0, departs: 100, arrives: 200),
            ]),
        Row(
            "What is offered by a connection that is closed crosses nothing",
            [.close(1, at: 0), .offer(50, from: 1, at: 1), .end(1, at: 2)],
            []),
    ]

    @Test(arguments: rows)
    func `Segments depart and arrive when they must`(row: Row) {
        var pad = LinkPad()

        #expect(pad.run(row.deeds) == row.crossings)
    }

    @Test func `Nothing leaves before its connection is set up`() {
        var pad = LinkPad(openFrom: 300)

        #expect(pad.run([.offer(100, from: 1, at: 0)]) == [Crossing(1, 100, departs: 400, arrives: 500)])
    }

    @Test func `Two transfers share the line in halves`() {
        var pad = LinkPad()
        for id in [1, 2] { pad.perform(.offer(14_600, from: id, at: 0)) }

        let arrived = pad.line.arrivals(by: .milliseconds(14_700))

        for id in [1, 2] {
            #expect(arrived.filter { $0.connection == id }.map(\.bytes).reduce(0, +) == 7_300)
        }
    }

    @Test func `A connection has room until its window is full, and again when bytes have arrived`() {
        var pad = LinkPad()

        pad.perform(.offer(LinkLine.window - 1, from: 1, at: 0))
        #expect(pad.line.hasRoom(for: 1))
        pad.perform(.offer(1, from: 1, at: 0))
        #expect(!pad.line.hasRoom(for: 1))
        #expect(pad.line.hasRoom(for: 2))
        _ = pad.line.arrivals(by: .milliseconds(1_559))
        #expect(!pad.line.hasRoom(for: 1))
        _ = pad.line.arrivals(by: .milliseconds(1_560))
        #expect(pad.line.hasRoom(for: 1))
    }

    @Test func `A connection that nobody opened has no room`() {
        #expect(!LinkPad().line.hasRoom(for: 9))
    }
}
