import Foundation
import HTTPTypes

/// A strong validator: it tells one version of a file at a server from every other (RFC 9110 §8.8).
public enum FileVersion: Hashable, Sendable {
    /// A strong entity tag, with its quotes.
    case tag(String)
    /// A date of modification at least a second older than the reply that named it.
    case date(String)

    /// As it goes into `If-Range`, and into a journal.
    public var text: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// Reads back what `text` gave.
    public init?(text: String) {
        if text.hasPrefix("\"") { self = .tag(text) } else if !text.isEmpty { self = .date(text) } else { return nil }
    }

    /// The validator of a reply that may stand in `If-Range`; nil when there is none.
    ///
    /// A weak tag is none, and keeps the date from being one (RFC 9110 §13.1.5); a date is one if the file has not changed within the second in
    /// which it was sent (§8.8.2.2).
    init?(_ head: ResponseHead) {
        if let tag = head.headers[.eTag] {
            guard tag.count >= 2, tag.hasPrefix("\""), tag.hasSuffix("\"") else { return nil }
            self = .tag(tag)
            return
        }
        guard let modified = head.headers[.lastModified], let since = HTTPDate(modified)?.date,
            let sent = head.headers[.date].flatMap({ HTTPDate($0)?.date }), sent.timeIntervalSince(since) >= 1
        else { return nil }
        self = .date(modified)
    }
}
