import Testing

@testable import LadingHTTP

@Suite struct CacheFlightsTests {
    @Test func `The first with a key leads, and those after it wait until it is released`() throws {
        var flights = CacheFlights()
        let first = flights.join(in: "a", key: "a", since: 0)
        let flight = try #require(first.flight)

        #expect(flights.join(in: "a", key: "a", since: 0) == .waits(flight))
        #expect(flights.join(in: "b", key: "b", since: 0).flight != nil)
        flights.release(flight)
        #expect(flights.join(in: "a", key: "a", since: flights.releases).flight != nil)
    }

    @Test func `One without a key asks on its own`() {
        var flights = CacheFlights()

        #expect((0..<3).allSatisfy { _ in flights.join(in: "a", key: nil, since: 0).flight != nil })
        #expect(flights.openCount == 3)
    }

    @Test func `One who looked before the release of its key looks again, whatever else was released`() throws {
        var flights = CacheFlights()
        let look = flights.releases
        try flights.pass("a")
        for number in 1..<CacheFlights.memory { try flights.pass("other \(number)") }

        #expect(flights.join(in: "a", key: "a", since: look) == .looksAgain)
        #expect(flights.join(in: "a", key: "a", since: look + 1).flight != nil)
    }

    @Test func `Of releases a bounded number is remembered; beyond it is asked once more`() throws {
        var flights = CacheFlights()
        for number in 0...CacheFlights.memory { try flights.pass("\(number)") }

        #expect(flights.join(in: "0", key: "0", since: 0).flight != nil)
        #expect(flights.join(in: "1", key: "1", since: 0) == .looksAgain)
    }

    @Test func `A release counts once, and not for one whom nobody could wait for`() throws {
        var flights = CacheFlights()
        let alone = try #require(flights.join(in: "a", key: nil, since: 0).flight)
        let leading = try #require(flights.join(in: "a", key: "a", since: 0).flight)

        flights.end(alone)
        flights.release(leading)
        flights.end(leading)

        #expect(flights.releases == 1 && flights.openCount == 0)
    }
}

extension CacheFlights {
    /// Begins a flight and ends it.
    fileprivate mutating func pass(_ key: String) throws {
        end(try #require(join(in: key, key: key, since: releases).flight))
    }
}

extension CacheFlights.Part {
    fileprivate var flight: CacheFlights.Flight? {
        if case .leads(let flight) = self { flight } else { nil }
    }
}
