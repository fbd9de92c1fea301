/// A fault injected into a response. The raw values are the names in options.
package enum Fault: String, CaseIterable, Sendable {
    /// The server fails with status 500.
    case serverError = "500"
    /// The complete response arrives late.
    case delay
    /// The connection is closed in the middle of the body.
    case hangup
    /// The body ends early, with a matching content length.
    case truncate
    /// Invalid bytes in the middle of the body.
    case malformed
}
