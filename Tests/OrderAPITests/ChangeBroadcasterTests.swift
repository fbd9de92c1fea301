import GRDB
import HTTPTypes
import LadingTesting
import OrderLifecycle
import OrderStorage
import Testing

@testable import OrderAPI
@testable import OrderStorageSQLite

@Suite("Change broadcaster")
struct ChangeBroadcasterTests {
    private let mina = SecretHash(ofSecret: "mina")

    @Test func `Each stream has all changes after its registration, once and in order`() async throws {
        let fixture = try await OrderAPIFixture()
        let broadcaster = fixture.api.changes
        _ = try await fixture.createOrder()

        let first = try await broadcaster.subscribe(with: mina)
        _ = try await fixture.createOrder()
        await broadcaster.sendChanges()
        let second = try await broadcaster.subscribe(with: mina)
        _ = try await fixture.createOrder()
        await broadcaster.sendChanges()
        await broadcaster.sendChanges()

        let expected = [[Int64(2)], [3]]
        var received: [[Int64]] = []
        for await batch in first.batches {
            received.append(batch.changes.map(\.position.number))
            if received.count == 2 { break }
        }
        #expect(received == expected)
        var iterator = second.batches.makeAsyncIterator()
        #expect(await iterator.next()?.changes.map(\.position.number) == [3])
    }

    @Test func `Changes during a registration are read from the position of that, which is the only one`() async throws {
        let fixture = try await OrderAPIFixture()
        let store = GatedOrderStore(fixture.store)
        let broadcaster = ChangeBroadcaster(store) { OrderAPIFixture.start }
        let registration = Task { try await broadcaster.subscribe(with: mina) }
        await store.gate.waitForWaiters(count: 1)

        // A later position here would replace that of the registration, and the stream would miss the changes between.
        await broadcaster.sendChanges()
        store.gate.open()
        let stream = try await registration.value
        _ = try await fixture.createOrder()
        await broadcaster.sendChanges()

        #expect(store.positionReads == 1)
        stream.end()
        var batches = stream.batches.makeAsyncIterator()
        #expect(await batches.next()?.changes.map(\.position.number) == [1])
    }

    @Test func `A stream that nobody reads ends, and others go on`() async throws {
        let fixture = try await OrderAPIFixture()
        let broadcaster = fixture.api.changes
        let slow = try await broadcaster.subscribe(with: mina)

        for _ in 0...ChangeBroadcaster.capacity {
            _ = try await fixture.createOrder()
            await broadcaster.sendChanges()
        }

        var count = 0
        for await _ in slow.batches { count += 1 }
        #expect(count == ChangeBroadcaster.capacity)
    }

    @Test func `Signing out ends the streams of its token only`() async throws {
        let fixture = try await OrderAPIFixture()
        let broadcaster = fixture.api.changes
        let ended = try await broadcaster.subscribe(with: mina)
        let other = try await broadcaster.subscribe(with: SecretHash(ofSecret: "another device"))

        try await fixture.send(.post, "sign-out", as: "mina")

        for await _ in ended.batches { Issue.record("a change after the end") }
        _ = try await fixture.createOrder()
        await broadcaster.sendChanges()
        var iterator = other.batches.makeAsyncIterator()
        #expect(await iterator.next()?.changes.count == 1)
    }

    @Test func `A token that another program has removed ends its streams only`() async throws {
        let fixture = try await OrderAPIFixture()
        let broadcaster = fixture.api.changes
        let ended = try await broadcaster.subscribe(with: mina)
        let other = try await broadcaster.subscribe(with: SecretHash(ofSecret: "jonas"))

        try await fixture.store.removeToken(mina)
        await broadcaster.endStreamsWithoutToken()

        for await _ in ended.batches { Issue.record("a change after the end") }
        _ = try await fixture.createOrder()
        await broadcaster.sendChanges()
        var iterator = other.batches.makeAsyncIterator()
        #expect(await iterator.next()?.changes.count == 1)
    }

    @Test func `A stream without changes has heartbeats, until it is ended`() async throws {
        let broadcaster = try await OrderAPIFixture().api.changes
        let clock = ManualClock()
        let subscription = try await broadcaster.subscribe(with: mina)
        let sending = Task { await broadcaster.sendHeartbeats(on: clock) }
        defer { sending.cancel() }

        var batches = subscription.batches.makeAsyncIterator()
        for _ in 1...2 {
            #expect(await clock.nextTimer() == clock.now.advanced(by: .seconds(15)))
            clock.advance(by: .seconds(15))
            #expect(await batches.next()?.changes.isEmpty == true)
        }
        subscription.end()
        #expect(await batches.next() == nil)
    }

    @Test func `A new epoch ends the streams`() async throws {
        let fixture = try await OrderAPIFixture()
        let stream = try await fixture.api.changes.subscribe(with: mina)

        try await fixture.store.writer.write { try SQLiteOrderStore.beginEpoch(in: $0) }
        await fixture.api.changes.sendChanges()

        for await _ in stream.batches { Issue.record("a change of the old epoch") }
    }

    @Test func `A change that cannot be read ends the streams, and later ones begin after it`() async throws {
        let fixture = try await OrderAPIFixture()
        let stream = try await fixture.api.changes.subscribe(with: mina)
        _ = try await fixture.createOrder()
        try await fixture.store.writer.write { try $0.execute(sql: "DELETE FROM orderEvents") }

        await fixture.api.changes.sendChanges()

        for await _ in stream.batches { Issue.record("a change that cannot be read") }
        let next = try await fixture.api.changes.subscribe(with: mina)
        _ = try await fixture.createOrder()
        await fixture.api.changes.sendChanges()
        var batches = next.batches.makeAsyncIterator()
        #expect(await batches.next()?.changes.map(\.position.number) == [2])
    }
}
