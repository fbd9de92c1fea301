import Foundation
import HTTPTypes
import LadingCaching
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingHTTP

/// Equal requests at the same time share one exchange.
extension HTTPCacheTests {
    @Test func `Equal requests wait for the first of them`() async throws {
        let gate = Gate()
        stage.script("Cache-Control: max-age=60", "one", behind: gate)

        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<5 { group.addTask { try await stage.get() } }
            await gate.waiting(for: 1)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }

        #expect(texts == Array(repeating: "one", count: 5))
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `What was kept since a request looked is not asked for again`() async throws {
        let gate = Gate()
        let store = LookedAtStore(store: stage.store, behind: gate)
        let client = BackendClient(executor: stage.executor, cache: HTTPCache(store: store) { Kept.at(0) })
        stage.script("Cache-Control: max-age=60", "one")
        async let late = client.reply(to: RequestMessage(url: Kept.url))
        await gate.waiting(for: 1)

        _ = try await client.reply(to: RequestMessage(url: Kept.url))
        gate.open()

        #expect(try await late.cacheStatus == "Lading; hit; ttl=60; collapsed")
        #expect(stage.executor.requests.count == 1)
    }

    @Test func `When the first of them leaves, another one asks`() async throws {
        let gate = Gate()
        stage.script("Cache-Control: max-age=60", "one", behind: gate)
        let first = Task { try await stage.get() }
        await gate.waiting(for: 1)
        let second = Task { try await stage.get() }

        first.cancel()
        await gate.waiting(for: 1)
        gate.open()

        #expect(try await second.value == "one")
    }

    @Test func `Nobody waits without end for one who reads slowly`() async throws {
        let reading = Gate()
        stage.script("Cache-Control: max-age=60", "one")
        async let slow: Void = stage.client.exchange(RequestMessage(url: Kept.url)) { _, body, _ in
            try await reading.pass()
            for try await _ in body {}
        }
        await reading.waiting(for: 1)
        async let text = stage.get()

        for _ in 0..<HTTPCache.turnLimit {
            _ = await stage.clock.nextTimer()
            stage.clock.advance(by: HTTPCache.patience)
        }

        #expect(try await text == "one")
        #expect(stage.executor.requests.count == 2)
        reading.open()
        try await slow
    }
}

/// A store that holds back what the first look finds.
private final class LookedAtStore: BlobStore {
    private let store: MemoryBlobStore
    private let gate: Gate
    private let wasLookedAt = Mutex(false)

    init(store: MemoryBlobStore, behind gate: Gate) {
        self.store = store
        self.gate = gate
    }

    func blobs(in group: String) async throws -> [Blob] {
        let blobs = try await store.blobs(in: group)
        let isFirst = wasLookedAt.withLock { wasLookedAt in
            defer { wasLookedAt = true }
            return !wasLookedAt
        }
        if isFirst { try await gate.pass() }
        return blobs
    }

    func open(_ blob: Blob) async throws -> (any BlobReader)? { try await store.open(blob) }
    func write(_ key: BlobKey, note: [UInt8]) async throws -> any BlobWriter { try await store.write(key, note: note) }
    func setNote(_ note: [UInt8], of blob: Blob) async throws -> Blob? { try await store.setNote(note, of: blob) }
    func remove(_ blob: Blob) async throws { try await store.remove(blob) }
    func removeAll(in group: String) async throws { try await store.removeAll(in: group) }
    func removeAll() async throws { try await store.removeAll() }
    func usage() async throws -> BlobUsage { try await store.usage() }
}
