/// Random numbers that come again with their seed, the same everywhere.
package struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        // Neighbouring seeds are to begin far apart, and none at 0, which xorshift never leaves.
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    /// Numbers that are others every time, unless `LADING_SEED` is set; the seed is printed.
    package init(for purpose: String) {
        let seed = TestSeeds.fromEnvironment ?? .random(in: 1...UInt64(UInt32.max))
        print("\(purpose): LADING_SEED=\(seed)")
        self.init(seed: seed)
    }

    /// The next number by xorshift (G. Marsaglia, Journal of Statistical Software 8, 2003).
    package mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
