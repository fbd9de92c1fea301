import Foundation
import LadingTesting

/// Synthetic traces of typical workloads, deterministic for each seed.
enum SyntheticTrace {
    /// Returns the hash of a number by the finalizer of MurmurHash3.
    static func hash(_ number: UInt64) -> UInt64 {
        var mixed = number &+ 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed = (mixed ^ (mixed >> 33)) &* 0xC4CE_B9FE_1A85_EC53
        return mixed ^ (mixed >> 33)
    }

    static func loop(length: Int, rounds: Int) -> [UInt64] {
        (0..<length * rounds).map { hash(UInt64($0 % length)) }
    }

    /// Returns a trace that runs through the keys forwards and backwards in turn.
    static func zigzag(length: Int, rounds: Int) -> [UInt64] {
        (0..<rounds).flatMap { turn in
            (0..<length).map { step -> UInt64 in hash(UInt64(turn % 2 == 0 ? step : length - 1 - step)) }
        }
    }

    /// Returns a skewed trace, interrupted by scans of keys that are used once.
    static func scans(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let number = index % 2_000 < 600 ? UInt64(1_000_000 + index) : skewed(800, &random)
            return hash(number)
        }
    }

    /// Returns a skewed trace whose popular keys change continuously.
    static func drift(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let shifted = skewed(800, &random) + UInt64(index / 20)
            return hash(shifted % 2_000)
        }
    }

    /// Returns a trace of keys that are used twice within a short time, and never again.
    static func shortReuse() -> [UInt64] {
        (0..<12_000).map { index -> UInt64 in
            let number = index % 2 == 0 ? index / 2 : max(0, index / 2 - 10)
            return hash(UInt64(number))
        }
    }

    /// Returns a skewed trace in which half of the uses are replaced by keys used twice, up to about two cache sizes apart.
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

    /// Returns a trace in which half of the uses are of 30 index pages, and half of 2,000 records.
    static func pools(seed: UInt64) -> [UInt64] {
        var random = SeededRandom(seed: seed)
        return (0..<12_000).map { index -> UInt64 in
            let number = index % 2 == 0 ? random.next() % 30 : 1_000 + random.next() % 2_000
            return hash(number)
        }
    }

    /// Returns a trace that alternates between skewed, loop and zigzag phases.
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
