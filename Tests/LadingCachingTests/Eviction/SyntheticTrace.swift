import Foundation
import LadingTesting

/// Uses of keys such as they are met, always the same for the same seed.
enum SyntheticTrace {
    /// A number as a good hash: the finalizer of MurmurHash3.
    static func hash(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ (mixed >> 33)
    }

    static func loop(length: Int, rounds: Int) -> [UInt64] {
        (0..<length * rounds).map { hash(UInt64($0 % length)) }
    }

    /// To and fro.
    static func zigzag(length: Int, rounds: Int) -> [UInt64] {
        (0..<rounds).flatMap { turn in
            (0..<length).map { step -> UInt64 in hash(UInt64(turn % 2 == 0 ? step : length - 1 - step)) }
        }
    }

    /// Keys of which few are used often, with scans of keys that are used once.
    static func scans(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let number = index % 2_000 < 600 ? UInt64(1_000_000 + index) : skewed(800, &random)
            return hash(number)
        }
    }

    /// Keys of which few are used often; which they are changes all the time.
    static func drift(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let shifted = skewed(800, &random) + UInt64(index / 20)
            return hash(shifted % 2_000)
        }
    }

    /// Each key is used twice within a short time, and never again.
    static func shortReuse() -> [UInt64] {
        (0..<12_000).map { index -> UInt64 in
            let number = index % 2 == 0 ? index / 2 : max(0, index / 2 - 10)
            return hash(UInt64(number))
        }
    }

    /// Half of what is used comes once more, within about two sizes, and never again; the rest are keys of which few are used often.
    static func longReuse(size: Int, seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        var trace = [UInt64?](repeating: nil, count: 12_000)
        for index in trace.indices where trace[index] == nil {
            if random.next() % 2 == 0 {
                trace[index] = hash(skewed(800, &random))
            } else {
                trace[index] = hash(UInt64(1_000_000 + index))
                let earliest = index + size / 5 + Int(random.next() % UInt64(2 * size))
                let free = trace.indices.dropFirst(earliest).first { trace[$0] == nil }
                if let free { trace[free] = trace[index] }
            }
        }
        return trace.compactMap(\.self)
    }

    /// Half of the uses are of an index of 30 pages, half of 2,000 records.
    static func pools(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let number = index % 2 == 0 ? random.next() % 30 : 1_000 + random.next() % 2_000
            return hash(number)
        }
    }

    /// Skewed, then a loop, then to and fro, and so on.
    static func phases(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        var trace: [UInt64] = []
        for _ in 0..<3 {
            for _ in 0..<2_000 { trace.append(hash(skewed(800, &random))) }
            trace += loop(length: 250, rounds: 8)
            trace += zigzag(length: 300, rounds: 6)
        }
        return trace
    }

    private static func skewed(_ limit: Double, _ random: inout SeededRandom) -> UInt64 {
        let part = Double(random.next() >> 11) / Double(1 << 53)
        return UInt64(limit * part * part * part)
    }
}
