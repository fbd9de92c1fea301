import Testing

@testable import LadingHTTP

@Suite struct CacheFlightsTests {
    @Test func `The first request with a key leads, and later ones wait until it is released`() throws {
        var flights = CacheFlights()
        let first = flights.join(in: "a", key: "a", since: 0)
        let flight = try #require(first.flight)

        #expect(flights.join(in: "a", key: "a", since: 0) == .wait(flight))
        #expect(flights.join(in: "b", key: "b", since: 0).flight != nil)
        flights.release(flight)
        #expect(flights.join(in: "a", key: "a", since: flights.releaseCount).flight != nil)
    }

    @Test func `A request without a key is forwarded on its own`() {
        var flights = CacheFlights()

        #expect((0..<3).allSatisfy { _ in flights.join(in: "a", key: nil, since: 0).flight != nil })
        #expect(flights.openCount == 3)
    }

    @Test func `A request whose lookup preceded the release of its key looks up again`() throws {
        var flights = CacheFlights()
        let seenReleases = flights.releaseCount
        try flights.beginAndEnd("a")
        for number in 1..<CacheFlights.releaseHistoryLimit { try flights.beginAndEnd("other \(number)") }

        #expect(flights.join(in: "a", key: "a", since: seenReleases) == .retryLookup)
        #expect(flights.join(in: "a", key: "a", since: seenReleases + 1).flight != nil)
    }

    @Test func `Requests that waited for a response that cannot be stored are forwarded on their own, and later ones wait again`() throws {
        var flights = CacheFlights()
        let flight = try #require(flights.join(in: "a", key: "a", since: 0).flight)
        let arrival = flights.releaseCount
        flights.release(flight, isUnstorable: true)
        let now = flights.releaseCount

        let waiting = (0..<2).map { _ in flights.join(in: "a", key: "a", since: now, arrival: arrival) }
        let other = flights.join(in: "b", key: "b", since: now, arrival: arrival)
        let later = try #require(flights.join(in: "a", key: "a", since: now, arrival: now).flight)

        #expect(waiting.allSatisfy { $0.flight != nil } && other.flight != nil)
        #expect(flights.join(in: "a", key: "a", since: now, arrival: now) == .wait(later))
    }

    @Test func `The number of remembered releases is limited, and older keys are forwarded again`() throws {
        var flights = CacheFlights()
        for number in 0...CacheFlights.releaseHistoryLimit { try flights.beginAndEnd("\(number)") }

        #expect(flights.join(in: "0", key: "0", since: 0).flight != nil)
        #expect(flights.join(in: "1", key: "1", since: 0) == .retryLookup)
    }

    @Test func `A release is counted once, and only for a flight with a key`() throws {
        var flights = CacheFlights()
        let alone = try #require(flights.join(in: "a", key: nil, since: 0).flight)
        let leading = try #require(flights.join(in: "a", key: "a", since: 0).flight)

        flights.end(alone)
        flights.release(leading)
        flights.end(leading)

        #expect(flights.releaseCount == 1 && flights.openCount == 0)
    }

    @Test func `A change invalidates the other flights of its group that have begun`() throws {
        var flights = CacheFlights()
        let change = try #require(flights.join(in: "a", key: nil, since: 0).flight)
        let earlier = try #require(flights.join(in: "a", key: "a", since: 0).flight)
        let other = try #require(flights.join(in: "b", key: "b", since: 0).flight)

        flights.invalidate("a", except: change)
        let later = try #require(flights.join(in: "a", key: nil, since: 0).flight)

        #expect([change, earlier, other, later].map(flights.isInvalidated) == [false, true, false, false])
    }
}

extension CacheFlights {
    /// Begins a flight and ends it.
    fileprivate mutating func beginAndEnd(_ key: String) throws {
        end(try #require(join(in: key, key: key, since: releaseCount).flight))
    }
}

extension CacheFlights.JoinResult {
    fileprivate var flight: CacheFlights.Flight? {
        if case .forward(let flight) = self { flight } else { nil }
    }
}
