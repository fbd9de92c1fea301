import Foundation

/// A point on the globe, in degrees.
public struct GeographicPoint: Hashable, Sendable {
    /// From −90 to 90, north positive.
    public let latitude: Double
    /// From −180 to 180, east positive.
    public let longitude: Double

    /// nil when there is no such point.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Where the point is on a globe of radius 1 around the origin.
    ///
    /// The straight distance of two such places grows with their great-circle distance, and costs no trigonometry.
    var place: SIMD3<Double> {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}

extension GeographicPoint: LosslessStringConvertible {
    /// Reads `51.5,-0.12`, latitude first.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { Double(String($0).trimmed) }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    public var description: String { "\(latitude),\(longitude)" }
}

/// The smallest box of latitudes and longitudes around points, across the date line where that is smaller.
public struct GeographicBox: Hashable, Sendable {
    private var latitudes: ClosedRange<Double>?
    /// From −180 to 180, and the same counted from 0 to 360.
    private var longitudes: ClosedRange<Double> = 0...0
    private var turnedLongitudes: ClosedRange<Double> = 0...0

    public init() {}

    /// Makes the box as large as it must be to hold a point.
    public mutating func add(_ point: GeographicPoint) {
        let turned = point.longitude < 0 ? point.longitude + 360 : point.longitude
        guard let latitudes else {
            latitudes = point.latitude...point.latitude
            longitudes = point.longitude...point.longitude
            turnedLongitudes = turned...turned
            return
        }
        self.latitudes = latitudes.extended(to: point.latitude)
        longitudes = longitudes.extended(to: point.longitude)
        turnedLongitudes = turnedLongitudes.extended(to: turned)
    }

    /// The point in its middle; nil while it holds nothing.
    public var centre: GeographicPoint? {
        guard let latitudes else { return nil }
        let isTurned = turnedLongitudes.length < longitudes.length
        let longitude = isTurned ? turnedLongitudes.middle : longitudes.middle
        return GeographicPoint(latitude: latitudes.middle, longitude: longitude > 180 ? longitude - 360 : longitude)
    }
}

extension ClosedRange<Double> {
    fileprivate var middle: Double { (lowerBound + upperBound) / 2 }
    fileprivate var length: Double { upperBound - lowerBound }

    fileprivate func extended(to value: Double) -> ClosedRange { Swift.min(lowerBound, value)...Swift.max(upperBound, value) }
}
