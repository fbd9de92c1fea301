import ArgumentParser
import LadingRecords

extension GeographicPoint {
    /// Parses a command-line argument.
    init(argument text: String) throws {
        guard let point = Self(text) else {
            throw ValidationError("expected a latitude and a longitude in degrees, such as 51.5,-0.12")
        }
        self = point
    }
}
