import Foundation
import LadingFeeds

extension GeographicPoint {
    /// What a phone opens its navigation with (RFC 5870): numbers only, whatever a server sent.
    var navigateURL: String {
        let degrees = FloatingPointFormatStyle<Double>.number.precision(.fractionLength(0...6)).grouping(.never)
            .locale(Locale(identifier: "en_US_POSIX"))
        let place = "\(latitude.formatted(degrees)),\(longitude.formatted(degrees))"
        return "geo:\(place)?q=\(place)"
    }
}
