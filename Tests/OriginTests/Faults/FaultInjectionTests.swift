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
    func `A server error is one, for all documents`(path: String) async throws {
        let answer = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).answer(path)

        #expect(answer.status == .internalServerError)
        #expect(answer.text == "Internal Server Error\n")
    }

    @Test(arguments: documents)
    func `A truncated document is half of one, and says that this is all`(path: String) async throws {
        let whole = try await makeOrigin().answer(path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).answer(path)

        #expect(half.status == .ok)
        #expect(half.headers[.contentLength] == String(whole.body.readableBytes / 2))
        #expect(whole.text.hasPrefix(half.text) && half.body.readableBytes == whole.body.readableBytes / 2)
        #expect(half.headers[.contentType] == whole.headers[.contentType])
        #expect(XMLTree.parse(half.text) == nil)
    }

    @Test(arguments: documents)
    func `A malformed document has the right length and is none`(path: String) async throws {
        let whole = try await makeOrigin().answer(path)
        let bad = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.malformed])).answer(path)

        #expect(bad.status == .ok)
        #expect(bad.body.readableBytes == whole.body.readableBytes)
        #expect(XMLTree.parse(whole.text) != nil)
        #expect(XMLTree.parse(bad.text) == nil)
    }

    @Test(arguments: [Fault.truncate, .malformed])
    func `Nobody keeps what is spoiled, so that asking again helps`(fault: Fault) async throws {
        let answer = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [fault])).answer(Self.documents[2])

        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.eTag] == nil && answer.headers[.lastModified] == nil)
    }

    @Test func `What has no body cannot be spoiled`() async throws {
        let tag = try #require(try await makeOrigin().answer(Self.documents[2]).headers[.eTag])
        let origin = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.hangup, .truncate, .malformed]))

        let answer = try await origin.answer(Self.documents[2], headers: [.ifNoneMatch: tag])

        #expect(answer.status == .notModified)
        #expect(answer.headers[.eTag] == tag)
    }

    @Test(arguments: ["/health", "/-/counts"])
    func `What is no document of the service never goes wrong`(path: String) async throws {
        let answer = try await makeOrigin(faults: FaultPlan(rate: 1)).answer(path)

        #expect(answer.status == .ok)
    }

    @Test func `What does not exist is still not found`() async throws {
        let origin = try await makeOrigin(orders: 3, faults: FaultPlan(rate: 1, faults: [.serverError]))

        #expect(try await origin.answer("/swift-concurrency/order-4.xml").status == .notFound)
    }

    @Test func `A file that does not exist is still not found`() async throws {
        let origin = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError]))

        #expect(try await origin.answer("/uploads/nothing").status == .notFound)
        #expect(try await origin.answer("/uploads/.hidden", method: .put, body: "a").status == .badRequest)
    }

    @Test(arguments: [
        "/mars-photos/api/v1/rovers", "/mars-photos/api/v1/rovers/curiosity/photos?sol=1000",
        "/rss/api/?feed=raw_images&category=mars2020&feedtype=json&sol=1000", "/mars-photos/images/curiosity/1000/NAVCAM-1.jpg",
    ])
    func `Photos and their lists go wrong like other documents`(path: String) async throws {
        let whole = try await makeOrigin().answer(path)

        let failed = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).answer(path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).answer(path)

        #expect(whole.status == .ok && failed.status == .internalServerError)
        #expect(half.body.readableBytes == whole.body.readableBytes / 2)
        #expect(half.headers[.cacheControl] == "no-store")
    }

    @Test func `Each list of photos has its own luck, and what is refused stays refused`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        let paths = (990..<1_010).map { "/mars-photos/api/v1/rovers/curiosity/photos?sol=\($0)" }
        var statuses: [Int] = []

        for path in paths { statuses.append(try await origin.answer(path).status.code) }

        #expect(statuses == paths.map { plan.fault(inRequest: 1, for: $0) == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
        for _ in 1...10 { #expect(try await origin.answer("/mars-photos/api/v1/rovers/nobody").status == .badRequest) }
    }

    @Test func `Asked again, another number decides`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        var statuses: [Int] = []

        for _ in 1...20 { statuses.append(try await origin.answer(Self.documents[2]).status.code) }

        #expect(statuses == (1...20).map { plan.fault(inRequest: $0, for: Self.documents[2]) == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
    }

    @Test func `A hang-up closes the connection in the middle of the body`() async throws {
        let whole = try await makeOrigin().answer(Self.documents[2])
        let origin = try await RunningOrigin(faults: FaultPlan(rate: 1, faults: [.hangup]))

        let answer = try await origin.run { try await Socket.answer(of: $0, to: Self.documents[2]) }

        let parts = answer.split(separator: "\r\n\r\n", maxSplits: 1)
        #expect(parts[0].hasPrefix("HTTP/1.1 200 OK"))
        #expect(parts[0].contains("Content-Length: \(whole.body.readableBytes)"))
        #expect(parts[1].utf8.count == whole.body.readableBytes / 2)
        #expect(origin.counts.endings == [0, 0, 1])
    }

    @Test func `A delay lets the reply come late and whole`() async throws {
        let plan = FaultPlan(rate: 1, faults: [.delay])
        let clock = ManualClock()
        let whole = try await makeOrigin().answer(Self.documents[2])
        let origin = try await RunningOrigin(faults: plan, clock: clock)

        let answer = try await origin.run { address in
            async let answer = Socket.answer(of: address, to: Self.documents[2])
            let start = clock.now
            #expect(start.duration(to: await clock.nextTimer()) == plan.delay(ofRequest: 1, for: Self.documents[2]))
            clock.advance(by: .seconds(4))
            return try await answer
        }

        #expect(answer.hasPrefix("HTTP/1.1 200 OK"))
        #expect(answer.lowercased().contains("connection: close"))
        #expect(answer.hasSuffix(whole.text))
    }

    @Test func `Who does not wait for a late reply ends the wait`() async throws {
        let clock = ManualClock()
        let origin = try await RunningOrigin(faults: FaultPlan(rate: 1, faults: [.delay]), clock: clock)

        try await origin.run { address in
            let request = ByteBuffer(string: "GET \(Self.documents[2]) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            try await Socket.connected(to: address, sending: request) { _, _ in _ = await clock.nextTimer() }
        }

        #expect(origin.counts.endings == [0, 1, 0])
    }
}
