import DemoCity

/// The layout of the houses along one side of a block: two to five lots wide, of varying depth, some with a gap before the next.
enum HouseLayout {
    /// The number of lots along one side of a block.
    private static let houseCount = 24
    /// The distances from the center line of an avenue to the first lot (14 m) and of a street to the walls (12 m), in degrees.
    private static let avenueMargin = 0.000166
    private static let streetMargin = 0.000108
    /// One meter to the north and one to the east, in degrees.
    private static let degreesPerMeterNorth = 0.000009
    private static let degreesPerMeterEast = 0.00001185

    static func houses(of block: Block) -> [BoundingBox] {
        [false, true].flatMap { row(of: block, isSouth: $0) }
    }

    private static func row(of block: Block, isSouth: Bool) -> [BoundingBox] {
        var random = SplitMix64(block.avenue * 2 + (isSouth ? 1 : 0), block.street)
        let width = (block.bounds.east - block.bounds.west - 2 * avenueMargin) / Double(houseCount)
        var houses: [BoundingBox] = []
        var lot = 0
        while lot < houseCount {
            let drawnSize = 2 + Int(random.next(below: 3))
            let size = houseCount - lot - drawnSize < 2 ? houseCount - lot : drawnSize
            let depth = (14 + random.next(below: 10)) * degreesPerMeterNorth
            let gap = random.next(below: 1) < 0.45 ? 2.4 * degreesPerMeterEast : 0
            let west = block.bounds.west + avenueMargin + Double(lot) * width
            let wall = isSouth ? block.bounds.south + streetMargin : block.bounds.north - streetMargin
            houses.append(
                BoundingBox(
                    south: isSouth ? wall : wall - depth, west: west,
                    north: isSouth ? wall + depth : wall, east: west + Double(size) * width - gap
                ))
            lot += size
        }
        return houses
    }
}

/// A pseudorandom number generator seeded by a position (SplitMix64).
struct SplitMix64 {
    private var state: UInt64

    init(_ column: Int, _ row: Int) {
        state = UInt64(truncatingIfNeeded: column &* 73_856_093 ^ row &* 19_349_663)
    }

    /// Returns a number in the range `0..<limit`.
    mutating func next(below limit: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53) * limit
    }
}
