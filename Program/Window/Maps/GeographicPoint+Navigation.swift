import Foundation
import LadingRecords

extension GeographicPoint {
    /// The `geo:` URL that opens navigation on a phone (RFC 5870); contains numbers only.
    var navigationURL: String { "geo:\(degrees.latitude),\(degrees.longitude)?q=\(degrees.latitude),\(degrees.longitude)" }

    /// The URL of a web map of the place, for devices without support for `geo:`.
    var webMapURL: String {
        let (latitude, longitude) = degrees
        return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=17/\(latitude)/\(longitude)"
    }

    /// Latitude and longitude as text for copying.
    var coordinates: String { "\(degrees.latitude), \(degrees.longitude)" }

    private var degrees: (latitude: String, longitude: String) {
        let style = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...6)).grouping(.never)
            .locale(Locale(identifier: "en_US_POSIX"))
        return (latitude.formatted(style), longitude.formatted(style))
    }
}
