import Foundation
import HTTPTypes
import Hummingbird
import OrderLifecycle
import OrderStorage
import OrderStorageSQLite
import Testing

@testable import OrderAPI

// Reports of couriers, and their limits.
extension CommandTests {
    @Test func `A pick-up with a stale fence is a report, which a dispatcher accepts`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        try await fixture.send(.post, "\(path)/reassign", as: ada, body: #"{"courier":"jonas"}"#)

        let report = try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "1")
        let attention = try await fixture.send(.get, "orders?scope=attention", as: ada)
        let accepted = try await fixture.send(.post, "\(path)/accept", as: ada, body: #"{"report":1}"#)

        #expect(report.status == 202)
        #expect(report["outcome"] as? String == "reported" && report["cause"] as? String == "staleFence")
        #expect(attention.titles == ["Breakfast"])
        #expect(accepted["state"] as? String == "pickedUp")
    }

    @Test func `A courier with many reports that wait for a dispatcher gets a final problem`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        try await fixture.send(.post, "\(path)/reassign", as: ada, body: #"{"courier":"jonas"}"#)
        func pickUp(without item: Int) async throws -> APIResponse {
            try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "1", body: #"{"missingItems":["\#(item)"]}"#)
        }

        for item in 1...OrderReport.limitPerPerson { #expect(try await pickUp(without: item).status == 202) }
        let repeated = try await pickUp(without: 7)
        let refused = try await pickUp(without: 0)

        #expect(repeated.status == 202 && repeated["report"] as? Int == 7)
        #expect(refused.status == 409 && refused.problem == "too-many-reports" && refused.isFinal == true)
        let history = try await fixture.send(.get, "\(path)/history", as: ada)
        #expect((history["reports"] as? [Any])?.count == OrderReport.limitPerPerson && history["omittedReports"] as? Int == 0)
    }

    @Test func `A courier who has had the order many times gets a final problem`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        for number in 1...OrderLifecycle.claimLimit {
            try await fixture.send(.post, "\(path)/claim", as: mina)
            try await fixture.send(.post, "\(path)/release", as: mina, fence: "\(2 * number - 1)")
        }

        let refused = try await fixture.send(.post, "\(path)/claim", as: mina)

        #expect(refused.status == 409 && refused.problem == "too-many-claims" && refused.isFinal == true)
        #expect(try await fixture.send(.post, "\(path)/claim", as: jonas).status == 200)
    }

    @Test func `Missing items are ids of items, each once, also of those that the order no longer has`() async throws {
        let fixture = try await OrderAPIFixture()
        let path = try await fixture.createOrder()
        try await fixture.send(.post, "\(path)/claim", as: mina)
        func pickUp(without items: [String]) async throws -> APIResponse {
            let body = String(decoding: try JSONEncoder().encode(["missingItems": items]), as: UTF8.self)
            return try await fixture.send(.post, "\(path)/pick-up", as: mina, fence: "1", body: body)
        }

        for items in [["milk"], ["-3"], [""], [String(repeating: "1", count: 20)], (0...500).map { "\($0)" }] {
            let refused = try await pickUp(without: items)
            #expect(refused.status == 400 && refused["field"] as? String == "missingItems" && refused.isFinal == true)
        }
        #expect(try await pickUp(without: ["3", "9223372036854775807", "3"]).status == 200)

        let history = try await fixture.send(.get, "\(path)/history", as: ada)
        let event = (history["events"] as? [[String: Any]])?.last
        #expect(event?["missingItems"] as? [String] == ["3", "9223372036854775807"])
    }
}
