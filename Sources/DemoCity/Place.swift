/// A postal address together with the point where its door is.
package struct Place: Hashable, Sendable {
    package var address: String
    package var coordinate: Coordinate

    package init(address: String, coordinate: Coordinate) {
        self.address = address
        self.coordinate = coordinate
    }
}
