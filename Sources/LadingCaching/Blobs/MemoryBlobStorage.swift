import TextComparison

/// The storage of a `MemoryBlobStore`.
struct MemoryBlobStorage: Sendable {
    private struct Entry {
        var blob: Blob
        let bytes: [UInt8]
    }

    private var eviction: BlobEvictionController
    private var entries: [Int64: Entry] = [:]
    /// The versions of each group, oldest first.
    private var groups: [BytewiseText: [Int64]] = [:]
    private var lastVersion: Int64 = 0

    init(byteLimit: Int) {
        eviction = BlobEvictionController(byteLimit: byteLimit)
    }

    var bodyLimit: Int { eviction.bodyLimit }
    var usage: BlobUsage { eviction.usage }

    func blobs(in group: String) -> [Blob] {
        (groups[BytewiseText(group)] ?? []).reversed().compactMap { entries[$0]?.blob }
    }

    /// Returns the bytes of a body and counts as a use; nil when it has been removed or replaced.
    mutating func access(_ blob: Blob) -> [UInt8]? {
        guard let found = entries[blob.version], found.blob.key == blob.key else { return nil }
        eviction.access(Self.hash(of: blob.key), version: blob.version)
        return found.bytes
    }

    mutating func insert(_ key: BlobKey, metadata: [UInt8], _ bytes: [UInt8]) -> Blob {
        lastVersion += 1
        let blob = Blob(key: key, version: lastVersion, metadata: metadata, length: bytes.count)
        entries[blob.version] = Entry(blob: blob, bytes: bytes)
        groups[BytewiseText(key.group), default: []].append(blob.version)
        for version in eviction.insert(Self.hash(of: key), version: blob.version, cost: blob.cost) { removeEntry(version) }
        return blob
    }

    mutating func setMetadata(_ metadata: [UInt8], of blob: Blob) throws(BlobStoreError) -> Blob? {
        guard let found = entries[blob.version], found.blob.key == blob.key else { return nil }
        let changed = Blob(key: blob.key, version: blob.version, metadata: metadata, length: found.blob.length)
        guard changed.cost <= bodyLimit else { throw .tooLong(blob.key, limit: bodyLimit) }
        entries[blob.version]?.blob = changed
        for version in eviction.insert(Self.hash(of: blob.key), version: blob.version, cost: changed.cost) { removeEntry(version) }
        return changed
    }

    mutating func remove(_ blob: Blob) {
        guard entries[blob.version]?.blob.key == blob.key else { return }
        eviction.remove(Self.hash(of: blob.key), version: blob.version)
        removeEntry(blob.version)
    }

    mutating func removeAll() {
        eviction.removeAll()
        (entries, groups) = ([:], [:])
    }

    private mutating func removeEntry(_ version: Int64) {
        guard let blob = entries.removeValue(forKey: version)?.blob else { return }
        let group = BytewiseText(blob.key.group)
        groups[group]?.removeAll { $0 == version }
        if groups[group]?.isEmpty == true { groups[group] = nil }
    }

    private static func hash(of key: BlobKey) -> UInt64 { UInt64(truncatingIfNeeded: key.hashValue) }
}
