import Foundation
import LadingOperations
import Synchronization
import TemporaryFolders
import Testing

@testable import CrashReports

@Suite struct OperationRingTests {
    @Test func `Decisions of a queue are in the file immediately`() async throws {
        try await withTemporaryFolder { folder in
            let ring = try OperationRing(folder.appending(path: "operations"))
            let queue = BackendQueue()
            queue.onDecision { ring.record($0) }

            _ = try await queue.value(of: BackendOperation("Order 17", lane: .cpu) { 1 }, priority: .visible)

            let texts = OperationRing.entries(in: folder.appending(path: "operations")).map(\.text)
            #expect(texts == ["queued Order 17", "started Order 17", "succeeded Order 17"])
            withExtendedLifetime(ring) {}
        }
    }

    @Test func `The last decisions are retained in order`() async throws {
        try await withTemporaryFolder { folder in
            let ring = try OperationRing(folder.appending(path: "operations"))
            let queue = BackendQueue()
            queue.onDecision { ring.record($0) }

            queue.recordCacheHits((1...200).map { "Order \($0)" })

            let entries = OperationRing.entries(in: folder.appending(path: "operations"))
            #expect(entries.map(\.text) == (137...200).map { "cacheHit Order \($0)" })
            #expect(entries.map(\.time) == entries.map(\.time).sorted())
            withExtendedLifetime(ring) {}
        }
    }

    @Test func `A long name is truncated, and earlier content of its slot is cleared`() async throws {
        try await withTemporaryFolder { folder in
            let ring = try OperationRing(folder.appending(path: "operations"))
            let queue = BackendQueue()
            queue.onDecision { ring.record($0) }

            queue.recordCacheHits([String(repeating: "ö", count: 500)])
            let long = OperationRing.entries(in: folder.appending(path: "operations")).map(\.text)
            queue.recordCacheHits(Array(repeating: "a", count: OperationRing.limit))

            #expect(long.first?.hasPrefix("cacheHit ö") == true)
            #expect(long.allSatisfy { $0.utf8.count <= 160 })
            #expect(Set(OperationRing.entries(in: folder.appending(path: "operations")).map(\.text)) == ["cacheHit a"])
            withExtendedLifetime(ring) {}
        }
    }

    @Test(arguments: [0, 100, 20_000]) func `A file of unexpected length has no entries`(length: Int) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "operations")

            try Data(repeating: 1, count: length).write(to: file)

            #expect(OperationRing.entries(in: file).isEmpty)
        }
    }
}
