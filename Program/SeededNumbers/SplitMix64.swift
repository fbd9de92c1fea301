/// A small seeded generator (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", 2014).
///
/// Its methods replace those of the standard library, whose algorithms may change between releases: results are the same on every platform and with
/// every toolchain.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    private var state: UInt64

    /// Creates one of many independent streams of a seed.
    package init(seed: UInt64, stream: Int) {
        state = Self.mixed(seed &+ Self.mixed(UInt64(bitPattern: Int64(stream))))
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixed(state)
    }

    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        let width = UInt64(range.upperBound - range.lowerBound + 1)
        return range.lowerBound + Int(next().multipliedFullWidth(by: width).high)
    }

    /// Returns a random element.
    ///
    /// - Precondition: `elements` is not empty.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        elements[integer(in: 0...elements.count - 1)]
    }

    /// Returns a number in 0..<1.
    package mutating func nextDouble() -> Double {
        Double(next() >> 11) * 0x1p-53
    }

    package mutating func isTrue(onceIn count: Int) -> Bool {
        integer(in: 1...count) == 1
    }

    private static func mixed(_ value: UInt64) -> UInt64 {
        var mixed = value
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
