import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing
@testable import Origin

@Suite("Original faults of deliveries", .timeLimit(.minutes(10)))
struct OriginalFaultsTests {
    @Test(arguments: [
        (0, 20, Array(0...19)), (20, 20, Array(19...38)), (40, 20, Array(38...57)), (15, 10, [15, 16, 17, 18, 19, 19, 20, 21, 22, 23]),
        (100, 20, Array(95...99)), (104, 20, [99]), (105, 20, []), (Int.max, 1_000, []),
    ])
    func `Every twentieth row repeats the one before and no id is missing`(offset: Int, limit: Int, ids: [Int]) {
        let page = DeliveryPage(offset: offset, limit: limit)

        #expect(FaultyDeliveries.ids(page, of: 100) == ids)
    }

    @Test func `Every request for a page gets other content for the same ids`() {
        let demo = DemoDeliveries(count: 100, seed: 1)
        let (one, other) = (FaultyDeliveries(demo, plan: .original), FaultyDeliveries(demo, plan: .original))
        let page = DeliveryPage(offset: 0, limit: 20)

        let rows = (1...3).map { _ in one.rows(page, of: .original) }

        #expect(rows.map { $0.map(\.id) } == Array(repeating: Array(0..<20), count: 3))
        #expect(rows[0] != rows[1] && rows[1] != rows[2] && rows[0] != rows[2])
        #expect(rows == (1...3).map { _ in other.rows(page, of: .original) })
        #expect(rows.allSatisfy { $0.map(\.key) == demo.ids.prefix(20).map { demo.delivery($0).key } })
    }

    @Test(arguments: ["/deliveries", "/v1/deliveries", "/v2/deliveries"])
    func `One page in nine fails, each is delayed and none is cacheable`(list: String) async throws {
        let plan = FaultPlan.original
        let clock = ImmediateClock()
        let origin = try await makeOrigin(faults: plan, clock: clock)
        let path = "\(list)?offset=0&limit=20"
        var responses: [TestResponse] = []

        for _ in 1...60 { responses.append(try await origin.response(to: path)) }

        let expected = (1...60).map { plan.fault(inRequest: $0, for: path) == nil ? 200 : 500 }
        #expect(responses.map(\.status.code) == expected)
        #expect((3...12).contains(expected.count { $0 == 500 }))
        #expect(clock.sleepDurations == (1...60).map { plan.delay(ofRequest: $0, for: path) })
        #expect(responses.allSatisfy { $0.headers[.connection] == "close" })
        #expect(
            responses.filter { $0.status == .ok }.allSatisfy { $0.headers[.cacheControl] == "no-store" && $0.headers[.lastModified] == nil }
        )
        #expect(Set(responses.filter { $0.status == .ok }.map(\.text)).count == expected.count { $0 == 200 })
    }

    @Test func `Favourites stay while all other content changes`() async throws {
        let origin = try await makeOrigin(faults: .original, clock: ImmediateClock())
        let body = #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#
        _ = try await origin.response(
            to: "/v1/deliveries/3/favourite", method: .put, headers: [.contentType: "application/json", .idempotencyKey: "a"], body: body)

        let rows = try await firstPage(of: origin)

        #expect(rows.filter { $0.favourite == true }.map(\.id) == [3])
    }

    @Test(arguments: [
        "/swift-concurrency/orders.plist", "/swift-concurrency/order-1.xml", "/deliveries/pictures/wine-1.svg",
        "/v1/deliveries/1/favourite",
        "/uploads/a.txt",
    ])
    func `Other documents have no faults`(path: String) async throws {
        let clock = ImmediateClock()
        let origin = try await makeOrigin(faults: .original, clock: clock)
        if path.hasPrefix("/uploads") { _ = try await origin.response(to: path, method: .put, body: "a") }
        var statuses: Set<Int> = []

        for _ in 1...60 { statuses.insert(try await origin.response(to: path).status.code) }

        #expect(statuses == [200])
        #expect(clock.sleepDurations.isEmpty)
    }

    /// Returns the first successful page of up to 20 attempts.
    private func firstPage(of origin: OriginServer) async throws -> [DeliveryRow] {
        for _ in 1...20 {
            let response = try await origin.response(to: "/v1/deliveries?offset=0&limit=20")
            if response.status == .ok { return try response.decoded() }
        }
        return []
    }
}

@Suite("Faults of deliveries", .timeLimit(.minutes(10)))
struct DeliveryFaultsTests {
    private static let pages = ["/deliveries?offset=0&limit=20", "/v1/deliveries?offset=0&limit=20", "/v2/deliveries?offset=0&limit=20"]

    @Test(arguments: pages + ["/deliveries/pictures/wine-1.svg"])
    func `Delivery documents have faults like other documents`(path: String) async throws {
        let whole = try await makeOrigin().response(to: path)

        let failed = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).response(to: path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).response(to: path)
        let bad = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.malformed])).response(to: path)

        #expect(failed.status == .internalServerError)
        #expect(half.body.readableBytes == whole.body.readableBytes / 2 && whole.text.hasPrefix(half.text))
        #expect(bad.body.readableBytes == whole.body.readableBytes && bad.text != whole.text)
        #expect(half.headers[.cacheControl] == "no-store" && half.headers[.eTag] == nil)
    }

    @Test func `Faults are drawn separately for each page`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        let offsets = Array(0..<20)
        var statuses: [Int] = []

        for offset in offsets { statuses.append(try await origin.response(to: "/deliveries?offset=\(offset)&limit=1").status.code) }

        #expect(statuses == offsets.map { plan.fault(inRequest: 1, for: "/deliveries?offset=\($0)&limit=1") == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
    }

    @Test func `An invalid request is still refused`() async throws {
        let response = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).response(to: "/deliveries?offset=0")

        #expect(response.status == .badRequest)
    }

    @Test func `A favourite is stored before its response fails and a retry gets the same response`() async throws {
        let origin = try await makeOrigin(faults: FaultPlan(rate: 0.5, faults: [.serverError], seed: 3))
        let path = "/v1/deliveries/3/favourite"
        let fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: "a"]
        var statuses: [Int] = []
        var reported: [Bool] = []

        for _ in 1...10 {
            let body = #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#
            statuses.append(try await origin.response(to: path, method: .put, headers: fields, body: body).status.code)
            reported.append(try await origin.response(to: path).text.contains("\"favourite\":true"))
        }

        #expect(Set(statuses) == [200, 500])
        #expect(reported.allSatisfy { $0 })
        let plan = FaultPlan(rate: 0.5, faults: [.serverError], seed: 3)
        #expect(statuses == (1...10).map { plan.fault(inRequest: $0, for: path) == nil ? 200 : 500 })
    }
}
