/// The status of a transfer.
public enum TransferStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// Waiting for a slot, the network or an executing program; starts automatically.
    case pending
    case running
    /// Paused until it is resumed.
    case paused
    case finished
    /// The transfer failed for a reason; it can be resumed.
    case failed
    case cancelled

    /// Whether the status will not change any more.
    public var isFinal: Bool { self == .finished || self == .cancelled }
}
