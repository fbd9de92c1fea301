import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import LadingTesting
import Testing

@testable import Origin

@Suite("Deliveries as they once were", .timeLimit(.minutes(10)))
struct OriginalFaultsTests {
    @Test(arguments: [
        (0, 20, Array(0...19)), (20, 20, Array(19...38)), (40, 20, Array(38...57)), (15, 10, [15, 16, 17, 18, 19, 19, 20, 21, 22, 23]),
        (100, 20, Array(95...99)), (104, 20, [99]), (105, 20, []), (Int.max, 1_000, []),
    ])
    func `Every twentieth place repeats the one before, and no id is left out`(offset: Int, limit: Int, ids: [Int]) {
        let page = DeliveryPage(offset: offset, limit: limit)

        #expect(RestlessDeliveries.ids(page, of: 100) == ids)
    }

    @Test func `Every request for a page gets other content for the same ids`() {
        let demo = DemoDeliveries(count: 100, seed: 1)
        let (one, other) = (RestlessDeliveries(demo, plan: .original), RestlessDeliveries(demo, plan: .original))
        let page = DeliveryPage(offset: 0, limit: 20)

        let rows = (1...3).map { _ in one.rows(page, of: .original) }

        #expect(rows.map { $0.map(\.id) } == Array(repeating: Array(0..<20), count: 3))
        #expect(rows[0] != rows[1] && rows[1] != rows[2] && rows[0] != rows[2])
        #expect(rows == (1...3).map { _ in other.rows(page, of: .original) })
        #expect(rows.allSatisfy { $0.map(\.key) == demo.ids.prefix(20).map { demo.delivery($0).key } })
    }

    @Test(arguments: ["/deliveries", "/v1/deliveries", "/v2/deliveries"])
    func `One page in nine fails, each is late, and nobody keeps one`(list: String) async throws {
        let plan = FaultPlan.original
        let clock = SkippingClock()
        let origin = try await makeOrigin(faults: plan, clock: clock)
        let path = "\(list)?offset=0&limit=20"
        var answers: [TestResponse] = []

        for _ in 1...60 { answers.append(try await origin.answer(path)) }

        let expected = (1...60).map { plan.fault(inRequest: $0, for: path) == nil ? 200 : 500 }
        #expect(answers.map(\.status.code) == expected)
        #expect((3...12).contains(expected.count { $0 == 500 }))
        #expect(clock.slept == (1...60).map { plan.delay(ofRequest: $0, for: path) })
        #expect(answers.allSatisfy { $0.headers[.connection] == "close" })
        #expect(
            answers.filter { $0.status == .ok }.allSatisfy { $0.headers[.cacheControl] == "no-store" && $0.headers[.lastModified] == nil })
        #expect(Set(answers.filter { $0.status == .ok }.map(\.text)).count == expected.count { $0 == 200 })
    }

    @Test func `Favourites stay what they are while all else changes`() async throws {
        let origin = try await makeOrigin(faults: .original, clock: SkippingClock())
        let mark = #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#
        _ = try await origin.answer(
            "/v1/deliveries/3/favourite", method: .put, headers: [.contentType: "application/json", .idempotencyKey: "a"], body: mark)

        let rows = try await firstPage(of: origin)

        #expect(rows.filter { $0.favourite == true }.map(\.id) == [3])
    }

    @Test(arguments: [
        "/swift-concurrency/orders.plist", "/swift-concurrency/order-1.xml", "/deliveries/pictures/wine-1.svg",
        "/v1/deliveries/1/favourite",
        "/uploads/a.txt",
    ])
    func `Nothing else goes wrong`(path: String) async throws {
        let clock = SkippingClock()
        let origin = try await makeOrigin(faults: .original, clock: clock)
        if path.hasPrefix("/uploads") { _ = try await origin.answer(path, method: .put, body: "a") }
        var statuses: Set<Int> = []

        for _ in 1...60 { statuses.insert(try await origin.answer(path).status.code) }

        #expect(statuses == [200])
        #expect(clock.slept.isEmpty)
    }

    /// The first of several answers that is none of the failures.
    private func firstPage(of origin: OriginServer) async throws -> [DeliveryRow] {
        for _ in 1...20 {
            let answer = try await origin.answer("/v1/deliveries?offset=0&limit=20")
            if answer.status == .ok { return try answer.decoded() }
        }
        return []
    }
}

@Suite("Faults of deliveries", .timeLimit(.minutes(10)))
struct DeliveryFaultsTests {
    private static let pages = ["/deliveries?offset=0&limit=20", "/v1/deliveries?offset=0&limit=20", "/v2/deliveries?offset=0&limit=20"]

    @Test(arguments: pages + ["/deliveries/pictures/wine-1.svg"])
    func `They go wrong like other documents`(path: String) async throws {
        let whole = try await makeOrigin().answer(path)

        let failed = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).answer(path)
        let half = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.truncate])).answer(path)
        let bad = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.malformed])).answer(path)

        #expect(failed.status == .internalServerError)
        #expect(half.body.readableBytes == whole.body.readableBytes / 2 && whole.text.hasPrefix(half.text))
        #expect(bad.body.readableBytes == whole.body.readableBytes && bad.text != whole.text)
        #expect(half.headers[.cacheControl] == "no-store" && half.headers[.eTag] == nil)
    }

    @Test func `Each page has its own luck`() async throws {
        let plan = FaultPlan(rate: 0.5, faults: [.serverError])
        let origin = try await makeOrigin(faults: plan)
        let offsets = Array(0..<20)
        var statuses: [Int] = []

        for offset in offsets { statuses.append(try await origin.answer("/deliveries?offset=\(offset)&limit=1").status.code) }

        #expect(statuses == offsets.map { plan.fault(inRequest: 1, for: "/deliveries?offset=\($0)&limit=1") == nil ? 200 : 500 })
        #expect(Set(statuses) == [200, 500])
    }

    @Test func `What is asked for wrongly is still refused`() async throws {
        let answer = try await makeOrigin(faults: FaultPlan(rate: 1, faults: [.serverError])).answer("/deliveries?offset=0")

        #expect(answer.status == .badRequest)
    }

    @Test func `A favourite is set before the reply goes wrong, and the reply is the same once it does not`() async throws {
        let origin = try await makeOrigin(faults: FaultPlan(rate: 0.5, faults: [.serverError], seed: 3))
        let path = "/v1/deliveries/3/favourite"
        let fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: "a"]
        var statuses: [Int] = []
        var told: [Bool] = []

        for _ in 1...10 {
            let body = #"{"favourite": true, "at": "2026-05-15T11:00:00Z"}"#
            statuses.append(try await origin.answer(path, method: .put, headers: fields, body: body).status.code)
            told.append(try await origin.answer(path).text.contains("\"favourite\":true"))
        }

        #expect(Set(statuses) == [200, 500])
        #expect(told.allSatisfy { $0 })
        let plan = FaultPlan(rate: 0.5, faults: [.serverError], seed: 3)
        #expect(statuses == (1...10).map { plan.fault(inRequest: $0, for: path) == nil ? 200 : 500 })
    }
}
