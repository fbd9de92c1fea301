/// A postal address and the coordinate of its door.
package struct Place: Hashable, Sendable {
    package var address: String
    package var coordinate: Coordinate

    package init(address: String, coordinate: Coordinate) {
        self.address = address
        self.coordinate = coordinate
    }
}
