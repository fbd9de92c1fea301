/// An approximate count of recent uses per key (count-min sketch with conservative ageing).
///
/// Counters saturate at 15, and are halved after ten uses per key of capacity (G. Einziger, R. Friedman, B. Manes, TinyLFU, ACM TOS 2017). Ageing
/// aside, an estimate is never too low.
struct FrequencySketch: Sendable {
    private static let rows = 4
    private static let countersPerKey = 8
    private static let incrementsPerKey = 10
    private static let counterLimit: UInt8 = 15

    private var counters: [UInt8]
    private var incrementCount = 0
    /// The number of keys that the sketch is sized for.
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        var size = 64
        while size < Self.countersPerKey * capacity { size *= 2 }
        counters = Array(repeating: 0, count: size)
    }

    /// Returns the estimated number of uses of a key.
    func frequency(of hash: UInt64) -> UInt8 {
        var least = Self.counterLimit
        for row in 0..<Self.rows { least = min(least, counters[index(hash, row)]) }
        return least
    }

    mutating func increment(_ hash: UInt64) {
        var isCounted = false
        for row in 0..<Self.rows {
            let index = index(hash, row)
            guard counters[index] < Self.counterLimit else { continue }
            counters[index] += 1
            isCounted = true
        }
        guard isCounted else { return }
        incrementCount += 1
        if incrementCount >= Self.incrementsPerKey * capacity { age() }
    }

    /// Doubles the capacity without changing any estimate.
    mutating func grow() {
        capacity *= 2
        counters += counters
    }

    private mutating func age() {
        for index in counters.indices { counters[index] >>= 1 }
        incrementCount /= 2
    }

    /// Returns the counter of a key in a row: the hash mixed as by MurmurHash3's finalizer.
    private func index(_ hash: UInt64, _ row: Int) -> Int {
        var mixed = hash &+ UInt64(row) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed ^= mixed >> 33
        return Int(truncatingIfNeeded: mixed) & (counters.count - 1)
    }
}
