/// The status of a transfer.
public enum TransferStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// The transfer starts by itself: it waits for a slot, for the network, or for a program that runs it.
    case pending
    case running
    /// The transfer waits to be resumed.
    case paused
    case finished
    /// The transfer failed for a reason; it can be resumed.
    case failed
    case cancelled

    /// Whether the status will not change any more.
    public var isFinal: Bool { self == .finished || self == .cancelled }
}
