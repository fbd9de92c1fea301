import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingTesting
import Testing

@testable import Deliveries

@Suite(.timeLimit(.minutes(10))) struct DeliveryFavouritesTests {
    private static func said(_ isFavourite: Bool) -> ScriptedExecutor.Answer {
        .reply(text: #"{"id":7,"favourite":\#(isFavourite),"at":"2026-05-15T12:00:00Z"}"#)
    }

    @Test func `A mark is shown at once, sent with its time and key, and shown until a refresh knows it`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(false, generation: 1)

        guard case .waiting = try await stage.set(true, "a") else { throw CancellationError() }
        #expect(try await stage.shown == true)
        try await stage.store(false, generation: 2)
        #expect(try await stage.shown == true)
        try await stage.run {
            try await stage.until(mark: true, taken: true)
            try await stage.store(false, generation: 3)
            #expect(try await stage.shown == true)
            try await stage.store(true, generation: 4)
            try await stage.until(mark: nil)
        }

        let request = try #require(stage.executor.requests.first)
        #expect(request.method == .put && request.headers[.contentType] == "application/json")
        #expect(request.headers[try #require(HTTPField.Name("Idempotency-Key"))] == "\"a\"")
        #expect(request.body.bytes == Array(#"{"at":"2026-05-15T12:00:00Z","favourite":true}"#.utf8))
        #expect(stage.executor.requests.count == 1)
        #expect(try await stage.shown == true)
    }

    @Test func `A mark stays through refreshes whose documents do not mention favourites, and after a restart`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(nil, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run {
            try await stage.until(mark: true, taken: true)
            for generation in 2...5 { try await stage.store(nil, generation: generation) }
        }
        #expect(try await stage.shown == true)

        let next = try await FavouriteStage(after: stage)
        try await next.run {
            for generation in 6...8 { try await next.store(nil, generation: generation) }
            #expect(try await next.shown == true)
            _ = try await next.set(false, "b", after: 1)
            #expect(try await next.shown == false)
        }
    }

    @Test func `A later document that states another mark wins, however long ago the mark was made`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(nil, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run { try await stage.until(mark: true, taken: true) }

        let next = try await FavouriteStage(after: stage, isForgetful: true)
        let key = try #require(IdempotencyKey(rawValue: "b"))
        _ = try await next.favourites.set(true, of: "8", key: key, at: FavouriteStage.noon)
        let changes = next.store.changes()
        try await next.run(sending: false) {
            // The other mark is written again once changes are followed.
            #expect(await changes.makeAsyncIterator().next()?.rows == ["8"])
            try await next.store(false, generation: 3)
            try await next.until(mark: nil)
            #expect(try await next.shown == false)
            try await next.store(nil, generation: 4)
            try await next.until(mark: false)
        }
    }

    @Test func `A refusal is noted beside the row until a reader has been shown it, also after a restart`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: 403))
        try await stage.store(false, generation: 1)
        let refusals = stage.favourites.refusals()
        _ = try await stage.set(true, "a")
        _ = try #require(await stage.run { await refusals.first { _ in true } })

        let next = try await FavouriteStage(after: stage)
        let refusal = try #require(try await next.refusal)
        #expect(refusal.id == "7" && refusal.isFavourite && refusal.key.rawValue == "a")
        guard case .refused(BackendError.status(403, _, _)) = refusal.reason else {
            Issue.record("\(refusal.reason)")
            return
        }
        next.favourites.acknowledge(refusal)
        _ = try await next.set(true, "a")
        #expect(try await next.refusal == nil)
    }

    @Test func `A new decision takes the refusal of the one before away`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: 403))
        try await stage.store(false, generation: 1)
        let refusals = stage.favourites.refusals()
        _ = try await stage.set(true, "a")
        _ = try #require(await stage.run { await refusals.first { _ in true } })

        _ = try await stage.set(true, "b", after: 1)

        #expect(try await stage.refusal == nil)
    }

    @Test func `A refusal that a kill kept from being noted is noted by the next run`() async throws {
        let killed = try await FavouriteStage()
        killed.executor.script(FavouriteStage.address, .reply(status: .forbidden))
        try await killed.store(false, generation: 1)
        _ = try await killed.set(true, "a")
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await killed.outbox.run() }
            try await killed.journal.until { !$0.receipts.isEmpty }
            group.cancelAll()
        }

        let next = try await FavouriteStage(after: killed)
        try await next.run(sending: false) { try await next.until(mark: nil) }

        #expect(try await next.refusal?.isFavourite == true)
    }

    @Test func `A mark that the server refuses is undone, and told`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: 403))
        try await stage.store(false, generation: 1)
        let refusals = stage.favourites.refusals()
        _ = try await stage.set(true, "a")

        let refusal = try #require(await stage.run { await refusals.first { _ in true } })

        #expect(refusal.id == "7" && refusal.isFavourite && refusal.key.rawValue == "a")
        guard case .refused(BackendError.status(403, _, _)) = refusal.reason else {
            Issue.record("\(refusal.reason)")
            return
        }
        #expect(try await stage.mark == nil)
        #expect(try await stage.shown == false)
    }

    @Test func `After a refusal what was taken before stands again`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true), .reply(status: 403))
        try await stage.store(false, generation: 1)
        let refusals = stage.favourites.refusals()

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.until(mark: true, taken: true)
            _ = try await stage.set(false, "b", after: 1)
            _ = await refusals.first { _ in true }
        }

        #expect(try await stage.shown == true)
    }

    @Test func `What the server says to stand is shown, also when it is something else`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(false))
        try await stage.store(true, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.until(mark: false)
        }
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .ok]) func `A server that says nothing has taken what it was asked for`(
        status: HTTPResponse.Status
    ) async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: status))
        try await stage.store(false, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.until(mark: true, taken: true)
        }
    }

    @Test func `The same key again changes nothing, before and after it was sent`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a")
        guard case .waiting = try await stage.set(true, "a") else { throw CancellationError() }
        try await stage.run { try await stage.until(mark: true, taken: true) }

        guard case .ended(let receipt) = try await stage.set(true, "a") else { throw CancellationError() }

        #expect(receipt.outcome == .sent)
        #expect(stage.executor.requests.count == 1 && stage.outbox.entries == [])
        await #expect(throws: OutboxError.self) { _ = try await stage.set(false, "a") }
    }

    @Test func `An older action never wins, however late it comes`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a", after: 10)
        _ = try await stage.set(false, "late", after: 5)
        #expect(try await stage.shown == true)

        try await stage.run { try await stage.until(mark: true, taken: true) }
        _ = try await stage.set(false, "later", after: 6)

        #expect(try await stage.shown == true)
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `On, off and on without a network send one request`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(false, generation: 1)
        stage.network.become(.offline)

        try await stage.run {
            for (step, key) in ["a", "b", "c"].enumerated() { _ = try await stage.set(step != 1, key, after: Double(step)) }
            #expect(try await stage.shown == true)
            stage.network.become(.unmetered)
            try await stage.until(mark: true, taken: true)
        }

        #expect(stage.executor.requests.count == 1)
    }

    @Test func `A mark waits from the first failed attempt until it was sent`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: 503), Self.said(true))
        try await stage.store(false, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            #expect(try await stage.store.record(of: "7")?.favouriteMark == FavouriteMark(true))
            try await stage.until(FavouriteMark(true, isWaiting: true))
            _ = await stage.clock.nextTimer()
            stage.clock.advance(by: .seconds(3_600))
            try await stage.until(FavouriteMark(true))
        }

        #expect(stage.executor.requests.count == 2)
    }

    @Test func `A mark behind one that cannot be sent waits too`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, .reply(status: 503))
        try await stage.store(false, generation: 1)
        let key = try #require(IdempotencyKey(rawValue: "b"))

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.until(FavouriteMark(true, isWaiting: true))
            _ = try await stage.favourites.set(true, of: "8", key: key, at: FavouriteStage.noon)
        }

        #expect(stage.outbox.entries.count == 2)
        _ = try await stage.store.store(RecordPage([Delivery(id: "7"), Delivery(id: "8")], at: 0, generation: 2))
        #expect(try await stage.store.record(of: "8")?.favouriteMark == FavouriteMark(true, isWaiting: true))
    }

    @Test func `A kill between the outbox and the row is made good`() async throws {
        let killed = try await FavouriteStage()
        try await killed.store(false, generation: 1)
        killed.store.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { _ = try await killed.set(true, "a") }
        killed.store.fail(with: nil)
        #expect(try await killed.mark == nil)

        let next = try await FavouriteStage(after: killed)
        try await next.run(sending: false) { try await next.until(mark: true) }
    }

    @Test(arguments: [HTTPResponse.Status.ok, .forbidden]) func `A kill between the end and the row is made good`(
        status: HTTPResponse.Status
    ) async throws {
        let killed = try await FavouriteStage()
        killed.executor.script(FavouriteStage.address, status == .ok ? Self.said(true) : .reply(status: status))
        try await killed.store(false, generation: 1)
        _ = try await killed.set(true, "a")
        // Only the outbox runs, as if the program had been killed before the mark was looked at.
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await killed.outbox.run() }
            try await killed.journal.until { !$0.receipts.isEmpty }
            group.cancelAll()
        }
        #expect(try await killed.mark == true)

        let next = try await FavouriteStage(after: killed)
        try await next.run(sending: false) {
            try await next.until(mark: status == .ok ? true : nil, taken: status == .ok)
        }
    }

    @Test func `A mark that was taken and whose row is not stored is written once, and waits for a page`() async throws {
        let stage = try await FavouriteStage()
        stage.executor.script(FavouriteStage.address, Self.said(true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run { try await stage.until(mark: true, taken: true) }
        try await stage.store.removeAll()

        let next = try await FavouriteStage(after: stage)
        let changes = next.store.changes()
        let key = try #require(IdempotencyKey(rawValue: "b"))
        try await next.run(sending: false) {
            let change = changes.makeAsyncIterator()
            #expect(await change.next()?.rows?.contains("7") == true)
            // Each waits until what was begun before it is written; the first for the rest of the mark.
            _ = try await next.favourites.set(true, of: "8", key: key, at: FavouriteStage.noon)
            _ = await change.next()
            var written: Set<DeliveryID> = []
            for _ in 0..<100 {
                _ = try await next.favourites.set(true, of: "8", key: key, at: FavouriteStage.noon)
                written.formUnion(await change.next()?.rows ?? [])
            }
            #expect(written == ["8"])

            try await next.store(false, generation: 1)
            #expect(try await next.shown == true)
            try await next.store(true, generation: 2)
            try await next.until(mark: nil)
        }
    }

    @Test func `A delivery that is not stored yet is marked when it comes`() async throws {
        let stage = try await FavouriteStage()
        _ = try await stage.set(true, "a")

        try await stage.store(false, generation: 1)

        #expect(try await stage.shown == true)
    }
}
