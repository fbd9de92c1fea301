package import Foundation
package import OrderLifecycle

extension Timestamp {
    /// Rounds a date down to milliseconds.
    package init(_ date: Date) { self.init(milliseconds: Int64((date.timeIntervalSince1970 * 1_000).rounded(.down))) }

    package var date: Date { Date(timeIntervalSince1970: Double(milliseconds) / 1_000) }
}
