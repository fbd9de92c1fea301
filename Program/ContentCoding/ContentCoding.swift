/// A content coding of the server, by its registered name (RFC 9110 §8.4.1).
package enum ContentCoding: String, Hashable, Sendable {
    case gzip
    /// The plain content.
    case identity
}
