import Foundation
import LadingHTTP
import OrderStorage

@testable import Geocoding

extension FuzzInput {
    private static let geocoder = GeocoderTemplate("https://example.org/search?q={address}")

    /// Parses the response of a geocoder, and sends the same text to it as an address.
    func parseGeocoderResponse() {
        precondition(Self.geocoder?.url(of: text)?.host() == "example.org", "an address selects no other server")
        guard let coordinate = (try? GeocoderResponse(JSONValue(json: bytes)))?.coordinate else { return }
        precondition(coordinate.distance(to: coordinate).isFinite, "a place has a distance")
    }
}
