/// How a transfer stands.
public enum TransferStatus: String, Hashable, Sendable, Codable, CaseIterable {
    /// It will go on by itself: it waits for a slot, for the network, or for a program that carries it.
    case pending
    case running
    /// It goes on when it is told to.
    case paused
    case finished
    /// It has ended with a reason; it can be told to try again.
    case failed
    case cancelled

    /// Whether nothing will happen any more, whatever it is told.
    public var isFinal: Bool { self == .finished || self == .cancelled }
}
