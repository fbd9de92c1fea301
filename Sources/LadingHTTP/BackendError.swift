public import Foundation
public import HTTPTypes

/// Why an exchange with a backend gave no value.
public enum BackendError: Error {
    /// No connection came about: the name is unknown, nobody listens, the network is down.
    case unreachable(URL, cause: any Error)
    /// The server was silent, or the exchange went on, for longer than this, which is the limit that struck.
    case timedOut(URL, after: Duration)
    /// The connection ended in the middle of the reply.
    case interrupted(URL, cause: any Error)
    /// The reply was no HTTP, or broke its rules.
    case malformedResponse(URL, cause: any Error)
    /// The server refused or failed, with a status other than 200–299 and these header fields.
    case status(Int, URL, headers: HTTPFields = [:])
    /// The body is longer than the bound, in bytes.
    case bodyTooLarge(URL, limit: Int)
    /// The body came so much faster than it was read that this many bytes lay unread.
    case overrun(URL, limit: Int)
    /// The server redirected more often than allowed.
    case tooManyRedirects(URL, limit: Int)
    /// The URL, given or redirected to, may not be asked.
    case policyViolation(URL, URLPolicy.Violation)
    /// The body could not be read as what it should be.
    case decodingFailed(URL, cause: any Error)
    /// The host failed so often lately that it was not asked, and will not be for about this much longer.
    case circuitOpen(URL, retryAfter: Duration)

    /// The URL that failed.
    public var url: URL {
        switch self {
        case .unreachable(let url, _), .timedOut(let url, _), .interrupted(let url, _), .malformedResponse(let url, _),
            .status(_, let url, _), .bodyTooLarge(let url, _), .overrun(let url, _), .tooManyRedirects(let url, _),
            .policyViolation(let url, _), .decodingFailed(let url, _), .circuitOpen(let url, _):
            url
        }
    }

    /// How long the server wants to be left alone (RFC 9110 §10.2.3); nil when it did not answer, or did not say.
    public var retryAfter: Duration? {
        if case .status(_, _, let headers) = self { headers.retryAfter(now: nil) } else { nil }
    }
}

extension BackendError: LocalizedError, CustomStringConvertible {
    /// What went wrong, in one line for people.
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .unreachable: "cannot reach \(authority)"
        case .timedOut(_, let limit): "gave up waiting for \(authority) after \(limit.formatted(Self.limitStyle))"
        case .interrupted: "the connection to \(authority) broke"
        case .malformedResponse: "\(authority) sent a reply that is no proper HTTP"
        case .status(404, _, _): "not found (404): \(url.path)"
        case .status(let status, _, _): "the server answered \(status)\(retryAfterClause): \(url.path)"
        case .bodyTooLarge(_, let limit): "the reply is longer than \(limit.formatted(.byteCount(style: .memory)))"
        case .overrun(_, let limit):
            "\(authority) sent faster than could be read; gave up with \(limit.formatted(.byteCount(style: .memory))) unread"
        case .tooManyRedirects(_, let limit): "redirected more than \(limit) times"
        case .policyViolation(_, let objection): "\(objection): \(url.redacted)"
        case .decodingFailed(_, let cause): "cannot read \(url.lastPathComponent): \(cause)"
        case .circuitOpen: "\(authority) failed too often lately and is left alone for a moment"
        }
    }

    private var retryAfterClause: String {
        guard let retryAfter, retryAfter > .zero else { return "" }
        return " and wants to be left alone for \(retryAfter.formatted(Self.retryAfterStyle))"
    }

    private static let retryAfterStyle = Duration.UnitsFormatStyle(allowedUnits: [.days, .hours, .minutes, .seconds], width: .abbreviated)

    private static let limitStyle = Duration.UnitsFormatStyle(
        allowedUnits: [.minutes, .seconds, .milliseconds], width: .abbreviated)

    private var authority: String { url.authority ?? url.redacted }
}
