/// Random bits from a function that was handed in.
struct DrawnBits: RandomNumberGenerator, Sendable {
    /// Draws 64 bits.
    let draw: @Sendable () -> UInt64

    mutating func next() -> UInt64 { draw() }

    /// A number from 0 up to 1.
    func fraction() -> Double {
        var bits = self
        return .random(in: 0..<1, using: &bits)
    }

    func transferID() -> TransferID {
        var bits = self
        return TransferID(using: &bits)
    }
}
