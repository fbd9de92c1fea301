import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingOperations
import LadingTesting
import Testing

@testable import Window

/// The operations page and its updates.
@Suite struct OperationRoutesTests {
    private struct Update: Decodable {
        struct Decision: Decodable {
            let number: Int
            let operation: String
            let outcome: String
            let reason: Int
        }

        let decisions: [Decision]
        let missing: Int
    }

    private func update(_ decisions: [TracedDecision], missing: Int = 0, lanes: [LaneStatus] = []) throws -> Update {
        try JSONDecoder().decode(
            Update.self, from: Data(JSONText(encoding: OperationUpdate(decisions, missing: missing, lanes: lanes)).text.utf8))
    }

    @Test(arguments: [
        (-1, Int?.none, 0), (0, nil, 0), (.min, nil, 0), (.max, nil, 0), (-1, 5, 0), (.min, 5, 0), (0, 5, 1), (4, 5, 5), (5, 5, 6),
        (6, 5, 0), (.max, 5, 0),
    ])
    func `Any reported number leads to an existing decision or to the next one`(last: Int, latest: Int?, first: Int) {
        #expect(OperationRoutes.firstNumber(after: last, latest: latest) == first)
    }

    @Test func `A plain page lists the latest decisions first, in the preferred language`() async throws {
        let executor = ScriptedExecutor()
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/<b>.xml")])))
        executor.script("http://a.org/items.plist", .response(status: .notFound))
        let server = try await WindowServer(executor: executor)

        let page = try await server.application.test(.router) { client in
            _ = try await client.execute(uri: "/orders", method: .get)
            return try await client.execute(uri: "/operations", method: .get, headers: [.acceptLanguage: "de"])
        }

        let text = page.text
        #expect(page.status == .ok)
        let list = text.matches(of: #/<td><bdi>GET http://a.org/orders.plist</bdi></td><td>([^<]+)</td>/#).map { String($0.output.1) }
        #expect(list == ["erfolgreich", "gestartet", "eingereiht"])
        #expect(!text.contains("<b>"))
        // The text changes ten times per second, too often to be announced.
        #expect(text.contains(#"<output id="position-text" for="position" aria-live="off">"#))
    }

    @Test func `An update contains numbered decisions and the count of missing ones`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        queue.submit(BackendOperation("say \"hello\"", lane: .cpu) { 1 }, priority: .visible)
        executor.runAll()

        let update = try update(queue.trace(from: 1), missing: 1, lanes: queue.lanes)

        #expect(update.decisions.map(\.number) == [1, 2])
        #expect(update.decisions.map(\.outcome) == ["started", "succeeded"])
        #expect(update.decisions.map(\.operation) == ["say \"hello\"", "say \"hello\""])
        #expect(update.missing == 1)
    }

    @Test func `Lanes report their limits and their running and waiting operations`() {
        let queue = BackendQueue(lanes: LaneConfiguration(network: LaneLimits(width: 1)), executor: ManualTaskExecutor())
        for index in 0..<3 { queue.submit(BackendOperation("\(index)", lane: .network("a.org")) { index }, priority: .visible) }

        #expect(queue.lanes.map(\.lane) == [.network("a.org")])
        #expect(queue.lanes.map(\.limits) == [LaneLimits(width: 1)])
        #expect(queue.lanes.map(\.running) == [1])
        #expect(queue.lanes.map(\.waiting) == [2])
    }

    @Test(arguments: Language.allCases) func `Every reason and every outcome has a distinct text`(language: Language) {
        let texts = Texts(language)

        #expect(Set(texts.reasons.map(\.text)).count == SchedulingReason.allCases.count)
        #expect(Set(texts.outcomes.map(\.text)).count == TracedDecision.Outcome.allCases.count)
    }
}
