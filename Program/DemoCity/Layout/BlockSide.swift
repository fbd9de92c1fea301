/// The houses on one side of a street between two avenues.
struct BlockSide {
    /// The side of the street.
    enum Side { case north, south }

    /// The number of houses in a row. House numbers run to 48, odd on the south side and even on the north.
    static let houseCount = 24
    /// The distance from the center line of an avenue to the first house: 14 m.
    static let avenueOffset = 0.000166
    /// The distance from the center line of a street to a door: 14 m.
    static let entryOffset = 0.000126

    /// The column of the block in the grid.
    var column: Int
    /// The number of the street.
    var street: Int
    var side: Side

    /// Returns the sides of all built blocks, from north to south and from west to east: the south side of the street north of the block, and
    /// the north side of the street south of it.
    static func all(on landUse: LandUseMap) -> [BlockSide] {
        Grid.rows.flatMap { row in
            Grid.columns.filter { landUse.use(column: $0, row: row) == .built }.flatMap { column in
                [
                    BlockSide(column: column, street: row, side: .south),
                    BlockSide(column: column, street: row + 1, side: .north),
                ]
            }
        }
    }

    /// Returns the house number.
    ///
    /// - Parameter house: The index of the house from the west.
    func number(ofHouse house: Int) -> Int {
        side == .south ? 2 * house + 1 : 2 * house + 2
    }

    /// Returns the coordinate of a house's door, rounded to a millionth of a degree.
    func coordinate(ofHouse house: Int) -> Coordinate {
        let length = Grid.avenueSpacing - 2 * Self.avenueOffset
        let offset = Self.avenueOffset + (Double(house) + 0.5) / Double(Self.houseCount) * length
        let latitude = Grid.latitude(ofStreet: street) + (side == .north ? Self.entryOffset : -Self.entryOffset)
        return Coordinate(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: ((Grid.longitude(ofAvenue: column) + offset) * 1_000_000).rounded() / 1_000_000
        )
    }

    /// The postal code of the district, one of nine of 15 avenues by 38 streets, numbered by rows from the north-west.
    var postalCode: Int {
        11_101 + min(street / 38, 2) * 3 + min((column - 1) / 15, 2)
    }
}
