import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingOperations
import LadingTesting
import NIOCore
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

    // MARK: Access

    private static let people: [(role: String?, status: Int, alternative: String?)] = [
        (nil, 303, "/sign-in"), ("courier", 303, "/orders"), ("dispatcher", 200, nil),
    ]

    /// Returns a window at which people sign in.
    private func window(host: String, role: String? = nil) async throws -> WindowServer {
        let executor = ScriptedExecutor()
        executor.script("http://a.org/api/v1/me", .response(text: #"{"id":"ada","name":"Ada","role":"\#(role ?? "")"}"#))
        return try await WindowServer(executor: executor, host: host, hasAccounts: true)
    }

    private func get(_ path: String, _ headers: HTTPFields = [:], from server: WindowServer) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    @Test(arguments: people)
    func `Where people sign in from other machines, dispatchers see the operations`(
        role: String?, status: Int, alternative: String?
    ) async throws {
        let server = try await window(host: "0.0.0.0", role: role)
        let headers: HTTPFields = role == nil ? [:] : [.cookie: "token=secret"]

        let page = try await get("/operations", headers, from: server)

        #expect(page.status.code == status && page.headers[.location] == alternative)
        guard alternative != nil else { return }
        let stream = try await get("/operations/events", headers, from: server)
        #expect(stream.status == .unauthorized)
    }

    @Test(arguments: [nil, "Forwarded", "X-Forwarded-For"])
    func `At this machine everybody sees the operations, and clients of a proxy do not`(field: String?) async throws {
        let server = try await window(host: "127.0.0.1")
        var headers: HTTPFields = [:]
        if let field { headers[try #require(HTTPField.Name(field))] = "192.0.2.1" }

        let page = try await get("/operations", headers, from: server)
        let start = try await get("/", headers, from: server)

        #expect(page.status == (field == nil ? .ok : .seeOther))
        #expect(start.text.contains(#"href="/operations""#) == (field == nil))
    }

    @Test func `A stream beyond the limit of pages is refused`() async throws {
        let server = try await WindowServer(executor: ScriptedExecutor(), pages: 1)

        try await server.application.test(.router) { client in
            let page = try await client.execute(
                uri: "/windows", method: .post, headers: [.contentType: "application/json"],
                body: ByteBuffer(string: #"{"screen":"orders"}"#))
            let stream = try await client.execute(uri: "/operations/events", method: .get)

            #expect(page.status == .created && stream.status == .serviceUnavailable)
        }
    }

    // MARK: Updates

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

    @Test(arguments: Language.allCases) func `Every outcome has a distinct text and a sentence that explains it`(language: Language) {
        let texts = Texts(language)

        #expect(Set(texts.outcomes.map(\.text)).count == TracedDecision.Outcome.allCases.count)
        #expect(Set(texts.reasons.map(\.state)) == Set(TracedDecision.Outcome.allCases.map(\.rawValue)))
        // Interrupted work was cancelled.
        #expect(Set(texts.reasons.map(\.text)).count == texts.reasons.count - 1)
    }

    private static let sentences: [(outcome: String, reason: Int, sentence: String)] = [
        ("queued", 1, "Queued: waits for a free slot"), ("queued", 5, "Started again: the running one was too old."),
        ("joined", 1, "Shared: an equal request is already queued or running."), ("checking", 8, "Checking: its conditions must hold"),
        ("paused", 9, "Paused until resumed."), ("excluded", 9, "Waiting: another operation of its group is running."),
        ("started", 2, "Started: visible rows first"), ("awaitingRetry", 7, "Waiting: the attempt failed and will be repeated."),
        ("interrupted", 1, "Cancelled: scrolled out of view, or no longer needed."), ("succeeded", 1, "Done."),
        ("failed", 7, "Failed: "), ("cancelled", 1, "Cancelled: scrolled out of view, or no longer needed."),
        ("dependencyFailed", 8, "Not run: an operation that it depends on failed."),
        ("expired", 9, "Failed: not finished before its deadline."), ("cacheHit", 4, "From cache: no request was needed."),
    ]

    @Test(arguments: sentences)
    func `The sentence for a decision depends on its outcome and reason`(outcome: String, reason: Int, sentence: String) {
        let found = Texts(.english).reasons.filter { $0.state == outcome && $0.number == "\(reason)" }

        #expect(found.count == 1)
        #expect(found.first?.text.hasPrefix(sentence) == true)
    }

    @Test func `Each decision of a queue is explained`() {
        struct Broken: Error {}
        let executor = ManualTaskExecutor()
        let queue = BackendQueue(executor: executor)
        let key = OperationKey(verb: "GET", subject: "x")
        let download = BackendOperation<Int>("download", key: key, lane: .cpu) { throw Broken() }
        let rules = OperationRules(conditions: [OperationCondition("always") {}])
        let checked = BackendOperation("checked", lane: .cpu, rules: rules) { 1 }
        let paused = BackendOperation("paused", lane: .cpu) { 1 }

        queue.submit(BackendOperation("parse", lane: .cpu, after: download) { $0 }, priority: .visible)
        queue.submit(BackendOperation<Int>("again", key: key, lane: .cpu) { 1 }, priority: .visible)
        queue.submit(checked, priority: .visible)
        paused.pause()
        queue.submit(paused, priority: .visible)
        queue.recordCacheHits(["Row 1"])
        executor.runAll()
        paused.cancel()
        let rows = queue.trace().map { Texts(.english).row(of: $0) }
        let reasons = Dictionary(grouping: Texts(.english).reasons) { $0.state }

        for row in rows { #expect(reasons[row.state]?.contains { $0.text == row.reason } == true, "\(row.state)") }
        #expect(
            Set(rows.map(\.state)).isSuperset(
                of: [
                    "queued", "joined", "checking", "paused", "started", "failed", "dependencyFailed", "succeeded", "cancelled", "cacheHit",
                ]))
    }
}
