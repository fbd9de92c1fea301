import LadingCaching
import LadingTesting

/// Random operations on a store, compared with a dictionary of the latest writes.
struct BlobStoreFuzzer {
    private struct StoredBlob {
        var blob: Blob
        var bytes: [UInt8]
    }

    private let context: BlobTestContext
    private let seed: UInt64
    private var random: SeededRandom
    private var stored: [BlobKey: StoredBlob] = [:]
    /// A replaced or removed blob of each key.
    private var stale: [BlobKey: Blob] = [:]
    /// The number of bytes written. Below the size limit no blob may be missing.
    private var written = 0
    private var isFull: Bool { written > BlobStoreConformance.byteLimit }

    init(_ context: BlobTestContext, seed: UInt64) {
        self.context = context
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    mutating func run() async throws {
        try await context.store.removeAll()
        for step in 0..<300 {
            let key = BlobKey(group: "group \(random.next() % 5)", name: "\(random.next() % 6)")
            switch random.next() % 32 {
            case 0: try await removeAll(in: key.group)
            case 1 where step % 4 == 0: try await removeEverything()
            case 2, 3, 4: try await remove(key)
            case 5, 6, 7: try await setMetadata(of: key)
            case 8..<18: try await write(key)
            default: break
            }
            try await compare(key, "LADING_SEED=\(seed), step \(step)")
        }
    }

    private mutating func write(_ key: BlobKey) async throws {
        let count = Int(random.next() % 5 == 0 ? random.next() % 400_000 : random.next() % 30_000)
        let body = context.body(Int(random.next() % 1_000), count: count)
        let splitIndex = count == 0 ? 0 : Int(random.next() % UInt64(count))
        let writer = try await context.store.write(key, metadata: [1])
        try await writer.append(Array(body[..<splitIndex]))
        guard random.next() % 6 != 0 else { return await writer.discard() }
        try await writer.append(Array(body[splitIndex...]))
        stale[key] = stored[key]?.blob
        stored[key] = StoredBlob(blob: try await writer.finish(metadata: random.next() % 2 == 0 ? nil : [2, 2]), bytes: body)
        written += count + 100
    }

    private mutating func setMetadata(of key: BlobKey) async throws {
        guard let found = stored[key] else { return }
        let metadata = (0..<random.next() % 40).map { UInt8($0) }
        if let changed = try await context.store.setMetadata(metadata, of: found.blob) { stored[key]?.blob = changed }
        written += metadata.count
    }

    private mutating func remove(_ key: BlobKey) async throws {
        guard let found = stored.removeValue(forKey: key) else { return }
        stale[key] = found.blob
        try await context.store.remove(found.blob)
    }

    private mutating func removeAll(in group: String) async throws {
        for key in stored.keys.filter({ $0.group == group }) { stale[key] = stored.removeValue(forKey: key)?.blob }
        try await context.store.removeAll(in: group)
    }

    private mutating func removeEverything() async throws {
        for (key, found) in stored { stale[key] = found.blob }
        stored = [:]
        try await context.store.removeAll()
    }

    private func compare(_ key: BlobKey, _ comment: String) async throws {
        let found = try await context.store.blobs(in: key.group)
        let expected = stored.values.map(\.blob).filter { $0.key.group == key.group }.sorted { $0.version > $1.version }
        if isFull {
            context.expect(Set(found).isSubset(of: expected), comment)
        } else {
            context.expectEqual(found, expected, comment)
            let usage = BlobUsage(count: stored.count, bytes: stored.values.reduce(0) { $0 + $1.blob.cost })
            try await context.expectEqual(context.store.usage(), usage, comment)
        }
        let bytes = try await context.bytes(of: stored[key]?.blob)
        context.expect(bytes == stored[key]?.bytes || bytes == nil && isFull, comment)
        try await context.expectEqual(context.bytes(of: stale[key]), nil, comment)
        try await context.expect(context.store.usage().bytes <= BlobStoreConformance.byteLimit, comment)
    }
}
