/// Decides which bodies a store keeps, as `AdaptiveEviction` does; it knows them by the hashes of their keys.
///
/// Of two keys with the same hash the newer one drives the other out.
package struct BlobEvictionController: Sendable {
    /// The most bodies that a store keeps, however short they are.
    package static let countLimit = 100_000
    /// A body takes at most one of so many parts of the bound.
    package static let bodyLimitDivisor = 4

    private let limit: Weight
    private var adaptiveEviction: AdaptiveEviction
    private var versions: [UInt64: Int64] = [:]

    package init(byteLimit: Int, countLimit: Int = countLimit) {
        precondition(byteLimit > 0 && countLimit > 0, "a store that may keep nothing is no store")
        limit = Weight(cost: min(byteLimit, Weight.unlimited), count: min(countLimit, Weight.unlimited))
        adaptiveEviction = AdaptiveEviction(limit: limit)
    }

    /// The most bytes that one body takes, with its note and name.
    package var bodyLimit: Int { limit.cost / Self.bodyLimitDivisor }

    /// What is kept.
    package var usage: BlobUsage { BlobUsage(count: adaptiveEviction.weight.count, bytes: adaptiveEviction.weight.cost) }

    /// The body of a key; nil when there is none.
    package func version(of hash: UInt64) -> Int64? { versions[hash] }

    /// Tells of a use; false when this body is not kept any more.
    @discardableResult
    package mutating func access(_ hash: UInt64, version: Int64) -> Bool {
        guard versions[hash] == version else { return false }
        adaptiveEviction.access(hash)
        return true
    }

    /// Keeps a body in place of the one of its key, or the same body at another cost; returns those that make room.
    package mutating func insert(_ hash: UInt64, version: Int64, cost: Int) -> [Int64] {
        var gone: [Int64] = []
        if let known = versions.updateValue(version, forKey: hash), known != version { gone.append(known) }
        var evicted: [UInt64] = []
        adaptiveEviction.access(hash, cost: max(1, cost), evicted: &evicted)
        for hash in evicted { if let version = versions.removeValue(forKey: hash) { gone.append(version) } }
        return gone
    }

    /// Forgets a body; false when it is not kept any more.
    @discardableResult
    package mutating func remove(_ hash: UInt64, version: Int64) -> Bool {
        guard versions[hash] == version else { return false }
        versions[hash] = nil
        adaptiveEviction.remove(hash)
        return true
    }

    /// Forgets every body, but not which rule does best.
    package mutating func removeAll() {
        versions = [:]
        adaptiveEviction.removeAll()
    }
}

extension Blob {
    /// What it takes of the bound of a store, in bytes.
    package var cost: Int { length + metadata.count + key.cost }
}

extension BlobKey {
    /// What the name takes, in bytes.
    package var cost: Int { group.utf8.count + name.utf8.count }
}
