/// What goes wrong with a reply; the raw values are the names by which people ask for it.
package enum Fault: String, CaseIterable, Sendable {
    /// The server fails: status 500.
    case serverError = "500"
    /// The reply comes late, and whole.
    case delay
    /// The connection is closed in the middle of the body.
    case hangup
    /// The body ends early, and going by its length that is all there is.
    case truncate
    /// Bytes in the middle of the body belong to no document.
    case malformed
}
