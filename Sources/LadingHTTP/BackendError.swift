public import Foundation

/// Why an exchange with a backend gave no value.
public enum BackendError: Error {
    /// No connection came about: the name is unknown, nobody listens, the network is down.
    case unreachable(URL, cause: any Error)
    /// The server was silent, or the exchange went on, for longer than this, which is the limit that struck.
    case timedOut(URL, after: Duration)
    /// The connection ended in the middle of the reply.
    case interrupted(URL, cause: any Error)
    /// The reply was no HTTP, or broke its rules.
    case malformedReply(URL, cause: any Error)
    /// The server refused or failed, with a status other than 200–299.
    case status(Int, URL)
    /// The body is longer than the bound, in bytes.
    case bodyTooLarge(URL, limit: Int)
    /// The body came so much faster than it was read that this many bytes lay unread.
    case overrun(URL, limit: Int)
    /// The server redirected more often than allowed.
    case tooManyRedirects(URL, limit: Int)
    /// The URL, given or redirected to, may not be asked.
    case refused(URL, URLPolicy.Objection)
    /// The body could not be read as what it should be.
    case undecodable(URL, cause: any Error)

    /// The URL that failed.
    public var url: URL {
        switch self {
        case .unreachable(let url, _), .timedOut(let url, _), .interrupted(let url, _), .malformedReply(let url, _),
            .status(_, let url), .bodyTooLarge(let url, _), .overrun(let url, _), .tooManyRedirects(let url, _),
            .refused(let url, _), .undecodable(let url, _):
            url
        }
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
        case .malformedReply: "\(authority) sent a reply that is no proper HTTP"
        case .status(404, _): "not found (404): \(url.path)"
        case .status(let status, _): "the server answered \(status): \(url.path)"
        case .bodyTooLarge(_, let limit): "the reply is longer than \(limit.formatted(.byteCount(style: .memory)))"
        case .overrun(_, let limit):
            "\(authority) sent faster than could be read; gave up with \(limit.formatted(.byteCount(style: .memory))) unread"
        case .tooManyRedirects(_, let limit): "redirected more than \(limit) times"
        case .refused(_, let objection): "\(objection): \(url.absoluteString)"
        case .undecodable(_, let cause): "cannot read \(url.lastPathComponent): \(cause)"
        }
    }

    private static let limitStyle = Duration.UnitsFormatStyle(
        allowedUnits: [.minutes, .seconds, .milliseconds], width: .abbreviated)

    private var authority: String { url.authority ?? url.absoluteString }
}
