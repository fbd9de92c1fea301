import DemoCity

/// The houses along one side of a block: as wide as two to five lots, some deeper, some with a gap before the next.
enum HouseRow {
    private static let lots = 24
    /// From the middle of an avenue to the first lot, and of a street to the walls: 14 m and 12 m in degrees.
    private static let corner = 0.000166
    private static let setback = 0.000108
    /// A metre to the north, and one to the east.
    private static let north = 0.000009
    private static let east = 0.00001185

    static func houses(of block: Block) -> [Area] {
        [false, true].flatMap { row(of: block, isSouth: $0) }
    }

    private static func row(of block: Block, isSouth: Bool) -> [Area] {
        var chance = Chance(block.avenue * 2 + (isSouth ? 1 : 0), block.street)
        let width = (block.area.east - block.area.west - 2 * corner) / Double(lots)
        var houses: [Area] = []
        var lot = 0
        while lot < lots {
            let wish = 2 + Int(chance.share(of: 3))
            let size = lots - lot - wish < 2 ? lots - lot : wish
            let depth = (14 + chance.share(of: 10)) * north
            let gap = chance.share(of: 1) < 0.45 ? 2.4 * east : 0
            let west = block.area.west + corner + Double(lot) * width
            let wall = isSouth ? block.area.south + setback : block.area.north - setback
            houses.append(
                Area(
                    south: isSouth ? wall : wall - depth, west: west,
                    north: isSouth ? wall + depth : wall, east: west + Double(size) * width - gap
                ))
            lot += size
        }
        return houses
    }
}

/// Numbers that look random and are always the same for the same place (the finalizer of SplitMix64).
struct Chance {
    private var state: UInt64

    init(_ column: Int, _ row: Int) {
        state = UInt64(truncatingIfNeeded: column &* 73_856_093 ^ row &* 19_349_663)
    }

    /// A number from 0 up to, but not including, the limit.
    mutating func share(of limit: Double) -> Double {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Double((mixed ^ (mixed >> 31)) >> 11) / Double(1 << 53) * limit
    }
}
