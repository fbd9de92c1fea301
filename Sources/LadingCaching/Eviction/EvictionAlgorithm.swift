/// The eviction algorithms of a cache; the best one depends on the workload.
public enum EvictionAlgorithm: String, CaseIterable, Sendable {
    /// Evicts the least recently used key.
    case lru = "LRU"
    /// Retains keys with the shortest time between uses; best for loops that are longer than the cache.
    case lirs = "LIRS"
    /// Retains keys that are used again soon after insertion; best where most keys are used once.
    case s3fifo = "S3-FIFO"
    /// Retains keys that are used again after their eviction; best where uses occur in bursts.
    case twoQueue = "2Q"
    /// Retains the most frequently used keys; best where popularity is stable.
    case tinyLFU = "W-TinyLFU"
    /// Balances keys used once against keys used repeatedly; best where keys are used twice, far apart.
    case arc = "ARC"

    /// Returns an empty policy of this algorithm.
    func makePolicy(limit: Weight) -> any EvictionPolicy {
        switch self {
        case .lru: LRUPolicy(limit: limit)
        case .lirs: LIRSPolicy(limit: limit)
        case .s3fifo: S3FIFOPolicy(limit: limit)
        case .twoQueue: TwoQueuePolicy(limit: limit)
        case .tinyLFU: TinyLFUPolicy(limit: limit)
        case .arc: ARCPolicy(limit: limit)
        }
    }
}
