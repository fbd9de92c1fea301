/// Random bits from a function that was handed in.
struct ClosureRandomNumberGenerator: RandomNumberGenerator, Sendable {
    /// Draws 64 bits.
    let generate: @Sendable () -> UInt64

    mutating func next() -> UInt64 { generate() }

    /// A number from 0 up to 1.
    func unitInterval() -> Double {
        var bits = self
        return .random(in: 0..<1, using: &bits)
    }

    func makeTransferID() -> TransferID {
        var bits = self
        return TransferID(using: &bits)
    }
}
