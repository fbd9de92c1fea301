/// A generator of random numbers by a seed (SplitMix64): equal seeds produce equal simulations on every platform.
package struct SimulationRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64, stream: UInt64 = 0) {
        state = seed &* 0x9E37_79B9_7F4A_7C15 ^ stream &* 0xD1B5_4A32_D192_ED03
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number below a bound.
    mutating func number(below bound: Int) -> Int { Int(next() % UInt64(max(bound, 1))) }

    mutating func isTrue(percent: Int) -> Bool { number(below: 100) < percent }

    mutating func seconds(_ range: ClosedRange<Int>) -> Duration { .seconds(range.lowerBound + number(below: range.count)) }

    mutating func element<Element>(of elements: [Element]) -> Element? {
        elements.isEmpty ? nil : elements[number(below: elements.count)]
    }
}
