import LadingCaching

/// Does random things to a store, beside a dictionary of what was written last.
struct BlobMonkey {
    private struct Kept {
        var blob: Blob
        var bytes: [UInt8]
    }

    private let trial: BlobTrial
    private let seed: UInt64
    private var random: SeededRandom
    private var kept: [BlobKey: Kept] = [:]
    /// A blob of each key that was replaced or removed.
    private var stale: [BlobKey: Blob] = [:]
    /// Until the bound can have been passed nothing may be missing.
    private var written = 0
    private var isFull: Bool { written > BlobStoreConformance.byteLimit }

    init(_ trial: BlobTrial, seed: UInt64) {
        self.trial = trial
        self.seed = seed
        random = SeededRandom(seed: seed)
    }

    mutating func play() async throws {
        try await trial.store.removeAll()
        for step in 0..<300 {
            let key = BlobKey(group: "group \(random.next() % 5)", name: "\(random.next() % 6)")
            switch random.next() % 32 {
            case 0: try await removeAll(in: key.group)
            case 1 where step % 4 == 0: try await removeEverything()
            case 2, 3, 4: try await remove(key)
            case 5, 6, 7: try await setNote(of: key)
            case 8..<18: try await write(key)
            default: break
            }
            try await compare(key, "LADING_SEED=\(seed), step \(step)")
        }
    }

    private mutating func write(_ key: BlobKey) async throws {
        let count = Int(random.next() % 5 == 0 ? random.next() % 400_000 : random.next() % 30_000)
        let body = trial.body(Int(random.next() % 1_000), count: count)
        let cut = count == 0 ? 0 : Int(random.next() % UInt64(count))
        let writer = try await trial.store.write(key, note: [1])
        try await writer.append(Array(body[..<cut]))
        guard random.next() % 6 != 0 else { return await writer.abandon() }
        try await writer.append(Array(body[cut...]))
        stale[key] = kept[key]?.blob
        kept[key] = Kept(blob: try await writer.finish(note: random.next() % 2 == 0 ? nil : [2, 2]), bytes: body)
        written += count + 100
    }

    private mutating func setNote(of key: BlobKey) async throws {
        guard let found = kept[key] else { return }
        let note = (0..<random.next() % 40).map { UInt8($0) }
        if let changed = try await trial.store.setNote(note, of: found.blob) { kept[key]?.blob = changed }
        written += note.count
    }

    private mutating func remove(_ key: BlobKey) async throws {
        guard let found = kept.removeValue(forKey: key) else { return }
        stale[key] = found.blob
        try await trial.store.remove(found.blob)
    }

    private mutating func removeAll(in group: String) async throws {
        for key in kept.keys.filter({ $0.group == group }) { stale[key] = kept.removeValue(forKey: key)?.blob }
        try await trial.store.removeAll(in: group)
    }

    private mutating func removeEverything() async throws {
        for (key, found) in kept { stale[key] = found.blob }
        kept = [:]
        try await trial.store.removeAll()
    }

    private func compare(_ key: BlobKey, _ comment: String) async throws {
        let found = try await trial.store.blobs(in: key.group)
        let wanted = kept.values.map(\.blob).filter { $0.key.group == key.group }.sorted { $0.version > $1.version }
        if isFull {
            trial.expect(Set(found).isSubset(of: wanted), comment)
        } else {
            trial.expectEqual(found, wanted, comment)
            let usage = BlobUsage(count: kept.count, bytes: kept.values.reduce(0) { $0 + $1.blob.cost })
            try await trial.expectEqual(trial.store.usage(), usage, comment)
        }
        let bytes = try await trial.bytes(of: kept[key]?.blob)
        trial.expect(bytes == kept[key]?.bytes || bytes == nil && isFull, comment)
        try await trial.expectEqual(trial.bytes(of: stale[key]), nil, comment)
        try await trial.expect(trial.store.usage().bytes <= BlobStoreConformance.byteLimit, comment)
    }
}
