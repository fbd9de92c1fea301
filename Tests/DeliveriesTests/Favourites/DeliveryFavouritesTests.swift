import Foundation
import HTTPTypes
import LadingHTTP
import LadingOutbox
import LadingRecords
import LadingTesting
import Testing
@testable import Deliveries

@Suite(.timeLimit(.minutes(10))) struct DeliveryFavouritesTests {
    private static func response(isFavourite: Bool) -> ScriptedExecutor.Response {
        .response(text: #"{"id":7,"favourite":\#(isFavourite),"at":"2026-05-15T12:00:00Z"}"#)
    }

    @Test func `A favourite is shown at once, sent with its time and key, and overlaid until a refresh contains it`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)

        guard case .waiting = try await stage.set(true, "a") else { throw CancellationError() }
        #expect(try await stage.isShownAsFavourite == true)
        try await stage.store(false, generation: 2)
        #expect(try await stage.isShownAsFavourite == true)
        try await stage.run {
            try await stage.waitUntil(localFavourite: true, isConfirmed: true)
            try await stage.store(false, generation: 3)
            #expect(try await stage.isShownAsFavourite == true)
            try await stage.store(true, generation: 4)
            try await stage.waitUntil(localFavourite: nil)
        }

        let request = try #require(stage.executor.requests.first)
        #expect(request.method == .put && request.headers[.contentType] == "application/json")
        #expect(request.headers[try #require(HTTPField.Name("Idempotency-Key"))] == "\"a\"")
        #expect(request.body.bytes == Array(#"{"at":"2026-05-15T12:00:00Z","favourite":true}"#.utf8))
        #expect(stage.executor.requests.count == 1)
        #expect(try await stage.isShownAsFavourite == true)
    }

    @Test func `A favourite survives restarts and refreshes whose documents do not mention favourites`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(nil, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run {
            try await stage.waitUntil(localFavourite: true, isConfirmed: true)
            for generation in 2...5 { try await stage.store(nil, generation: generation) }
        }
        #expect(try await stage.isShownAsFavourite == true)

        let next = try await FavouritesFixture(after: stage)
        try await next.run {
            for generation in 6...8 { try await next.store(nil, generation: generation) }
            #expect(try await next.isShownAsFavourite == true)
            _ = try await next.set(false, "b", after: 1)
            #expect(try await next.isShownAsFavourite == false)
        }
    }

    @Test func `A later document that states another favourite overrides the local one`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(nil, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run { try await stage.waitUntil(localFavourite: true, isConfirmed: true) }

        let next = try await FavouritesFixture(after: stage, clearsOutbox: true)
        let key = try #require(IdempotencyKey(rawValue: "b"))
        _ = try await next.favourites.set(true, of: "8", key: key, at: FavouritesFixture.referenceDate)
        let changes = next.store.changes()
        try await next.run(sending: false) {
            // The other mark is written once the changes of the store are observed.
            #expect(await changes.makeAsyncIterator().next()?.rows == ["8"])
            try await next.store(false, generation: 3)
            try await next.waitUntil(localFavourite: nil)
            #expect(try await next.isShownAsFavourite == false)
            try await next.store(nil, generation: 4)
            try await next.waitUntil(localFavourite: false)
        }
    }

    @Test func `A refusal is stored beside the row until it is acknowledged, also after a restart`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: 403))
        try await stage.store(false, generation: 1)
        let rejections = stage.favourites.rejections()
        _ = try await stage.set(true, "a")
        _ = try #require(await stage.run { await rejections.first { _ in true } })

        let next = try await FavouritesFixture(after: stage)
        let rejection = try #require(try await next.rejection)
        #expect(rejection.id == "7" && rejection.isFavourite && rejection.key.rawValue == "a")
        guard case .refused(BackendError.status(403, _, _)) = rejection.reason else {
            Issue.record("\(rejection.reason)")
            return
        }
        next.favourites.acknowledge(rejection)
        _ = try await next.set(true, "a")
        #expect(try await next.rejection == nil)
    }

    @Test func `A new action removes the refusal of the previous one`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: 403))
        try await stage.store(false, generation: 1)
        let rejections = stage.favourites.rejections()
        _ = try await stage.set(true, "a")
        _ = try #require(await stage.run { await rejections.first { _ in true } })

        _ = try await stage.set(true, "b", after: 1)

        #expect(try await stage.rejection == nil)
    }

    @Test func `A refusal that was not stored before a kill is stored by the next run`() async throws {
        let killed = try await FavouritesFixture()
        killed.executor.script(FavouritesFixture.address, .response(status: .forbidden))
        try await killed.store(false, generation: 1)
        _ = try await killed.set(true, "a")
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await killed.outbox.run() }
            try await killed.journal.wait { !$0.receipts.isEmpty }
            group.cancelAll()
        }

        let next = try await FavouritesFixture(after: killed)
        try await next.run(sending: false) { try await next.waitUntil(localFavourite: nil) }

        #expect(try await next.rejection?.isFavourite == true)
    }

    @Test func `A refused favourite is undone and reported`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: 403))
        try await stage.store(false, generation: 1)
        let rejections = stage.favourites.rejections()
        _ = try await stage.set(true, "a")

        let rejection = try #require(await stage.run { await rejections.first { _ in true } })

        #expect(rejection.id == "7" && rejection.isFavourite && rejection.key.rawValue == "a")
        guard case .refused(BackendError.status(403, _, _)) = rejection.reason else {
            Issue.record("\(rejection.reason)")
            return
        }
        #expect(try await stage.localFavourite == nil)
        #expect(try await stage.isShownAsFavourite == false)
    }

    @Test func `After a refusal the previously confirmed favourite is shown`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true), .response(status: 403))
        try await stage.store(false, generation: 1)
        let rejections = stage.favourites.rejections()

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.waitUntil(localFavourite: true, isConfirmed: true)
            _ = try await stage.set(false, "b", after: 1)
            _ = await rejections.first { _ in true }
        }

        #expect(try await stage.isShownAsFavourite == true)
    }

    @Test func `The favourite confirmed by the server is shown, also when it differs`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: false))
        try await stage.store(true, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.waitUntil(localFavourite: false)
        }
    }

    @Test(arguments: [HTTPResponse.Status.noContent, .ok]) func `A success without a body confirms the requested favourite`(
        status: HTTPResponse.Status
    ) async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: status))
        try await stage.store(false, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.waitUntil(localFavourite: true, isConfirmed: true)
        }
    }

    @Test func `Repeating a key changes nothing, before and after it was sent`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a")
        guard case .waiting = try await stage.set(true, "a") else { throw CancellationError() }
        try await stage.run { try await stage.waitUntil(localFavourite: true, isConfirmed: true) }

        guard case .ended(let receipt) = try await stage.set(true, "a") else { throw CancellationError() }

        #expect(receipt.outcome == .sent)
        #expect(stage.executor.requests.count == 1 && stage.outbox.entries == [])
        await #expect(throws: OutboxError.self) { _ = try await stage.set(false, "a") }
    }

    @Test func `An older action never overrides a newer one`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a", after: 10)
        _ = try await stage.set(false, "late", after: 5)
        #expect(try await stage.isShownAsFavourite == true)

        try await stage.run { try await stage.waitUntil(localFavourite: true, isConfirmed: true) }
        _ = try await stage.set(false, "later", after: 6)

        #expect(try await stage.isShownAsFavourite == true)
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `Offline changes of one favourite are sent as one request`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)
        stage.network.setState(.offline)

        try await stage.run {
            for (step, key) in ["a", "b", "c"].enumerated() { _ = try await stage.set(step != 1, key, after: Double(step)) }
            #expect(try await stage.isShownAsFavourite == true)
            stage.network.setState(.unmetered)
            try await stage.waitUntil(localFavourite: true, isConfirmed: true)
        }

        #expect(stage.executor.requests.count == 1)
    }

    @Test func `A favourite is pending from the first failed attempt until it is sent`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: 503), Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)

        try await stage.run {
            _ = try await stage.set(true, "a")
            #expect(try await stage.store.record(of: "7")?.localFavourite == LocalFavourite(true))
            try await stage.waitUntil(LocalFavourite(true, isPending: true))
            _ = await stage.clock.nextTimer()
            stage.clock.advance(by: .seconds(3_600))
            try await stage.waitUntil(LocalFavourite(true))
        }

        #expect(stage.executor.requests.count == 2)
    }

    @Test func `A favourite queued after a failing one is pending`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, .response(status: 503))
        try await stage.store(false, generation: 1)
        let key = try #require(IdempotencyKey(rawValue: "b"))

        try await stage.run {
            _ = try await stage.set(true, "a")
            try await stage.waitUntil(LocalFavourite(true, isPending: true))
            _ = try await stage.favourites.set(true, of: "8", key: key, at: FavouritesFixture.referenceDate)
        }

        #expect(stage.outbox.entries.count == 2)
        _ = try await stage.store.store(RecordPage([Delivery(id: "7"), Delivery(id: "8")], at: 0, generation: 2))
        #expect(try await stage.store.record(of: "8")?.localFavourite == LocalFavourite(true, isPending: true))
    }

    @Test func `The writes of delayed favourites grow with their number, not with its square`() async throws {
        let stage = try await FavouritesFixture(limits: OutboxLimits(maximumBlockingAttempts: 1))
        let store = CountingRecordStore(stage.store)
        let favourites = DeliveryFavourites(of: FavouritesFixture.list, in: store, outbox: stage.outbox)
        // The first one fails, so that all are delayed; each of the others is refused once its gate is open.
        let gates = (1..<40).map { _ in Gate() }
        stage.executor.script(FavouritesFixture.address(of: 0), .response(status: .internalServerError))
        for (index, gate) in gates.enumerated() {
            stage.executor.script(FavouritesFixture.address(of: index + 1), .response(status: .forbidden), behind: gate)
        }
        for number in 0...gates.count {
            let key = try #require(IdempotencyKey(rawValue: "key-\(number)"))
            try await favourites.set(true, of: DeliveryID("\(number)"), key: key, at: FavouritesFixture.referenceDate)
        }
        let (changes, rejections) = (stage.store.changes(), favourites.rejections())

        await withDiscardingTaskGroup { group in
            group.addTask { await favourites.run() }
            // The run writes once it observes the outbox.
            _ = await changes.makeAsyncIterator().next()
            group.addTask { await stage.outbox.run() }
            var iterator = rejections.makeAsyncIterator()
            for gate in gates {
                gate.open()
                _ = await iterator.next()
            }
            group.cancelAll()
        }

        #expect(stage.outbox.entries.count == 1)
        #expect(store.localChangeCount < 20 * gates.count)
    }

    @Test func `A kill between the writes to the outbox and the row is repaired`() async throws {
        let killed = try await FavouritesFixture()
        try await killed.store(false, generation: 1)
        killed.store.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { _ = try await killed.set(true, "a") }
        killed.store.fail(with: nil)
        #expect(try await killed.localFavourite == nil)

        let next = try await FavouritesFixture(after: killed)
        try await next.run(sending: false) { try await next.waitUntil(localFavourite: true) }
    }

    @Test(arguments: [HTTPResponse.Status.ok, .forbidden]) func `A kill between the response and the write to the row is repaired`(
        status: HTTPResponse.Status
    ) async throws {
        let killed = try await FavouritesFixture()
        killed.executor.script(FavouritesFixture.address, status == .ok ? Self.response(isFavourite: true) : .response(status: status))
        try await killed.store(false, generation: 1)
        _ = try await killed.set(true, "a")
        // Only the outbox runs, as if the program had been killed before it handled the response.
        try await withThrowingDiscardingTaskGroup { group in
            group.addTask { await killed.outbox.run() }
            try await killed.journal.wait { !$0.receipts.isEmpty }
            group.cancelAll()
        }
        #expect(try await killed.localFavourite == true)

        let next = try await FavouritesFixture(after: killed)
        try await next.run(sending: false) {
            try await next.waitUntil(localFavourite: status == .ok ? true : nil, isConfirmed: status == .ok)
        }
    }

    @Test func `A confirmed favourite without a stored row is written once and applied to the next page`() async throws {
        let stage = try await FavouritesFixture()
        stage.executor.script(FavouritesFixture.address, Self.response(isFavourite: true))
        try await stage.store(false, generation: 1)
        _ = try await stage.set(true, "a")
        try await stage.run { try await stage.waitUntil(localFavourite: true, isConfirmed: true) }
        try await stage.store.removeAll()

        let next = try await FavouritesFixture(after: stage)
        let changes = next.store.changes()
        let key = try #require(IdempotencyKey(rawValue: "b"))
        try await next.run(sending: false) {
            let change = changes.makeAsyncIterator()
            #expect(await change.next()?.rows?.contains("7") == true)
            // Each write waits for the preceding ones, the first for the remaining writes of the mark.
            _ = try await next.favourites.set(true, of: "8", key: key, at: FavouritesFixture.referenceDate)
            _ = await change.next()
            var written: Set<DeliveryID> = []
            for _ in 0..<100 {
                _ = try await next.favourites.set(true, of: "8", key: key, at: FavouritesFixture.referenceDate)
                written.formUnion(await change.next()?.rows ?? [])
            }
            #expect(written == ["8"])

            try await next.store(false, generation: 1)
            #expect(try await next.isShownAsFavourite == true)
            try await next.store(true, generation: 2)
            try await next.waitUntil(localFavourite: nil)
        }
    }

    @Test func `A favourite of an unstored delivery is applied when its row is stored`() async throws {
        let stage = try await FavouritesFixture()
        _ = try await stage.set(true, "a")

        try await stage.store(false, generation: 1)

        #expect(try await stage.isShownAsFavourite == true)
    }
}
