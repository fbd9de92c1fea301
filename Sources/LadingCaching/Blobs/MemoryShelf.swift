/// The bodies of a store in memory.
struct MemoryShelf: Sendable {
    private struct Kept {
        var blob: Blob
        let bytes: [UInt8]
    }

    private var ledger: BlobLedger
    private var kept: [Int64: Kept] = [:]
    /// The versions of each group, the oldest first.
    private var groups: [String: [Int64]] = [:]
    private var lastVersion: Int64 = 0

    init(byteLimit: Int) {
        ledger = BlobLedger(byteLimit: byteLimit)
    }

    var bodyLimit: Int { ledger.bodyLimit }
    var usage: BlobUsage { ledger.usage }

    func blobs(in group: String) -> [Blob] {
        (groups[group] ?? []).reversed().compactMap { kept[$0]?.blob }
    }

    /// The bytes of a body, which thereby counts as used; nil when it is not kept any more.
    mutating func use(_ blob: Blob) -> [UInt8]? {
        guard let found = kept[blob.version], found.blob.key == blob.key else { return nil }
        ledger.use(Self.hash(of: blob.key), version: blob.version)
        return found.bytes
    }

    mutating func keep(_ key: BlobKey, note: [UInt8], _ bytes: [UInt8]) -> Blob {
        lastVersion += 1
        let blob = Blob(key: key, version: lastVersion, note: note, length: bytes.count)
        kept[blob.version] = Kept(blob: blob, bytes: bytes)
        groups[key.group, default: []].append(blob.version)
        for version in ledger.keep(Self.hash(of: key), version: blob.version, cost: blob.cost) { forget(version) }
        return blob
    }

    mutating func setNote(_ note: [UInt8], of blob: Blob) throws(BlobStoreError) -> Blob? {
        guard let found = kept[blob.version], found.blob.key == blob.key else { return nil }
        let changed = Blob(key: blob.key, version: blob.version, note: note, length: found.blob.length)
        guard changed.cost <= bodyLimit else { throw .tooLong(blob.key, limit: bodyLimit) }
        kept[blob.version]?.blob = changed
        for version in ledger.keep(Self.hash(of: blob.key), version: blob.version, cost: changed.cost) { forget(version) }
        return changed
    }

    mutating func remove(_ blob: Blob) {
        guard kept[blob.version]?.blob.key == blob.key else { return }
        ledger.remove(Self.hash(of: blob.key), version: blob.version)
        forget(blob.version)
    }

    mutating func removeAll() {
        ledger.removeAll()
        (kept, groups) = ([:], [:])
    }

    private mutating func forget(_ version: Int64) {
        guard let group = kept.removeValue(forKey: version)?.blob.key.group else { return }
        groups[group]?.removeAll { $0 == version }
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    private static func hash(of key: BlobKey) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }
}
