import Testing

@testable import Origin

@Suite("Link")
struct LinkTests {
    /// A link with one byte per millisecond down and half as much up.
    private var link: Link {
        Link(LinkProfile(name: "test", down: 8, up: 4, roundTrip: .milliseconds(200)), seed: 1)
    }

    @Test func `Connecting takes a round trip before the first byte`() {
        var link = link
        link.open(1, at: .milliseconds(1_000))

        link.enqueue(100, from: 1, .up, at: .milliseconds(1_000))

        #expect(arrivals(of: &link) == ["up 100 at 1500"])
    }

    @Test func `A server may send first, half a round trip after the connection`() {
        var link = link
        link.open(1, at: .zero)

        link.enqueue(100, from: 1, .down, at: .zero)

        #expect(arrivals(of: &link) == ["down 100 at 300"])
    }

    @Test func `The directions do not share bandwidth`() {
        var link = link
        link.open(1, at: .zero)

        for direction in Link.Direction.allCases { link.enqueue(1_000, from: 1, direction, at: .milliseconds(200)) }

        #expect(arrivals(of: &link) == ["down 1000 at 1300", "up 1000 at 2300"])
    }

    @Test func `An end closes one direction and a close both`() {
        var link = link
        link.open(1, at: .zero)
        link.open(2, at: .zero)
        for direction in Link.Direction.allCases {
            link.enqueue(100, from: 1, direction, at: .milliseconds(200))
            link.enqueue(100, from: 2, direction, at: .milliseconds(200))
        }

        link.end(1, .up, at: .milliseconds(200))
        link.close(2, at: .milliseconds(200))

        #expect(arrivals(of: &link) == ["down 100 at 400", "up 100 at 500", "up 0 at 500"])
        #expect(!link.hasRoom(for: 2, .up) && !link.hasRoom(for: 2, .down))
    }

    @Test(arguments: LinkProfile.all)
    func `A single connection uses the full bandwidth`(profile: LinkProfile) {
        let bitsInRoundTrip = Double(profile.down * 1_000) * (profile.roundTrip / .seconds(1))

        #expect(bitsInRoundTrip / 8 < Double(DirectedLink.sendWindow))
    }

    @Test func `Link profiles are found by name`() {
        #expect(LinkProfile.all.map(\.name) == ["wifi", "lte", "dsl", "3g", "edge", "lossy"])
        #expect(LinkProfile.named("3g")?.down == 1_600)
        #expect(LinkProfile.named("5g") == nil)
    }

    /// Returns all arrivals, advancing from event to event.
    private func arrivals(of link: inout Link) -> [String] {
        var arrivals: [String] = []
        while let next = link.nextEvent {
            arrivals += link.receivedSegments(by: next).map { "\($0) \($1.byteCount) at \($1.receiveTime.inMilliseconds)" }
        }
        return arrivals
    }
}
