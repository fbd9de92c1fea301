import Foundation

extension Date {
    /// The form in which pages are sent a time.
    var millisecondsSince1970: Int { Int(timeIntervalSince1970 * 1_000) }
}
