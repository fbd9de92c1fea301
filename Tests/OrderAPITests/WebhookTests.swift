import HTTPTypes
import OrderLifecycle
import Testing

@testable import OrderAPI

@Suite("API: the state of the webhook")
struct WebhookTests {
    private let start = OrderAPIFixture.start

    private func fixture(_ monitor: WebhookMonitor?) async throws -> OrderAPIFixture {
        var settings = OrderAPI.Settings()
        settings.webhook = monitor
        return try await OrderAPIFixture(settings)
    }

    @Test func `A dispatcher reads since when events wait, why, and which were abandoned`() async throws {
        let monitor = WebhookMonitor(url: "https://shop.example/")
        monitor.recordWaiting("e-5", since: start + .seconds(5))
        monitor.recordWaiting("e-4", since: start)
        monitor.recordSuccess(of: "e-3", at: start + .seconds(1))
        monitor.recordFailure("the server responded with 500", .status(500), of: "e-4", at: start + .seconds(6))
        monitor.record(WebhookMonitor.AbandonedEvent(id: "e-2", order: 7, reason: "gone", time: start + .seconds(2)))
        monitor.record(WebhookMonitor.AbandonedEvent(id: "start-e-1", order: nil, reason: "gone", time: start))

        let response = try await fixture(monitor).send(.get, "webhook", as: OrderAPIFixture.ada)

        #expect(response.status == 200 && response["pending"] as? Int == 2)
        #expect(response["pendingSince"] as? String == "2026-05-15T12:00:00.000Z")
        #expect(response["lastSuccess"] as? String == "2026-05-15T12:00:01.000Z")
        let failure = try #require(response["failure"] as? [String: Any])
        #expect(failure["cause"] as? String == "status" && failure["status"] as? Int == 500)
        #expect(failure["since"] as? String == "2026-05-15T12:00:06.000Z")
        let abandoned = try #require(response["abandoned"] as? [[String: Any]])
        #expect(abandoned.map { $0["order"] as? Int } == [7, nil])
    }

    @Test func `Couriers do not read it, and a server without a webhook has none`() async throws {
        #expect(try await fixture(WebhookMonitor(url: "")).send(.get, "webhook", as: OrderAPIFixture.mina).status == 403)
        #expect(try await fixture(nil).send(.get, "webhook", as: OrderAPIFixture.ada).problem == "webhook-unknown")
    }

    @Test func `A failure lasts until each event that failed is accepted or abandoned`() {
        let monitor = WebhookMonitor(url: "")
        for event in ["a", "b"] { monitor.recordWaiting(event, since: start) }

        let isFirst = ["a", "b", "a"].map { monitor.recordFailure($0, .unreachable, of: $0, at: start) }
        let isLast = monitor.recordSuccess(of: "a", at: start)
        let between = monitor.status
        monitor.record(WebhookMonitor.AbandonedEvent(id: "b", order: nil, reason: "", time: start))

        #expect(isFirst == [true, false, false] && !isLast)
        #expect(between.pending == 1 && between.failure?.reason == "a" && between.failure?.cause == .unreachable)
        #expect(monitor.status.pending == 0 && monitor.status.pendingSince == nil && monitor.status.failure == nil)
    }

    @Test func `An event that could not be stored does not wait`() {
        let monitor = WebhookMonitor(url: "")
        monitor.recordWaiting("a", since: start)

        monitor.removeWaiting("a")

        #expect(monitor.status.pending == 0 && monitor.status.pendingSince == nil)
    }
}
