import LadingHTTP
import OrderStorage

/// The response of a geocoder, in one of the usual forms.
///
/// | form | services |
/// |---|---|
/// | `[{"lat": "40.7", "lon": "-74.0"}]` | Nominatim |
/// | `{"features": [{"geometry": {"coordinates": [-74.0, 40.7]}}]}` | GeoJSON: Photon, Pelias, Mapbox |
/// | `{"results": [{"geometry": {"lat": 40.7, "lng": -74.0}}]}`, also with `location` around the numbers | OpenCage, Google |
/// | `{"items": [{"position": {"lat": 40.7, "lng": -74.0}}]}` | HERE |
struct GeocoderResponse {
    /// An error that the service reports in its response.
    struct Failure: Error, CustomStringConvertible {
        let reason: String

        var description: String { "it answers: \(reason)" }
    }

    /// The first place; nil if there is none.
    let coordinate: Coordinate?

    /// - Throws: `Failure` for a response that reports an error with the status 200.
    init(_ json: JSONValue) throws {
        let error = json["error_message"]?.string ?? json["error"]?.string ?? json["error"]?["message"]?.string
        let status = json["status"]?.string.flatMap { ["OK", "ZERO_RESULTS"].contains($0) ? nil : $0 }
        if let reason = error ?? status { throw Failure(reason: reason) }
        let found = json[0] ?? json["features"]?[0] ?? json["results"]?[0] ?? json["items"]?[0]
        let place = found?["geometry"]?["location"] ?? found?["geometry"] ?? found?["position"] ?? found
        let latitude = place?["lat"]?.degrees ?? place?["coordinates"]?[1]?.degrees
        let longitude = (place?["lon"] ?? place?["lng"])?.degrees ?? place?["coordinates"]?[0]?.degrees
        coordinate = if let latitude, let longitude { Coordinate(latitude: latitude, longitude: longitude) } else { nil }
    }
}

extension JSONValue {
    /// The element of an array; nil if there is none.
    fileprivate subscript(index: Int) -> JSONValue? {
        if case .array(let elements) = self, elements.indices.contains(index) { elements[index] } else { nil }
    }

    /// A number, which some services write as text.
    fileprivate var degrees: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        case .string(let text): Double(text)
        default: nil
        }
    }
}
