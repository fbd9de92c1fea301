import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Testing

@testable import LadingHTTP

@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    @Test func `A write is sent once with its key, told step by step, and remembered`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply(text: "well"))
        let events = stage.outbox.events()

        try await stage.add("a")
        let told = try await stage.run { await events.untilEnd() }

        #expect(told == ["a waits", "a sending", "a sent"])
        #expect(stage.sent == ["\"a\" on"])
        #expect(stage.executor.requests.first?.method == .put)
        #expect(stage.outbox.entries == [])
        let receipts = try await stage.journal.contents(of: "").receipts
        #expect(receipts.map(\.outcome) == [.sent] && receipts.map(\.answer) == [Array("well".utf8)])
        #expect(stage.outbox.receipts == receipts)
    }

    @Test func `A write goes where its server is today, and is remembered as it was added`() async throws {
        let moved = "http://b.example/v1/deliveries/7/favourite"
        let stage = try await OutboxStage(address: { _ in URL(string: moved)! })
        stage.executor.script(moved, .reply())
        let events = stage.outbox.events()
        try await stage.add("a")
        let kept = try await stage.journal.contents(of: "").entries

        _ = try await stage.run { await events.untilEnd() }

        #expect(stage.executor.requests.map(\.url.absoluteString) == [moved])
        #expect(kept.map(\.request.url.absoluteString) == [OutboxStage.url])
    }

    @Test func `What fails is sent again with the same key after a pause, which the journal knows`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply(status: 503), .failure(BackendError.away), .reply())
        let events = stage.outbox.events()

        try await stage.run {
            try await stage.add("a")
            try await stage.journal.until { $0.entries.first?.attempts == 1 }
            #expect(await stage.pass() == .seconds(1))
            try await stage.journal.until { $0.entries.first?.lastFailure == "cannot reach a.example" }
            #expect(await stage.pass() == .seconds(1))
            #expect(
                await events.untilEnd() == [
                    "a waits", "a sending", "a waits 1.0", "a sending", "a waits 1.0", "a sending", "a sent",
                ])
        }

        #expect(stage.sent == ["\"a\" on", "\"a\" on", "\"a\" on"])
    }

    @Test func `A refusal is told with what the server said, and others go on`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply(status: 403), .reply())
        let events = stage.outbox.events()
        try await stage.add("a")
        try await stage.add("b", supersedes: false)

        let told = try await stage.run { await events.untilEnd(of: "b") }

        #expect(told == ["a waits", "b waits", "a sending", "a refused", "b sending", "b sent"])
        guard case .ended(let receipt) = stage.outbox.standing(of: try #require(IdempotencyKey(rawValue: "a"))) else {
            Issue.record("it has not ended")
            return
        }
        #expect(receipt.outcome == .refused && receipt.reason == "the server answered 403: /v1/deliveries/7/favourite")
    }

    @Test func `Without a network it waits visibly, and only the last word is sent when there is one`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply())
        stage.network.become(.offline)
        let events = stage.outbox.events()

        try await stage.run {
            try await stage.add("a", "on", at: 1)
            try await stage.add("b", "off", at: 2)
            try await stage.add("c", "on", at: 3)
            _ = await events.first("b superseded")
            #expect(stage.outbox.entries.map(\.id.rawValue) == ["c"])
            guard case .waiting(_, .network) = stage.outbox.standing(of: try #require(IdempotencyKey(rawValue: "c"))) else {
                Issue.record("it does not wait for the network")
                return
            }
            stage.network.become(.metered)
            _ = await events.first("c sent")
        }

        #expect(stage.sent == ["\"c\" on"])
    }

    @Test func `What was under way when it ended is sent by the next one, with the same key`() async throws {
        let stage = try await OutboxStage()
        let gate = Gate()
        stage.executor.script(OutboxStage.url, .reply(), behind: gate)
        try await stage.add("a")
        try await stage.run { await gate.waiting(for: 1) }
        #expect(stage.outbox.entries.map(\.id.rawValue) == ["a"])
        #expect(stage.executor.cancelled.count == 1)

        let next = try await OutboxStage(journal: stage.journal, executor: stage.executor)
        let events = next.outbox.events()
        gate.open()
        _ = try await next.run { await events.untilEnd() }

        #expect(stage.sent == ["\"a\" on", "\"a\" on"])
        #expect(try await stage.journal.contents(of: "").entries == [])
    }

    @Test func `It runs again after it has ended`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply())
        try await stage.run {}
        try await stage.add("a")
        let events = stage.outbox.events()

        #expect(try await stage.run { await events.untilEnd() } == ["a sending", "a sent"])
    }

    @Test func `Until the journal knows how it ended, nothing behind it is sent, and nothing is told`() async throws {
        let stage = try await OutboxStage()
        let gate = Gate()
        stage.executor.script(OutboxStage.url, .reply(), behind: gate)
        try await stage.add("a")
        try await stage.add("b", supersedes: false)
        let events = stage.outbox.events()

        try await stage.run {
            await gate.waiting(for: 1)
            stage.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
            gate.open()
            #expect(await stage.pass() == .seconds(1))
            #expect(await stage.clock.nextTimer() > stage.clock.now)
            #expect(stage.sent == ["\"a\" on"])
            stage.journal.fail(with: nil)
            _ = await stage.pass()
            #expect(await events.untilEnd(of: "b") == ["a sending", "a sent", "b sending", "b sent"])
        }

        #expect(stage.sent == ["\"a\" on", "\"b\" on"])
    }

    @Test func `The same write added again changes nothing, before and after it was sent, and in the next program`() async throws {
        let stage = try await OutboxStage()
        stage.executor.script(OutboxStage.url, .reply())
        try await stage.add("a")
        try await stage.add("a")
        #expect(stage.outbox.entries.count == 1)
        let events = stage.outbox.events()
        _ = try await stage.run { await events.untilEnd() }

        try await stage.add("a")
        let next = try await OutboxStage(journal: stage.journal)
        try await next.add("a")

        #expect(stage.outbox.entries == [] && next.outbox.entries == [])
        #expect(stage.sent.count == 1)
        await #expect(throws: OutboxError.keyReused(OutboxPad.key("a"))) { try await stage.add("a", "off") }
        await #expect(throws: OutboxError.keyReused(OutboxPad.key("a"))) { try await next.add("a", about: "8") }
    }

    @Test func `What it does not take is not in the journal`() async throws {
        let stage = try await OutboxStage(OutboxLimits(entries: 2, requestSize: 100))
        try await stage.add("a", about: "1")
        try await stage.add("b", about: "2")

        await #expect(throws: OutboxError.full(limit: 2)) { try await stage.add("c", about: "3") }
        try await stage.add("b", about: "2")
        await #expect(throws: OutboxError.tooLarge(limit: 100)) { try await stage.add("c", String(repeating: "x", count: 100)) }
        await #expect(throws: OutboxError.secret("Authorization")) { try await stage.add("c", headers: [.authorization: "Bearer x"]) }
        await #expect(throws: OutboxError.secret("the URL")) { try await stage.add("c", url: "http://a.example/?access_token=x") }
        #expect(try await stage.journal.contents(of: "").entries.map(\.id.rawValue) == ["a", "b"])
    }

    @Test func `A write that the journal does not take is not there, and leaves its place`() async throws {
        let stage = try await OutboxStage(OutboxLimits(entries: 1))
        stage.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { try await stage.add("a") }
        #expect(stage.outbox.entries == [])

        stage.journal.fail(with: nil)
        try await stage.add("a")
        #expect(stage.outbox.entries.count == 1)
    }

    @Test func `What others have written is not sent`() async throws {
        let journal = MemoryOutboxJournal()
        let yours = try await OutboxStage(journal: journal, partition: "you")
        try await yours.add("a")
        let mine = try await OutboxStage(journal: journal, partition: "me")
        mine.executor.script(OutboxStage.url, .reply())
        let events = mine.outbox.events()
        try await mine.add("b")

        _ = try await mine.run { await events.untilEnd() }

        #expect(mine.sent == ["\"b\" on"])
        #expect(try await journal.contents(of: "you").entries.count == 1)
    }

    @Test func `Interceptors add what the journal does not know`() async throws {
        struct Bearer: RequestInterceptor {
            func intercept(_ message: RequestMessage, next: (RequestMessage) async throws -> BackendReply) async throws -> BackendReply {
                var message = message
                message.headers[.authorization] = "Bearer secret"
                return try await next(message)
            }
        }
        let stage = try await OutboxStage(interceptors: [Bearer()])
        stage.executor.script(OutboxStage.url, .reply(status: 500))
        try await stage.add("a")

        try await stage.run { try await stage.journal.until { $0.entries.first?.attempts == 1 } }

        #expect(stage.executor.requests.map { $0.headers[.authorization] } == ["Bearer secret"])
        #expect(try await stage.journal.contents(of: "").entries.first?.request.headers == [:])
    }

    @Test func `What is too old when a program begins is given up and told`() async throws {
        let stage = try await OutboxStage()
        try await stage.add("a")
        let next = try await OutboxStage(journal: stage.journal, now: OutboxStage.day + 15 * 86_400)
        let events = next.outbox.events()

        #expect(try await next.run { await events.untilEnd() } == ["a expired"])
        #expect(next.sent == [])
    }

    @Test func `A key is made when none is given`() async throws {
        let stage = try await OutboxStage()
        let request = OutboxRequest(url: try #require(URL(string: OutboxStage.url)))

        let keys = [
            try await stage.outbox.add(request, changing: "7", at: OutboxStage.day),
            try await stage.outbox.add(request, changing: "7", at: OutboxStage.day),
        ]

        #expect(keys[0] != keys[1])
        #expect(stage.outbox.entries.map(\.id) == keys)
    }

    @Test(arguments: ["", "a b", "\"", "ü", "a\\", String(repeating: "a", count: 256)]) func `No key is made of`(text: String) {
        #expect(IdempotencyKey(rawValue: text) == nil)
    }
}
