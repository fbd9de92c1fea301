/// A park that covers whole blocks and the roads between them.
package struct Park: Hashable, Sendable {
    package var name: String
    /// The area between the center lines of the bounding roads.
    package var bounds: BoundingBox
    var columns: Range<Int>
    var rows: Range<Int>

    init(_ name: String, columns: Range<Int>, rows: Range<Int>) {
        self.name = name
        self.columns = columns
        self.rows = rows
        bounds = BoundingBox(
            south: Grid.latitude(ofStreet: rows.upperBound),
            west: Grid.longitude(ofAvenue: columns.lowerBound),
            north: Grid.latitude(ofStreet: rows.lowerBound),
            east: Grid.longitude(ofAvenue: columns.upperBound)
        )
    }

    func contains(column: Int, row: Int) -> Bool {
        columns.contains(column) && rows.contains(row)
    }

    static let all = [
        Park("Stowaway Park", columns: 26..<30, rows: 64..<77),
        Park("Lamplighters Green", columns: 17..<20, rows: 17..<23),
        Park("Mill Pond Fields", columns: 38..<41, rows: 41..<50),
        Park("Ropewalk Common", columns: 15..<17, rows: 52..<57),
        Park("Signal Hill", columns: 31..<34, rows: 91..<98),
        Park("Net Makers Square", columns: 22..<23, rows: 46..<49),
        Park("Orchard Reserve", columns: 25..<28, rows: 5..<12),
        Park("Cooperage Yard", columns: 20..<21, rows: 81..<84),
        Park("Tern Meadow", columns: 40..<43, rows: 76..<82),
        Park("Harvest Square", columns: 34..<35, rows: 61..<64),
        Park("Biscuit Green", columns: 11..<13, rows: 66..<69),
        Park("Weavers Garden", columns: 33..<35, rows: 27..<31),
    ]
}
