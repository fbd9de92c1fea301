/// The eviction of bodies from a store, which `AdaptiveEviction` decides by the hashes of their keys.
///
/// Of two keys with equal hashes the newer one evicts the other.
package struct BlobEvictionController: Sendable {
    /// The default maximum number of bodies, whatever their lengths.
    package static let countLimit = 100_000
    /// The divisor of the limit that gives the maximum size of a body.
    package static let bodiesPerLimit = 4

    private let limit: Weight
    private var adaptiveEviction: AdaptiveEviction
    private var versions: [UInt64: Int64] = [:]

    package init(byteLimit: Int, countLimit: Int = countLimit) {
        precondition(byteLimit > 0 && countLimit > 0, "the limits of a store must be positive")
        limit = Weight(cost: min(byteLimit, Weight.unlimited), count: min(countLimit, Weight.unlimited))
        adaptiveEviction = AdaptiveEviction(limit: limit)
    }

    /// The maximum size of a body in bytes, with its metadata and key.
    package var bodyLimit: Int { limit.cost / Self.bodiesPerLimit }

    /// The number and total size of the stored bodies.
    package var usage: BlobUsage { BlobUsage(count: adaptiveEviction.weight.count, bytes: adaptiveEviction.weight.cost) }

    /// Returns the version of a key's body; nil without one.
    package func version(of hash: UInt64) -> Int64? { versions[hash] }

    /// Records a use of a body; returns false when it is no longer stored.
    @discardableResult
    package mutating func access(_ hash: UInt64, version: Int64) -> Bool {
        guard versions[hash] == version else { return false }
        adaptiveEviction.access(hash)
        return true
    }

    /// Adds a body, replacing that of its key, or updates the cost of the same body; returns the versions to remove.
    package mutating func insert(_ hash: UInt64, version: Int64, cost: Int) -> [Int64] {
        var removed: [Int64] = []
        if let known = versions.updateValue(version, forKey: hash), known != version { removed.append(known) }
        var evicted: [UInt64] = []
        adaptiveEviction.access(hash, cost: max(1, cost), evicted: &evicted)
        for hash in evicted { if let version = versions.removeValue(forKey: hash) { removed.append(version) } }
        return removed
    }

    /// Removes a body; returns false when it is no longer stored.
    @discardableResult
    package mutating func remove(_ hash: UInt64, version: Int64) -> Bool {
        guard versions[hash] == version else { return false }
        versions[hash] = nil
        adaptiveEviction.remove(hash)
        return true
    }

    /// Removes all bodies, and retains the selection of the algorithm.
    package mutating func removeAll() {
        versions = [:]
        adaptiveEviction.removeAll()
    }
}

extension Blob {
    /// The size of the blob for the limit of a store, in bytes.
    package var cost: Int { length + metadata.count + key.cost }
}

extension BlobKey {
    /// The size of the key in bytes.
    package var cost: Int { group.utf8.count + name.utf8.count }
}
