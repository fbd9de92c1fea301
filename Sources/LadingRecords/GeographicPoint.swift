import Foundation

/// A point on the globe, in degrees.
public struct GeographicPoint: Hashable, Sendable {
    /// The latitude from −90 to 90, north positive.
    public let latitude: Double
    /// The longitude from −180 to 180, east positive.
    public let longitude: Double

    /// Creates a point; nil if a coordinate is out of range.
    public init?(latitude: Double, longitude: Double) {
        guard abs(latitude) <= 90, abs(longitude) <= 180 else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// The position of the point on a unit sphere.
    ///
    /// The straight distance between two positions grows with their great-circle distance and needs no trigonometry.
    package var unitVector: SIMD3<Double> {
        let (latitude, longitude) = (latitude * .pi / 180, longitude * .pi / 180)
        return SIMD3(cos(latitude) * cos(longitude), cos(latitude) * sin(longitude), sin(latitude))
    }
}

extension GeographicPoint: LosslessStringConvertible {
    /// Parses a point such as `51.5,-0.12`, latitude first.
    public init?(_ text: String) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map {
            Double($0.trimmingCharacters(in: .whitespacesAndNewlines))
        }
        guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    public var description: String { "\(latitude),\(longitude)" }
}

extension GeographicPoint: Codable {
    private enum CodingKeys: String, CodingKey {
        case latitude, longitude
    }

    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let point = try Self(
            latitude: values.decode(Double.self, forKey: .latitude), longitude: values.decode(Double.self, forKey: .longitude))
        guard let point else {
            throw DecodingError.dataCorruptedError(forKey: .latitude, in: values, debugDescription: "latitude or longitude is out of range")
        }
        self = point
    }

    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(latitude, forKey: .latitude)
        try values.encode(longitude, forKey: .longitude)
    }
}
