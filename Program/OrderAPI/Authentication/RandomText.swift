/// A source of secrets and ids.
package struct RandomText: Sendable {
    private let bytes: @Sendable (Int) -> [UInt8]

    /// Creates a source that reads the random numbers of the system, which nobody can predict.
    package init() {
        bytes = { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
        }
    }

    /// Creates a source for tests and simulations.
    ///
    /// - Parameter bytes: Returns the given number of bytes.
    package init(bytes: @escaping @Sendable (Int) -> [UInt8]) {
        self.bytes = bytes
    }

    /// Returns a secret of 256 bits, in 64 hexadecimal digits.
    package func secret() -> String { text(ofBytes: 32) }

    /// Returns an id of 64 bits.
    package func id() -> String { text(ofBytes: 8) }

    private func text(ofBytes count: Int) -> String {
        bytes(count).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
