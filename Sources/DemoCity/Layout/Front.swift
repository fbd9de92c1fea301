/// One side of a street between two avenues: a row of houses.
struct Front {
    enum Side { case north, south }

    /// Houses in a row; numbers run to 48, odd on the south side and even on the north.
    static let houses = 24
    /// From the middle of an avenue to the first house: 14 m.
    static let corner = 0.000166
    /// From the middle of a street to a door: 14 m.
    static let door = 0.000126

    var column: Int
    var street: Int
    var side: Side

    /// Every front with a built block behind it, from north to south and from west to east.
    static func all(on ground: Ground) -> [Front] {
        Grid.rows.flatMap { row in
            Grid.columns.filter { ground.use(column: $0, row: row) == .built }.flatMap { column in
                [
                    Front(column: column, street: row, side: .south),
                    Front(column: column, street: row + 1, side: .north),
                ]
            }
        }
    }

    func number(ofHouse house: Int) -> Int {
        side == .south ? 2 * house + 1 : 2 * house + 2
    }

    /// The door of the house, rounded to a millionth of a degree.
    func coordinate(ofHouse house: Int) -> Coordinate {
        let row = Grid.avenueStep - 2 * Self.corner
        let along = Self.corner + (Double(house) + 0.5) / Double(Self.houses) * row
        let latitude = Grid.latitude(ofStreet: street) + (side == .north ? Self.door : -Self.door)
        return Coordinate(
            latitude: (latitude * 1_000_000).rounded() / 1_000_000,
            longitude: ((Grid.longitude(ofAvenue: column) + along) * 1_000_000).rounded() / 1_000_000
        )
    }

    /// Nine districts of 15 avenues by 38 streets, counted like a page is read.
    var postcode: Int {
        11_101 + min(street / 38, 2) * 3 + min((column - 1) / 15, 2)
    }
}
