import Foundation

/// Random numbers that come again with their seed.
///
/// The seed is printed; the environment variable LADING_SEED brings it back.
struct SeededRandom: RandomNumberGenerator {
    private var state: UInt64

    init(for purpose: String) {
        let seed = ProcessInfo.processInfo.environment["LADING_SEED"].flatMap { UInt64($0) } ?? .random(in: 1...UInt64(UInt32.max))
        print("\(purpose): LADING_SEED=\(seed)")
        state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    }

    mutating func next() -> UInt64 {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return state
    }
}
