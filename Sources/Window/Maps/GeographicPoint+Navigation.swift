import Foundation
import LadingFeeds

extension GeographicPoint {
    /// What a phone opens its navigation with (RFC 5870): numbers only, whatever a server sent.
    var navigationURL: String { "geo:\(degrees.latitude),\(degrees.longitude)?q=\(degrees.latitude),\(degrees.longitude)" }

    /// A map of the place in the web, for devices that open no `geo:` address.
    var webMapURL: String {
        let (latitude, longitude) = degrees
        return "https://www.openstreetmap.org/?mlat=\(latitude)&mlon=\(longitude)#map=17/\(latitude)/\(longitude)"
    }

    /// Latitude and longitude as text, to be copied into other programs.
    var coordinates: String { "\(degrees.latitude), \(degrees.longitude)" }

    private var degrees: (latitude: String, longitude: String) {
        let style = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...6)).grouping(.never)
            .locale(Locale(identifier: "en_US_POSIX"))
        return (latitude.formatted(style), longitude.formatted(style))
    }
}
