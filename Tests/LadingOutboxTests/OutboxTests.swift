import Foundation
import HTTPTypes
import LadingOperations
import LadingOutbox
import LadingTesting
import Testing
@testable import LadingHTTP

@Suite(.timeLimit(.minutes(10))) struct OutboxTests {
    @Test func `A write is sent once with its key, reported at each step, and recorded in a receipt`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response(text: "well"))
        let events = fixture.outbox.events()

        try await fixture.add("a")
        let descriptions = try await fixture.run { await events.descriptionsUntilEnd() }

        #expect(descriptions == ["a waits", "a sending", "a sent"])
        #expect(fixture.sent == ["\"a\" on"])
        #expect(fixture.executor.requests.first?.method == .put)
        #expect(fixture.outbox.entries == [])
        let receipts = try await fixture.journal.contents(of: "").receipts
        #expect(receipts.map(\.outcome) == [.sent] && receipts.map(\.responsePrefix) == [Array("well".utf8)])
        #expect(fixture.outbox.receipts == receipts)
    }

    @Test func `The events end when the outbox is deallocated`() async throws {
        var fixture: OutboxFixture? = try await OutboxFixture()
        let events = try #require(fixture?.outbox.events())
        let reader = Task { for await _ in events {} }

        fixture = nil

        await reader.value
    }

    @Test func `A write is sent to the current URL of its server and stored with its original URL`() async throws {
        let madeProgress = "http://b.example/v1/deliveries/7/favourite"
        let fixture = try await OutboxFixture(resolveURL: { _ in URL(string: madeProgress)! })
        fixture.executor.script(madeProgress, .response())
        let events = fixture.outbox.events()
        try await fixture.add("a")
        let entries = try await fixture.journal.contents(of: "").entries

        _ = try await fixture.run { await events.descriptionsUntilEnd() }

        #expect(fixture.executor.requests.map(\.url.absoluteString) == [madeProgress])
        #expect(entries.map(\.request.url.absoluteString) == [OutboxFixture.url])
    }

    @Test func `A failed write is sent again with the same key after a delay, and the journal records the attempt`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response(status: 503), .failure(BackendError.unreachableHost), .response())
        let events = fixture.outbox.events()

        try await fixture.run {
            try await fixture.add("a")
            try await fixture.journal.wait { $0.entries.first?.attempts == 1 }
            #expect(await fixture.advanceToNextTimer() == .seconds(1))
            try await fixture.journal.wait { $0.entries.first?.lastFailure == "cannot reach a.example" }
            #expect(await fixture.advanceToNextTimer() == .seconds(1))
            #expect(
                await events.descriptionsUntilEnd() == [
                    "a waits", "a sending", "a waits 1.0", "a sending", "a waits 1.0", "a sending", "a sent",
                ])
        }

        #expect(fixture.sent == ["\"a\" on", "\"a\" on", "\"a\" on"])
    }

    @Test func `A refused write is recorded with the reason, and later writes are sent`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response(status: 403), .response())
        let events = fixture.outbox.events()
        try await fixture.add("a")
        try await fixture.add("b", supersedes: false)

        let descriptions = try await fixture.run { await events.descriptionsUntilEnd(of: "b") }

        #expect(descriptions == ["a waits", "b waits", "a sending", "a refused", "b sending", "b sent"])
        guard case .ended(let receipt) = fixture.outbox.status(of: try #require(IdempotencyKey(rawValue: "a"))) else {
            Issue.record("it has not ended")
            return
        }
        #expect(receipt.outcome == .refused && receipt.reason == "the server responded with 403: /v1/deliveries/7/favourite")
    }

    @Test(arguments: [(301, HTTPRequest.Method.post), (302, .post), (302, .put)])
    func `A write that is redirected to a page for signing in is kept, and sent again`(
        status: Int, method: HTTPRequest.Method
    ) async throws {
        let fixture = try await OutboxFixture()
        let redirect = ScriptedExecutor.Response.response(status: .init(code: status), headers: [.location: "/login"])
        fixture.executor.script(OutboxFixture.url, redirect, .response())
        fixture.executor.script("http://a.example/login", .response(text: "Sign in"))
        let events = fixture.outbox.events()

        try await fixture.run {
            try await fixture.add("a", method: method)
            let reason = "the server responded with \(status): /v1/deliveries/7/favourite"
            try await fixture.journal.wait { $0.entries.first?.lastFailure == reason }
            #expect(await fixture.advanceToNextTimer() == .seconds(1))
            #expect(await events.descriptionsUntilEnd() == ["a waits", "a sending", "a waits 1.0", "a sending", "a sent"])
        }
        #expect(fixture.executor.requestedURLs == [OutboxFixture.url, OutboxFixture.url])
    }

    @Test(arguments: [301, 302]) func `A write is redirected from http to https with its method, body and key`(status: Int) async throws {
        let fixture = try await OutboxFixture()
        let encrypted = OutboxFixture.url.replacing("http:", with: "https:")
        fixture.executor.script(OutboxFixture.url, .response(status: .init(code: status), headers: [.location: encrypted]))
        fixture.executor.script(encrypted, .response())
        let events = fixture.outbox.events()
        try await fixture.add("a", method: .post)

        let descriptions = try await fixture.run { await events.descriptionsUntilEnd() }

        #expect(descriptions == ["a waits", "a sending", "a sent"])
        #expect(fixture.executor.requestedURLs == [OutboxFixture.url, encrypted])
        #expect(fixture.executor.requests.map(\.method) == [.post, .post])
        #expect(fixture.sent == ["\"a\" on", "\"a\" on"])
    }

    @Test func `The result of a write that is answered with 303 is read, and is its response`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response(status: .seeOther, headers: [.location: "/v1/result"]))
        fixture.executor.script("http://a.example/v1/result", .response(text: "well"))
        let events = fixture.outbox.events()
        try await fixture.add("a", method: .post)

        let descriptions = try await fixture.run { await events.descriptionsUntilEnd() }

        #expect(descriptions == ["a waits", "a sending", "a sent"])
        #expect(fixture.executor.requests.map(\.method) == [.post, .get])
        #expect(fixture.outbox.receipts.map(\.responsePrefix) == [Array("well".utf8)])
    }

    @Test func `Writes wait while offline, and only the last superseding one is sent afterwards`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response())
        fixture.network.setState(.offline)
        let events = fixture.outbox.events()

        try await fixture.run {
            try await fixture.add("a", "on", at: 1)
            try await fixture.add("b", "off", at: 2)
            try await fixture.add("c", "on", at: 3)
            _ = await events.first(describedAs: "b superseded")
            #expect(fixture.outbox.entries.map(\.id.rawValue) == ["c"])
            guard case .waiting(_, .offline) = fixture.outbox.status(of: try #require(IdempotencyKey(rawValue: "c"))) else {
                Issue.record("it does not wait for the network")
                return
            }
            fixture.network.setState(.metered)
            _ = await events.first(describedAs: "c sent")
        }

        #expect(fixture.sent == ["\"c\" on"])
    }

    @Test func `A write in flight at shutdown is sent by the next outbox with the same key`() async throws {
        let fixture = try await OutboxFixture()
        let gate = Gate()
        fixture.executor.script(OutboxFixture.url, .response(), behind: gate)
        try await fixture.add("a")
        try await fixture.run { await gate.waitForWaiters(count: 1) }
        #expect(fixture.outbox.entries.map(\.id.rawValue) == ["a"])
        // The exchange ends in a task of the queue, which the outbox does not wait for.
        await fixture.queue.waitUntilIdle()
        #expect(fixture.executor.cancelled.count == 1)

        let next = try await OutboxFixture(journal: fixture.journal, executor: fixture.executor)
        let events = next.outbox.events()
        gate.open()
        _ = try await next.run { await events.descriptionsUntilEnd() }

        #expect(fixture.sent == ["\"a\" on", "\"a\" on"])
        #expect(try await fixture.journal.contents(of: "").entries == [])
    }

    @Test func `An outbox can run again after it has stopped`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response())
        try await fixture.run {}
        try await fixture.add("a")
        let events = fixture.outbox.events()

        #expect(try await fixture.run { await events.descriptionsUntilEnd() } == ["a sending", "a sent"])
    }

    @Test func `Until an outcome is saved, no later write is sent and no event is reported`() async throws {
        let fixture = try await OutboxFixture()
        let gate = Gate()
        fixture.executor.script(OutboxFixture.url, .response(), behind: gate)
        try await fixture.add("a")
        try await fixture.add("b", supersedes: false)
        let events = fixture.outbox.events()

        try await fixture.run {
            await gate.waitForWaiters(count: 1)
            fixture.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
            gate.open()
            #expect(await fixture.advanceToNextTimer() == .seconds(1))
            #expect(await fixture.clock.nextTimer() > fixture.clock.now)
            #expect(fixture.sent == ["\"a\" on"])
            fixture.journal.fail(with: nil)
            _ = await fixture.advanceToNextTimer()
            #expect(await events.descriptionsUntilEnd(of: "b") == ["a sending", "a sent", "b sending", "b sent"])
        }

        #expect(fixture.sent == ["\"a\" on", "\"b\" on"])
    }

    @Test func `Adding the same write again changes nothing, before and after it is sent and in the next process`() async throws {
        let fixture = try await OutboxFixture()
        fixture.executor.script(OutboxFixture.url, .response())
        try await fixture.add("a")
        try await fixture.add("a")
        #expect(fixture.outbox.entries.count == 1)
        let events = fixture.outbox.events()
        _ = try await fixture.run { await events.descriptionsUntilEnd() }

        try await fixture.add("a")
        let next = try await OutboxFixture(journal: fixture.journal)
        try await next.add("a")

        #expect(fixture.outbox.entries == [] && next.outbox.entries == [])
        #expect(fixture.sent.count == 1)
        await #expect(throws: OutboxError.keyReused(OutboxScheduleHarness.key("a"))) { try await fixture.add("a", "off") }
        await #expect(throws: OutboxError.keyReused(OutboxScheduleHarness.key("a"))) { try await next.add("a", about: "8") }
    }

    @Test func `A rejected write is not stored in the journal`() async throws {
        let fixture = try await OutboxFixture(OutboxLimits(entries: 2, requestSize: 100))
        try await fixture.add("a", about: "1")
        try await fixture.add("b", about: "2")

        await #expect(throws: OutboxError.full(limit: 2)) { try await fixture.add("c", about: "3") }
        try await fixture.add("b", about: "2")
        await #expect(throws: OutboxError.tooLarge(limit: 100)) { try await fixture.add("c", String(repeating: "x", count: 100)) }
        await #expect(throws: OutboxError.containsSecret("Authorization")) {
            try await fixture.add("c", headers: [.authorization: "Bearer x"])
        }
        await #expect(throws: OutboxError.containsSecret("the URL")) { try await fixture.add("c", url: "http://a.example/?access_token=x") }
        #expect(try await fixture.journal.contents(of: "").entries.map(\.id.rawValue) == ["a", "b"])
    }

    @Test func `A write that the journal fails to store is not added and frees its slot`() async throws {
        let fixture = try await OutboxFixture(OutboxLimits(entries: 1))
        fixture.journal.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { try await fixture.add("a") }
        #expect(fixture.outbox.entries == [])

        fixture.journal.fail(with: nil)
        try await fixture.add("a")
        #expect(fixture.outbox.entries.count == 1)
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
        let fixture = try await OutboxFixture(interceptors: [Bearer()])
        fixture.executor.script(OutboxFixture.url, .response(status: 500))
        try await fixture.add("a")

        try await fixture.run { try await fixture.journal.wait { $0.entries.first?.attempts == 1 } }

        #expect(fixture.executor.requests.map { $0.headers[.authorization] } == ["Bearer secret"])
        #expect(try await fixture.journal.contents(of: "").entries.first?.request.headers == [:])
    }

    @Test func `An expired write is reported when the outbox starts`() async throws {
        let fixture = try await OutboxFixture()
        try await fixture.add("a")
        let next = try await OutboxFixture(journal: fixture.journal, now: OutboxFixture.day + 15 * 86_400)
        let events = next.outbox.events()

        #expect(try await next.run { await events.descriptionsUntilEnd() } == ["a expired"])
        #expect(next.sent == [])
    }

    @Test func `A key is generated when none is given`() async throws {
        let fixture = try await OutboxFixture()
        let request = OutboxRequest(url: try #require(URL(string: OutboxFixture.url)))

        let keys = [
            try await fixture.outbox.add(request, changing: "7", at: OutboxFixture.day),
            try await fixture.outbox.add(request, changing: "7", at: OutboxFixture.day),
        ]

        #expect(keys[0] != keys[1])
        #expect(fixture.outbox.entries.map(\.id) == keys)
    }

    @Test(arguments: ["", "a b", "\"", "ü", "a\\", String(repeating: "a", count: 256)]) func `An invalid text is no idempotency key`(
        text: String
    ) {
        #expect(IdempotencyKey(rawValue: text) == nil)
    }
}
