/// A point on the globe in degrees (WGS 84), north and east positive.
package struct Coordinate: Hashable, Sendable {
    package var latitude: Double
    package var longitude: Double

    package init(latitude: Double, longitude: Double) {
        self.latitude = latitude
        self.longitude = longitude
    }
}
