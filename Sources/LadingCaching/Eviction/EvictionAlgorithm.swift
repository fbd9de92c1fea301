/// The rules by which a cache may forget; which of them does best depends on how it is used.
public enum EvictionAlgorithm: String, CaseIterable, Sendable {
    /// Forgets what was used least recently.
    case lru = "LRU"
    /// Keeps what comes back after the shortest time; best where loops are longer than the cache.
    case lirs = "LIRS"
    /// Keeps what is used again soon after it came; best where most is used once.
    case s3fifo = "S3-FIFO"
    /// Keeps what comes back after it was forgotten; best where uses come in bursts.
    case twoQueue = "2Q"
    /// Keeps what is used most often; best where popularity is stable.
    case tinyLFU = "W-TinyLFU"
    /// Divides the room between what was used once and what was used again; best where things are used twice, far apart.
    case arc = "ARC"

    /// A policy of this rule that holds nothing yet.
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
