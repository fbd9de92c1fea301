package import Foundation
import HTTPFieldValues
import HTTPTypes

extension HTTPFields {
    /// Returns the delay that the sender requests (RFC 9110 §10.2.3), never negative; nil without a valid `Retry-After`.
    ///
    /// A date is relative to that of the response, because the sender's clock may be wrong, and to `now` when the response has none.
    package func retryAfter(now: Date?) -> Duration? {
        guard let text = self[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = DeltaSeconds.parse(text) { return .seconds(seconds) }
        let sent = self[.date].flatMap { HTTPDate($0, near: now)?.date }
        guard let start = sent ?? now, let end = HTTPDate(text, near: start)?.date else { return nil }
        return .seconds(Swift.max(0, end.timeIntervalSince(start)))
    }
}
