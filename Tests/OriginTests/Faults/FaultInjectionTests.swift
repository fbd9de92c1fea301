import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import NIOCore
import Testing

@testable import Origin

@Suite("Fault injection", .timeLimit(.minutes(10)))
struct FaultInjectionTests {
    private static let documents = ["orders.plist", "items.plist", "order-1.xml", "item-1.xml", "item-1.svg"].map {
        "/swift-concurrency/\($0)"
    }

    @Test(arguments: documents)
    func `A server error fault gives status 500 for every document`(path: String) async throws {
        let response = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).response(to: path)

        #expect(response.status == .internalServerError)
        #expect(response.text == "Internal Server Error\n")
    }

    @Test(arguments: documents)
    func `A truncated document has half of the bytes and a matching length`(path: String) async throws {
        let whole = try await makeOrigin().response(to: path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).response(to: path)

        #expect(half.status == .ok)
        #expect(half.headers[.contentLength] == String(whole.body.readableBytes / 2))
        #expect(whole.text.hasPrefix(half.text) && half.body.readableBytes == whole.body.readableBytes / 2)
        #expect(half.headers[.contentType] == whole.headers[.contentType])
        #expect(XMLTree.parse(half.text) == nil)
    }

    @Test(arguments: documents)
    func `A malformed document preserves its length and cannot be parsed`(path: String) async throws {
        let whole = try await makeOrigin().response(to: path)
        let bad = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.malformed])).response(to: path)

        #expect(bad.status == .ok)
        #expect(bad.body.readableBytes == whole.body.readableBytes)
        #expect(XMLTree.parse(whole.text) != nil)
        #expect(XMLTree.parse(bad.text) == nil)
    }

    @Test(arguments: [Fault.truncate, .malformed])
    func `A corrupted response is not cacheable`(fault: Fault) async throws {
        let response = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [fault])).response(to: Self.documents[2])

        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.eTag] == nil && response.headers[.lastModified] == nil)
    }

    @Test func `A response without a body is not corrupted`() async throws {
        let tag = try #require(try await makeOrigin().response(to: Self.documents[2]).headers[.eTag])
        let origin = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.hangup, .truncate, .malformed]))

        let response = try await origin.response(to: Self.documents[2], headers: [.ifNoneMatch: tag])

        #expect(response.status == .notModified)
        #expect(response.headers[.eTag] == tag)
    }

    @Test(arguments: ["/health", "/-/counts"])
    func `Paths outside the service have no faults`(path: String) async throws {
        let response = try await makeOrigin(faults: FaultPlan(rate: 1)).response(to: path)

        #expect(response.status == .ok)
    }

    @Test func `A missing document still gets 404`() async throws {
        let origin = try await makeOrigin(orders: 3, faults: FaultPlan(rate: 1, faults: [.serverError]))

        #expect(try await origin.response(to: "/swift-concurrency/order-4.xml").status == .notFound)
    }

    @Test func `A missing file still gets 404`() async throws {
        let origin = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError]))

        #expect(try await origin.response(to: "/uploads/nothing").status == .notFound)
        #expect(try await origin.response(to: "/uploads/.hidden", method: .put, body: "a").status == .badRequest)
    }

    @Test(arguments: [
        "/mars-photos/api/v1/rovers", "/mars-photos/api/v1/rovers/curiosity/photos?sol=1000",
        "/rss/api/?feed=raw_images&category=mars2020&feedtype=json&sol=1000", "/mars-photos/images/curiosity/1000/NAVCAM-1.jpg",
    ])
    func `Photos and their lists have faults like other documents`(path: String) async throws {
        let whole = try await makeOrigin().response(to: path)

        let failed = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).response(to: path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).response(to: path)

        #expect(whole.status == .ok && failed.status == .internalServerError)
        #expect(half.body.readableBytes == whole.body.readableBytes / 2)
        #expect(half.headers[.cacheControl] == "no-store")
    }

    @Test func `Faults are drawn for each photo list and invalid queries stay refused`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        let paths = (990..<1_010).map { "/mars-photos/api/v1/rovers/curiosity/photos?sol=\($0)" }
        var statuses: [Int] = []

        for path in paths { statuses.append(try await origin.response(to: path).status.code) }

        #expect(statuses == paths.map { plan.fault(inRequest: 1, for: $0) == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
        for _ in 1...10 { #expect(try await origin.response(to: "/mars-photos/api/v1/rovers/nobody").status == .badRequest) }
    }

    @Test func `Each repeated request has an independent fault`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        var statuses: [Int] = []

        for _ in 1...20 { statuses.append(try await origin.response(to: Self.documents[2]).status.code) }

        #expect(statuses == (1...20).map { plan.fault(inRequest: $0, for: Self.documents[2]) == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
    }

    @Test func `A hang-up closes the connection in the middle of the body`() async throws {
        let whole = try await makeOrigin().response(to: Self.documents[2])
        let origin = try await RunningOrigin(faults: FaultPlan(rate: 1, faults: [.hangup]))

        let response = try await origin.run { try await Socket.response(from: $0, to: Self.documents[2]) }

        let parts = response.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts[0].hasPrefix("HTTP/1.1 200 OK"))
        #expect(parts[0].contains("Content-Length: \(whole.body.readableBytes)"))
        #expect(parts[1].utf8.count == whole.body.readableBytes / 2)
        #expect(origin.counts.outcomeRow == [0, 0, 1])
    }

    @Test func `A delayed response is late and complete`() async throws {
        let plan = FaultPlan(rate: 1, faults: [.delay])
        let clock = ManualClock()
        let whole = try await makeOrigin().response(to: Self.documents[2])
        let origin = try await RunningOrigin(faults: plan, clock: clock)

        let response = try await origin.run { address in
            async let response = Socket.response(from: address, to: Self.documents[2])
            let start = clock.now
            #expect(start.duration(to: await clock.nextTimer()) == plan.delay(ofRequest: 1, for: Self.documents[2]))
            clock.advance(by: .seconds(4))
            return try await response
        }

        #expect(response.hasPrefix("HTTP/1.1 200 OK"))
        #expect(response.lowercased().contains("connection: close"))
        #expect(response.hasSuffix(whole.text))
    }

    @Test func `A client disconnect ends the delay`() async throws {
        let clock = ManualClock()
        let origin = try await RunningOrigin(faults: FaultPlan(rate: 1, faults: [.delay]), clock: clock)

        try await origin.run { address in
            let request = ByteBuffer(string: "GET \(Self.documents[2]) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await Socket.connected(to: address, sending: request) { _, _ in _ = await clock.nextTimer() }
        }

        #expect(origin.counts.outcomeRow == [0, 1, 0])
    }
}
