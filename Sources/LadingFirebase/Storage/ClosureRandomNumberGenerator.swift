import LadingTransfers

/// A random number generator that calls a closure.
struct ClosureRandomNumberGenerator: RandomNumberGenerator, Sendable {
    /// Returns 64 random bits.
    let generate: @Sendable () -> UInt64

    mutating func next() -> UInt64 { generate() }

    /// Returns a number in 0..<1.
    func unitInterval() -> Double {
        var bits = self
        return .random(in: 0..<1, using: &bits)
    }

    func makeTransferID() -> TransferID {
        var bits = self
        return TransferID(using: &bits)
    }
}
