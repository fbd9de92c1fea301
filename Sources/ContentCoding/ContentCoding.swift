/// A content coding that servers apply, by its registered name (RFC 9110 §8.4.1).
package enum ContentCoding: String, Hashable, Sendable {
    case gzip
    /// The content as it is.
    case identity
}
