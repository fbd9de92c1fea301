import Testing

@testable import Origin

@Suite("Directed link")
struct DirectedLinkTests {
    /// A sequence of actions and the expected transmissions.
    struct Example: CustomTestStringConvertible {
        let testDescription: String
        let actions: [LinkAction]
        let transmissions: [Transmission]

        init(_ testDescription: String, _ deeds: [LinkAction], _ crossings: [Transmission]) {
            (self.testDescription, self.actions, self.transmissions) = (testDescription, deeds, crossings)
        }
    }

    static let examples = [
        Example(
            "A segment holds the line for its bytes, then travels",
            [.enqueue(100, from: 1, at: 0)],
            [Transmission(1, 100, departs: 100, arrives: 200)]),
        Example(
            "Longer data is split into segments",
            [.enqueue(3_000, from: 1, at: 0)],
            [
                Transmission(1, 1_460, departs: 1_460, arrives: 1_560), Transmission(1, 1_460, departs: 2_920, arrives: 3_020),
                Transmission(1, 80, departs: 3_000, arrives: 3_100),
            ]),
        Example(
            "Two connections take turns",
            [.enqueue(2_920, from: 1, at: 0), .enqueue(2_920, from: 2, at: 0)],
            [
                Transmission(1, 1_460, departs: 1_460, arrives: 1_560), Transmission(2, 1_460, departs: 2_920, arrives: 3_020),
                Transmission(1, 1_460, departs: 4_380, arrives: 4_480), Transmission(2, 1_460, departs: 5_840, arrives: 5_940),
            ]),
        Example(
            "A later connection waits for the current segment only",
            [.enqueue(4_380, from: 1, at: 0), .enqueue(10, from: 2, at: 100)],
            [
                Transmission(1, 1_460, departs: 1_460, arrives: 1_560), Transmission(2, 10, departs: 1_470, arrives: 1_570),
                Transmission(1, 1_460, departs: 2_930, arrives: 3_030), Transmission(1, 1_460, departs: 4_390, arrives: 4_490),
            ]),
        Example(
            "An idle link accumulates no delay",
            [.enqueue(100, from: 1, at: 0), .enqueue(100, from: 1, at: 1_000)],
            [Transmission(1, 100, departs: 100, arrives: 200), Transmission(1, 100, departs: 1_100, arrives: 1_200)]),
        Example(
            "A close frees the link after the current segment",
            [.enqueue(14_600, from: 1, at: 0), .enqueue(1_470, from: 2, at: 0), .close(1, at: 1_500)],
            [Transmission(2, 1_460, departs: 2_920, arrives: 3_020), Transmission(2, 10, departs: 2_930, arrives: 3_030)]),
        Example(
            "A segment of a closed connection occupies the link and is dropped",
            [.enqueue(1_460, from: 1, at: 0), .enqueue(10, from: 2, at: 0), .close(1, at: 1)],
            [Transmission(2, 10, departs: 1_470, arrives: 1_570)]),
        Example(
            "An end arrives behind all bytes and takes no time of the line",
            [.enqueue(50, from: 1, at: 0), .end(1, at: 0), .enqueue(50, from: 2, at: 0)],
            [
                Transmission(1, 50, departs: 50, arrives: 150), Transmission(2, 50, departs: 100, arrives: 200),
                Transmission(1, 0, departs: 100, arrives: 200),
            ]),
        Example(
            "Data of a closed connection is dropped",
            [.close(1, at: 0), .enqueue(50, from: 1, at: 1), .end(1, at: 2)],
            []),
    ]

    @Test(arguments: examples)
    func `Segments depart and arrive on schedule`(row: Example) {
        var harness = DirectedLinkHarness()

        #expect(harness.run(row.actions) == row.transmissions)
    }

    @Test func `No segment departs before its connection is open`() {
        var harness = DirectedLinkHarness(openFrom: 300)

        #expect(harness.run([.enqueue(100, from: 1, at: 0)]) == [Transmission(1, 100, departs: 400, arrives: 500)])
    }

    @Test func `Two transfers share the bandwidth equally`() {
        var harness = DirectedLinkHarness()
        for id in [1, 2] { harness.perform(.enqueue(14_600, from: id, at: 0)) }

        let arrived = harness.link.receivedSegments(by: .milliseconds(14_700))

        for id in [1, 2] {
            #expect(arrived.filter { $0.connection == id }.map(\.byteCount).reduce(0, +) == 7_300)
        }
    }

    @Test func `A connection has room until its window is full, and again when bytes have arrived`() {
        var harness = DirectedLinkHarness()

        harness.perform(.enqueue(DirectedLink.sendWindow - 1, from: 1, at: 0))
        #expect(harness.link.hasRoom(for: 1))
        harness.perform(.enqueue(1, from: 1, at: 0))
        #expect(!harness.link.hasRoom(for: 1))
        #expect(harness.link.hasRoom(for: 2))
        _ = harness.link.receivedSegments(by: .milliseconds(1_559))
        #expect(!harness.link.hasRoom(for: 1))
        _ = harness.link.receivedSegments(by: .milliseconds(1_560))
        #expect(harness.link.hasRoom(for: 1))
    }

    @Test func `An unknown connection has no room`() {
        #expect(!DirectedLinkHarness().link.hasRoom(for: 9))
    }
}
