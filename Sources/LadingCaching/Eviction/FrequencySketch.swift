/// Roughly how often keys were used lately, in a few bits for each (count-min sketch with conservative ageing).
///
/// Counters end at 15, and are halved once there were ten uses for each key that the sketch is made for (G. Einziger, R. Friedman, B. Manes, TinyLFU, ACM TOS
/// 2017). An estimate is never too low by anything but ageing.
struct FrequencySketch: Sendable {
    private static let rows = 4
    private static let countersPerKey = 8
    private static let incrementsPerKey = 10
    private static let counterLimit: UInt8 = 15

    private var counters: [UInt8]
    private var incrementCount = 0
    /// How many keys it is made for.
    private(set) var capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
        var size = 64
        while size < Self.countersPerKey * capacity { size *= 2 }
        counters = Array(repeating: 0, count: size)
    }

    /// How often a key was used, as far as can be told.
    func estimate(_ hash: UInt64) -> UInt8 {
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

    /// Is made for twice as many keys from now on, and tells of each what it told before.
    mutating func grow() {
        capacity *= 2
        counters += counters
    }

    private mutating func age() {
        for index in counters.indices { counters[index] >>= 1 }
        incrementCount /= 2
    }

    /// Another counter for each row: the hash stirred as by MurmurHash3's finalizer.
    private func index(_ hash: UInt64, _ row: Int) -> Int {
        var mixed = hash &+ UInt64(row) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 33)) &* 0xFF51_AFD7_ED55_8CCD
        mixed ^= mixed >> 33
        return Int(truncatingIfNeeded: mixed) & (counters.count - 1)
    }
}
