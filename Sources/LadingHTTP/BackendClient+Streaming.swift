public import Foundation
import HTTPTypes
import LadingOperations

extension BackendClient {
    /// Hands over the reply to a message as it arrives, whatever its status, after redirects.
    ///
    /// What `receive` reads has no bound but the limits of the executor: it is for bodies that are too long to be kept in memory. The interceptors of the
    /// client, which see whole replies, do not stand around it.
    /// - Parameters:
    ///   - redirects: How many redirects are followed.
    ///   - headTime: How long a reply may take to begin.
    ///   - receive: Reads the reply, and is told the URL that answered; the exchange ends when it returns.
    /// - Throws: `BackendError`, `CancellationError` when the task is cancelled, and what `receive` throws.
    public func exchange<Outcome: Sendable>(
        _ message: RequestMessage, redirects: Int = 5, headTime: Duration = .seconds(30),
        receive: (ReplyHead, ReplyBody, URL) async throws -> Outcome
    ) async throws -> Outcome {
        let trusted = message.provenance.trustedHost(asking: message.url)
        var hop = message
        for _ in 0...redirects {
            if let objection = policy.objection(to: hop.url) { throw BackendError.refused(hop.url, objection) }
            if message.reach == .any { hop.reach = policy.reach(of: hop.url, trusting: trusted) }
            let url = hop.url
            let step = try await executor.execute(hop, timeLimit: headTime) { head, body -> Step<Outcome> in
                if let target = head.redirectTarget(from: url) { return .redirect(target, head.status) }
                return .outcome(try await receive(head, body, url))
            }
            switch step {
            case .outcome(let outcome): return outcome
            case .redirect(let target, let status): hop = hop.redirected(to: target, status: status)
            }
        }
        throw BackendError.tooManyRedirects(hop.url, limit: redirects)
    }

    private enum Step<Outcome: Sendable>: Sendable {
        case outcome(Outcome)
        case redirect(URL, HTTPResponse.Status)
    }
}

extension ReplyHead {
    /// Where a redirect leads; nil when the reply is none.
    func redirectTarget(from url: URL) -> URL? {
        let redirects: [HTTPResponse.Status] = [
            .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect,
        ]
        guard redirects.contains(status), let location = headers[.location] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
