import Foundation

extension Date {
    /// The time in the format of events.
    var millisecondsSince1970: Int { Int(timeIntervalSince1970 * 1_000) }
}
