import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingOperations
import LadingTesting
import Testing

@testable import Window

/// What the page of operations is told.
@Suite struct OperationRoutesTests {
    private struct News: Decodable {
        struct Decision: Decodable {
            let number: Int
            let operation: String
            let outcome: String
            let law: Int
        }

        let decisions: [Decision]
        let missing: Int
    }

    private func news(_ decisions: [TracedDecision], missing: Int = 0, lanes: [LaneStatus] = []) throws -> News {
        try JSONDecoder().decode(
            News.self, from: Data(JSONText(encoding: OperationNews(decisions, missing: missing, lanes: lanes)).text.utf8))
    }

    @Test(arguments: [
        (-1, Int?.none, 0), (0, nil, 0), (.min, nil, 0), (.max, nil, 0), (-1, 5, 0), (.min, 5, 0), (0, 5, 1), (4, 5, 5), (5, 5, 6),
        (6, 5, 0), (.max, 5, 0),
    ])
    func `Any reported decision leads to a decision that there is or to the next one`(last: Int, latest: Int?, first: Int) {
        #expect(OperationRoutes.firstNumber(after: last, latest: latest) == first)
    }

    @Test func `A page without scripts tells the latest decisions first, in the language of its reader`() async throws {
        let executor = ScriptedExecutor()
        executor.script("http://a.org/orders.plist", .reply(text: Wire.list([("1", "http://a.org/<b>.xml")])))
        executor.script("http://a.org/items.plist", .reply(status: .notFound))
        let server = try await WindowServer(showing: executor)

        let page = try await server.application.test(.router) { client in
            _ = try await client.execute(uri: "/orders", method: .get)
            return try await client.execute(uri: "/operations", method: .get, headers: [.acceptLanguage: "de"])
        }

        let text = page.text
        #expect(page.status == .ok)
        let list = text.matches(of: #/<td><bdi>GET http://a.org/orders.plist</bdi></td><td>([^<]+)</td>/#).map { String($0.output.1) }
        #expect(list == ["gelungen", "gestartet", "eingereiht"])
        #expect(!text.contains("<b>"))
        // It changes ten times a second: nobody could listen to it.
        #expect(text.contains(#"<output id="now" for="position" aria-live="off">"#))
    }

    @Test func `Decisions are told with their numbers, and that some are missing`() throws {
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        queue.submit(BackendOperation("say \"hello\"", lane: .cpu) { 1 }, priority: .visible)
        executor.runAll()

        let news = try news(queue.trace(from: 1), missing: 1, lanes: queue.lanes)

        #expect(news.decisions.map(\.number) == [1, 2])
        #expect(news.decisions.map(\.outcome) == ["started", "succeeded"])
        #expect(news.decisions.map(\.operation) == ["say \"hello\"", "say \"hello\""])
        #expect(news.missing == 1)
    }

    @Test func `Lanes tell their slots and who has them`() {
        let queue = BackendQueue(lanes: LanePlan(network: LaneLimits(width: 1)), executor: ManualTaskExecutor())
        for index in 0..<3 { queue.submit(BackendOperation("\(index)", lane: .network("a.org")) { index }, priority: .visible) }

        #expect(queue.lanes.map(\.lane) == [.network("a.org")])
        #expect(queue.lanes.map(\.limits) == [LaneLimits(width: 1)])
        #expect(queue.lanes.map(\.running) == [1])
        #expect(queue.lanes.map(\.waiting) == [2])
    }

    @Test(arguments: Language.allCases) func `Every law and every outcome has a text of its own`(language: Language) {
        let texts = Texts(language)

        #expect(Set(texts.laws.map(\.text)).count == Law.allCases.count)
        #expect(Set(texts.outcomes.map(\.text)).count == TracedDecision.Outcome.allCases.count)
    }
}
