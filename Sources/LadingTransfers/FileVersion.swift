import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingHTTP

/// A strong validator, which distinguishes one version of a file at a server from every other (RFC 9110 §8.8).
public enum FileVersion: Hashable, Sendable {
    /// A strong entity tag, with its quotes.
    case tag(String)
    /// A modification date at least one second older than the response that contained it.
    case date(String)

    /// The value of `If-Range`, also used in journals.
    public var text: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }

    /// Creates a version from its `text`; nil for any other text.
    public init?(text: String) {
        if text.utf8.first == UInt8(ascii: "\"") { self = .tag(text) } else if !text.isEmpty { self = .date(text) } else { return nil }
    }

    /// Creates the validator of a response for `If-Range`; nil when there is none.
    ///
    /// A weak tag is no such validator, and excludes the date as well (RFC 9110 §13.1.5). A date is one if the response was sent at least a second
    /// after it (§8.8.2.2).
    init?(_ head: ResponseHead) {
        if let tag = head.headers[.eTag] {
            guard tag.utf8.count >= 2, tag.utf8.first == UInt8(ascii: "\""), tag.utf8.last == UInt8(ascii: "\"") else { return nil }
            self = .tag(tag)
            return
        }
        guard let modified = head.headers[.lastModified], let since = HTTPDate(modified)?.date,
            let sent = head.headers[.date].flatMap({ HTTPDate($0)?.date }), sent.timeIntervalSince(since) >= 1
        else { return nil }
        self = .date(modified)
    }
}
