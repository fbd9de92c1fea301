import Foundation
import HTTPTypes
import LadingCaching
import LadingTesting
import Synchronization
import Testing
@testable import LadingHTTP

/// Equal concurrent requests.
extension HTTPCacheTests {
    @Test func `Equal requests wait for the first of them`() async throws {
        let gate = Gate()
        fixture.script("Cache-Control: max-age=60", "one", behind: gate)

        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { try await fixture.get() } }
            await gate.waitForWaiters(count: 1)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(texts == Array(repeating: "one", count: 5))
        #expect(fixture.executor.requests.count == 1)
    }

    @Test func `A response stored since the lookup is not requested again`() async throws {
        let gate = Gate()
        let store = GatedBlobStore(store: fixture.store, behind: gate)
        let client = BackendClient(executor: fixture.executor, cache: HTTPCache(store: store) { CacheSamples.at(0) })
        fixture.script("Cache-Control: max-age=60", "one")
        async let late = client.response(to: RequestMessage(url: CacheSamples.url))
        await gate.waitForWaiters(count: 1)

        _ = try await client.response(to: RequestMessage(url: CacheSamples.url))
        gate.open()

        #expect(try await late.cacheStatus == "Lading; hit; ttl=60; collapsed")
        #expect(fixture.executor.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(10)))
    func `Requests that wait for a response that cannot be stored are forwarded together`() async throws {
        let (first, lookups, others) = (Gate(), Gate(), Gate())
        let store = GatedBlobStore(store: fixture.store, behind: lookups, lookups: 2...3)
        let client = BackendClient(
            executor: fixture.executor, cache: HTTPCache(store: store, clock: fixture.clock) { CacheSamples.at(0) })
        fixture.script("Cache-Control: no-store", "one", behind: first)
        async let leader = client.response(to: RequestMessage(url: CacheSamples.url))
        await first.waitForWaiters(count: 1)
        async let second = client.response(to: RequestMessage(url: CacheSamples.url))
        async let third = client.response(to: RequestMessage(url: CacheSamples.url))
        await lookups.waitForWaiters(count: 2)
        fixture.script("Cache-Control: no-store", "two", behind: others)

        first.open()
        _ = try await leader
        lookups.open()
        await others.waitForWaiters(count: 2)
        others.open()

        #expect(try await second.text == "two")
        #expect(try await third.text == "two")
    }

    @Test func `When the first request is cancelled, another one is forwarded`() async throws {
        let gate = Gate()
        fixture.script("Cache-Control: max-age=60", "one", behind: gate)
        let first = Task { try await fixture.get() }
        await gate.waitForWaiters(count: 1)
        let second = Task { try await fixture.get() }

        first.cancel()
        await gate.waitForWaiters(count: 1)
        gate.open()

        #expect(try await second.value == "one")
    }

    @Test func `A request waits a limited time for a slow reader`() async throws {
        let reading = Gate()
        fixture.script("Cache-Control: max-age=60", "one")
        async let slow: Void = fixture.client.exchange(RequestMessage(url: CacheSamples.url)) { _, body, _ in
            try await reading.wait()
            for try await _ in body {}
        }
        await reading.waitForWaiters(count: 1)
        async let text = fixture.get()

        for _ in 0..<HTTPCache.lookupRetryLimit {
            _ = await fixture.clock.nextTimer()
            fixture.clock.advance(by: HTTPCache.flightTimeout)
        }

        #expect(try await text == "one")
        #expect(fixture.executor.requests.count == 2)
        reading.open()
        try await slow
    }
}

/// A store that delays the results of some lookups, by default of the first.
private final class GatedBlobStore: BlobStore {
    private let store: MemoryBlobStore
    private let gate: Gate
    private let delayedLookups: ClosedRange<Int>
    private let lookupCount = Mutex(0)

    init(store: MemoryBlobStore, behind gate: Gate, lookups: ClosedRange<Int> = 1...1) {
        self.store = store
        self.gate = gate
        delayedLookups = lookups
    }

    func blobs(in group: String) async throws -> [Blob] {
        let blobs = try await store.blobs(in: group)
        let number = lookupCount.withLock { count in
            count += 1
            return count
        }
        if delayedLookups.contains(number) { try await gate.wait() }
        return blobs
    }

    func open(_ blob: Blob) async throws -> (any BlobReader)? { try await store.open(blob) }
    func write(_ key: BlobKey, metadata: [UInt8]) async throws -> any BlobWriter { try await store.write(key, metadata: metadata) }
    func setMetadata(_ metadata: [UInt8], of blob: Blob) async throws -> Blob? { try await store.setMetadata(metadata, of: blob) }
    func remove(_ blob: Blob) async throws { try await store.remove(blob) }
    func removeAll(in group: String) async throws { try await store.removeAll(in: group) }
    func removeAll() async throws { try await store.removeAll() }
    func usage() async throws -> BlobUsage { try await store.usage() }
}
