import ErrorDescriptions
public import Foundation
public import HTTPTypes

/// An error of an exchange with a backend.
public enum BackendError: Error {
    /// No connection was established: the name is unknown, no process listens, or the network is down.
    case unreachable(URL, cause: any Error)
    /// The server was silent, or the exchange lasted, for longer than the given limit.
    case timedOut(URL, after: Duration)
    /// The connection ended before the response did.
    case interrupted(URL, cause: any Error)
    /// The response violates HTTP.
    case malformedResponse(URL, cause: any Error)
    /// The server responded with a status other than 200–299, and with these header fields and this body.
    case status(Int, URL, response: ErrorResponse = ErrorResponse())
    /// The body exceeds the limit, in bytes.
    case bodyTooLarge(URL, limit: Int)
    /// The body arrived so much faster than it was read that the unread bytes exceeded the limit.
    case bufferLimitExceeded(URL, limit: Int)
    /// The server redirected more often than allowed.
    case tooManyRedirects(URL, limit: Int)
    /// The URL, or the target of a redirect, violates the URL policy.
    case policyViolation(URL, URLPolicy.Violation)
    /// The body could not be decoded.
    case decodingFailed(URL, cause: any Error)
    /// The circuit breaker of the host is open: the request was not sent, nor will others be for about the given time.
    case circuitOpen(URL, retryAfter: Duration)

    /// The URL that failed.
    public var url: URL {
        switch self {
        case .unreachable(let url, _), .timedOut(let url, _), .interrupted(let url, _), .malformedResponse(let url, _),
            .status(_, let url, _), .bodyTooLarge(let url, _), .bufferLimitExceeded(let url, _), .tooManyRedirects(let url, _),
            .policyViolation(let url, _), .decodingFailed(let url, _), .circuitOpen(let url, _):
            url
        }
    }

    /// The delay that the server requested (RFC 9110 §10.2.3); nil without a response or without a valid one.
    public var retryAfter: Duration? {
        if case .status(_, _, let response) = self { response.headers.retryAfter(now: nil) } else { nil }
    }

    /// The problem that the server described (RFC 9457); nil without a response or without a description.
    public var problem: ProblemDetails? {
        if case .status(_, _, let response) = self { response.problem } else { nil }
    }
}

extension BackendError {
    /// Returns the error of a response with these header fields, without its body.
    public static func status(_ code: Int, _ url: URL, headers: HTTPFields) -> BackendError {
        .status(code, url, response: ErrorResponse(headers: headers))
    }

    /// Creates the error of a response with a status other than 200–299, with the beginning of its body unless the exchange contains secrets.
    package init(statusOf response: BackendResponse) {
        let limit = ErrorResponse.bodyLimit
        let body = response.containsSecrets ? [] : Array(response.body.prefix(limit))
        let isTruncated = response.isTruncated || response.body.count > limit
        self = .status(
            response.status.code, response.url,
            response: ErrorResponse(headers: response.headers, body: body, isTruncated: isTruncated))
    }
}

extension BackendError: LocalizedError, CustomStringConvertible {
    /// A description of the error in one line, for users.
    public var errorDescription: String? { description }

    public var description: String { message.redactingSecrets }

    private var message: String {
        switch self {
        case .unreachable(_, let cause): "cannot reach \(authority)\(cause.descriptionSuffix)"
        case .timedOut(_, let limit):
            "request to \(authority) timed out after \(limit.formatted(Self.limitStyle)): "
                + "retry, or raise the time limit or the read timeout"
        case .interrupted(_, let cause): "lost the connection to \(authority)\(cause.descriptionSuffix)"
        case .malformedResponse(_, let cause): "\(authority) sent an invalid HTTP response\(cause.descriptionSuffix)"
        case .status(404, _, _): "not found (404): \(url.path)"
        case .status(let status, _, _): "the server responded with \(status)\(retryAfterText): \(url.path)"
        case .bodyTooLarge(_, let limit):
            "the response exceeds the limit of \(limit.formatted(.byteCount(style: .memory))): raise ResponseLimits.bodySize"
        case .bufferLimitExceeded(_, let limit):
            "the response of \(authority) exceeds the buffer limit of \(limit.formatted(.byteCount(style: .memory))): "
                + "read it faster, or raise the limit"
        case .tooManyRedirects(_, let limit): "\(authority) responded with more than \(limit) redirects"
        case .policyViolation(_, let violation): "\(violation): \(url.redacted)"
        case .decodingFailed(_, let cause): "cannot read \(documentName)".appending(cause: cause)
        case .circuitOpen: "requests to \(authority) are paused after repeated failures: retry later"
        }
    }

    private var retryAfterText: String {
        guard let retryAfter, retryAfter > .zero else { return "" }
        return " (retry after \(retryAfter.formatted(Self.retryAfterStyle)))"
    }

    private static let retryAfterStyle = Duration.UnitsFormatStyle(allowedUnits: [.days, .hours, .minutes, .seconds], width: .abbreviated)

    private static let limitStyle = Duration.UnitsFormatStyle(
        allowedUnits: [.minutes, .seconds, .milliseconds], width: .abbreviated)

    private var documentName: String {
        let name = url.lastPathComponent
        return name.isEmpty || name == "/" ? "the response of \(authority)" : name
    }

    private var authority: String { url.authority ?? url.redacted }
}
