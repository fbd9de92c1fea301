import Foundation
import HTTPTypes

extension HTTPFields {
    /// How long the sender wants to be left alone (RFC 9110 §10.2.3), never negative; nil when these fields do not say.
    ///
    /// A date counts from that of the reply, as the sender's clock may be wrong, and from `now` when the reply has none.
    func retryAfter(now: Date?) -> Duration? {
        guard let text = self[.retryAfter]?.trimmingCharacters(in: .whitespaces) else { return nil }
        if let seconds = Self.seconds(text) { return .seconds(seconds) }
        let sent = self[.date].flatMap { HTTPDate($0, near: now)?.date }
        guard let start = sent ?? now, let end = HTTPDate(text, near: start)?.date else { return nil }
        return .seconds(Swift.max(0, end.timeIntervalSince(start)))
    }

    /// What a number of seconds too large to be meant is taken for (RFC 9111 §1.2.2).
    private static let maximumSeconds = 1 << 31

    private static func seconds(_ text: String) -> Int? {
        guard !text.isEmpty, text.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) else { return nil }
        return Swift.min(Int(text) ?? maximumSeconds, maximumSeconds)
    }
}
