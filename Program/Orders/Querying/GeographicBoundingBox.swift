public import LadingRecords

/// The smallest bounding box of a set of points, across the date line where that is smaller.
public struct GeographicBoundingBox: Hashable, Sendable {
    private var latitudes: ClosedRange<Double>?
    /// The longitudes from −180 to 180; `shiftedLongitudes` are the same from 0 to 360.
    private var longitudes: ClosedRange<Double> = 0...0
    private var shiftedLongitudes: ClosedRange<Double> = 0...0

    public init() {}

    /// Extends the box to contain a point.
    public mutating func add(_ point: GeographicPoint) {
        let shifted = point.longitude < 0 ? point.longitude + 360 : point.longitude
        guard let latitudes else {
            latitudes = point.latitude...point.latitude
            longitudes = point.longitude...point.longitude
            shiftedLongitudes = shifted...shifted
            return
        }
        self.latitudes = latitudes.extended(to: point.latitude)
        longitudes = longitudes.extended(to: point.longitude)
        shiftedLongitudes = shiftedLongitudes.extended(to: shifted)
    }

    /// The center of the box; nil when it is empty.
    public var center: GeographicPoint? {
        guard let latitudes else { return nil }
        let isShifted = shiftedLongitudes.length < longitudes.length
        let longitude = isShifted ? shiftedLongitudes.middle : longitudes.middle
        return GeographicPoint(latitude: latitudes.middle, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
}

extension ClosedRange<Double> {
    fileprivate var middle: Double { (lowerBound + upperBound) / 2 }
    fileprivate var length: Double { upperBound - lowerBound }

    fileprivate func extended(to value: Double) -> ClosedRange { Swift.min(lowerBound, value)...Swift.max(upperBound, value) }
}
