import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    @Test func `A write is sent once with its key, reported at each step, and recorded in a receipt`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response(text: "well"))
        let events = stage.outbox.events()

        try await stage.add("a")
        let told = try await stage.run { await events.descriptionsUntilEnd() }

        #expect(told == ["a waits", "a sending", "a sent"])
        #expect(stage.sent == ["\"a\" on"])
        #expect(stage.executor.requests.first?.method == .put)
        #expect(stage.outbox.entries == [])
        let receipts = try await stage.journal.contents(of: "").receipts
        #expect(receipts.map(\.outcome) == [.sent] && receipts.map(\.responsePrefix) == [Array("well".utf8)])
        #expect(stage.outbox.receipts == receipts)
    }

    @Test func `A write is sent to the current URL of its server and stored with its original URL`() async throws {
        let moved = "http://b.example/v1/deliveries/7/favourite"
        let stage = try await OutboxFixture(resolveURL: { _ in URL(string: moved)! })
        stage.executor.script(moved, .response())
        let events = stage.outbox.events()
        try await stage.add("a")
        let kept = try await stage.journal.contents(of: "").entries

        _ = try await stage.run { await events.descriptionsUntilEnd() }

        #expect(stage.executor.requests.map(\.url.absoluteString) == [moved])
        #expect(kept.map(\.request.url.absoluteString) == [OutboxFixture.url])
    }

    @Test func `A failed write is sent again with the same key after a delay, and the journal records the attempt`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response(status: 503), .failure(BackendError.unreachableHost), .response())
        let events = stage.outbox.events()

        try await stage.run {
            try await stage.add("a")
            try await stage.journal.wait { $0.entries.first?.attempts == 1 }
            #expect(await stage.advanceToNextTimer() == .seconds(1))
            try await stage.journal.wait { $0.entries.first?.lastFailure == "cannot reach a.example" }
            #expect(await stage.advanceToNextTimer() == .seconds(1))
            #expect(
                await events.descriptionsUntilEnd() == [
                    "a waits", "a sending", "a waits 1.0", "a sending", "a waits 1.0", "a sending", "a sent",
                ])
        }

        #expect(stage.sent == ["\"a\" on", "\"a\" on", "\"a\" on"])
    }

    @Test func `A refused write is recorded with the reason, and later writes are sent`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response(status: 403), .response())
        let events = stage.outbox.events()
        try await stage.add("a")
        try await stage.add("b", supersedes: false)

        let told = try await stage.run { await events.descriptionsUntilEnd(of: "b") }

        #expect(told == ["a waits", "b waits", "a sending", "a refused", "b sending", "b sent"])
        guard case .ended(let receipt) = stage.outbox.status(of: try #require(IdempotencyKey(rawValue: "a"))) else {
            Issue.record("it has not ended")
            return
        }
        #expect(receipt.outcome == .refused && receipt.reason == "the server answered 403: /v1/deliveries/7/favourite")
    }

    @Test func `Writes wait while offline, and only the last superseding one is sent afterwards`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response())
        stage.network.setState(.offline)
        let events = stage.outbox.events()

        try await stage.run {
            try await stage.add("a", "on", at: 1)
            try await stage.add("b", "off", at: 2)
            try await stage.add("c", "on", at: 3)
            _ = await events.first(describedAs: "b superseded")
            #expect(stage.outbox.entries.map(\.id.rawValue) == ["c"])
            guard case .waiting(_, .offline) = stage.outbox.status(of: try #require(IdempotencyKey(rawValue: "c"))) else {
                Issue.record("it does not wait for the network")
                return
            }
            stage.network.setState(.metered)
            _ = await events.first(describedAs: "c sent")
        }

        #expect(stage.sent == ["\"c\" on"])
    }

    @Test func `A write in flight at shutdown is sent by the next outbox with the same key`() async throws {
        let stage = try await OutboxFixture()
        let gate = Gate()
        stage.executor.script(OutboxFixture.url, .response(), behind: gate)
        try await stage.add("a")
        try await stage.run { await gate.waitForWaiters(count: 1) }
        #expect(stage.outbox.entries.map(\.id.rawValue) == ["a"])
        #expect(stage.executor.cancelled.count == 1)

        let next = try await OutboxFixture(journal: stage.journal, executor: stage.executor)
        let events = next.outbox.events()
        gate.open()
        _ = try await next.run { await events.descriptionsUntilEnd() }

        #expect(stage.sent == ["\"a\" on", "\"a\" on"])
        #expect(try await stage.journal.contents(of: "").entries == [])
    }

    @Test func `An outbox can run again after it has stopped`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response())
        try await stage.run {}
        try await stage.add("a")
        let events = stage.outbox.events()

        #expect(try await stage.run { await events.descriptionsUntilEnd() } == ["a sending", "a sent"])
    }

    @Test func `Until an outcome is saved, no later write is sent and no event is reported`() async throws {
        let stage = try await OutboxFixture()
        let gate = Gate()
        stage.executor.script(OutboxFixture.url, .response(), behind: gate)
        try await stage.add("a")
        try await stage.add("b", supersedes: false)
        let events = stage.outbox.events()

        try await stage.run {
            await gate.waitForWaiters(count: 1)
            stage.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
            gate.open()
            #expect(await stage.advanceToNextTimer() == .seconds(1))
            #expect(await stage.clock.nextTimer() > stage.clock.now)
            #expect(stage.sent == ["\"a\" on"])
            stage.journal.fail(with: nil)
            _ = await stage.advanceToNextTimer()
            #expect(await events.descriptionsUntilEnd(of: "b") == ["a sending", "a sent", "b sending", "b sent"])
        }

        #expect(stage.sent == ["\"a\" on", "\"b\" on"])
    }

    @Test func `Adding the same write again changes nothing, before and after it is sent and in the next process`() async throws {
        let stage = try await OutboxFixture()
        stage.executor.script(OutboxFixture.url, .response())
        try await stage.add("a")
        try await stage.add("a")
        #expect(stage.outbox.entries.count == 1)
        let events = stage.outbox.events()
        _ = try await stage.run { await events.descriptionsUntilEnd() }

        try await stage.add("a")
        let next = try await OutboxFixture(journal: stage.journal)
        try await next.add("a")

        #expect(stage.outbox.entries == [] && next.outbox.entries == [])
        #expect(stage.sent.count == 1)
        await #expect(throws: OutboxError.keyReused(OutboxScheduleHarness.key("a"))) { try await stage.add("a", "off") }
        await #expect(throws: OutboxError.keyReused(OutboxScheduleHarness.key("a"))) { try await next.add("a", about: "8") }
    }

    @Test func `A rejected write is not stored in the journal`() async throws {
        let stage = try await OutboxFixture(OutboxLimits(entries: 2, requestSize: 100))
        try await stage.add("a", about: "1")
        try await stage.add("b", about: "2")

        await #expect(throws: OutboxError.full(limit: 2)) { try await stage.add("c", about: "3") }
        try await stage.add("b", about: "2")
        await #expect(throws: OutboxError.tooLarge(limit: 100)) { try await stage.add("c", String(repeating: "x", count: 100)) }
        await #expect(throws: OutboxError.containsSecret("Authorization")) {
            try await stage.add("c", headers: [.authorization: "Bearer x"])
        }
        await #expect(throws: OutboxError.containsSecret("the URL")) { try await stage.add("c", url: "http://a.example/?access_token=x") }
        #expect(try await stage.journal.contents(of: "").entries.map(\.id.rawValue) == ["a", "b"])
    }

    @Test func `A write that the journal fails to store is not added and frees its slot`() async throws {
        let stage = try await OutboxFixture(OutboxLimits(entries: 1))
        stage.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { try await stage.add("a") }
        #expect(stage.outbox.entries == [])

        stage.journal.fail(with: nil)
        try await stage.add("a")
        #expect(stage.outbox.entries.count == 1)
    }

    @Test func `Writes of other partitions are not sent`() async throws {
        let journal = MemoryOutboxJournal()
        let yours = try await OutboxFixture(journal: journal, partition: "you")
        try await yours.add("a")
        let mine = try await OutboxFixture(journal: journal, partition: "me")
        mine.executor.script(OutboxFixture.url, .response())
        let events = mine.outbox.events()
        try await mine.add("b")

        _ = try await mine.run { await events.descriptionsUntilEnd() }

        #expect(mine.sent == ["\"b\" on"])
        #expect(try await journal.contents(of: "you").entries.count == 1)
    }

    @Test func `Interceptors add headers that the journal does not store`() async throws {
        struct Bearer: RequestInterceptor {
            func intercept(_ message: RequestMessage, next: (RequestMessage) async throws -> BackendResponse) async throws
                -> BackendResponse
            {
                var message = message
                message.headers[.authorization] = "Bearer secret"
                return try await next(message)
            }
        }
        let stage = try await OutboxFixture(interceptors: [Bearer()])
        stage.executor.script(OutboxFixture.url, .response(status: 500))
        try await stage.add("a")

        try await stage.run { try await stage.journal.wait { $0.entries.first?.attempts == 1 } }

        #expect(stage.executor.requests.map { $0.headers[.authorization] } == ["Bearer secret"])
        #expect(try await stage.journal.contents(of: "").entries.first?.request.headers == [:])
    }

    @Test func `An expired write is reported when the outbox starts`() async throws {
        let stage = try await OutboxFixture()
        try await stage.add("a")
        let next = try await OutboxFixture(journal: stage.journal, now: OutboxFixture.day + 15 * 86_400)
        let events = next.outbox.events()

        #expect(try await next.run { await events.descriptionsUntilEnd() } == ["a expired"])
        #expect(next.sent == [])
    }

    @Test func `A key is generated when none is given`() async throws {
        let stage = try await OutboxFixture()
        let request = OutboxRequest(url: try #require(URL(string: OutboxFixture.url)))

        let keys = [
            try await stage.outbox.add(request, changing: "7", at: OutboxFixture.day),
            try await stage.outbox.add(request, changing: "7", at: OutboxFixture.day),
        ]

        #expect(keys[0] != keys[1])
        #expect(stage.outbox.entries.map(\.id) == keys)
    }

    @Test(arguments: ["", "a b", "\"", "ü", "a\\", String(repeating: "a", count: 256)]) func `An invalid text is no idempotency key`(
        text: String
    ) {
        #expect(IdempotencyKey(rawValue: text) == nil)
    }
}
