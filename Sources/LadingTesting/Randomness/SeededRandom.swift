/// A random number generator whose sequence is determined by a seed, on every platform.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        // Distributes consecutive seeds, and avoids the state 0, which xorshift never leaves.
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    /// Creates a generator with a random seed, or that of `LADING_SEED`, and prints the seed.
    package init(for purpose: String) {
        let seed = TestSeeds.fromEnvironment ?? .random(in: 1...UInt64(UInt32.max))
        print("\(purpose): LADING_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// Returns the next number by xorshift (G. Marsaglia, Journal of Statistical Software 8, 2003).
    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}

extension SeededRandom {
    /// Returns random bytes.
    package static func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
        var random = SeededRandom(seed: seed)
        return (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
    }
}
