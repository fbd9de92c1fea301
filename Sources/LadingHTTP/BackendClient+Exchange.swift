import Foundation
import HTTPTypes
import LadingOperations

// The way that every exchange takes, whether its reply is kept or handed over: through the interceptors, along redirects, past the circuit
// breaker of the host, and to the executor.
extension BackendClient {
    /// What all attempts at one exchange have in common.
    struct Exchange {
        let redirects: Int
        /// The longest that the exchange may take; without a stopwatch the longest that each of its replies may take to begin.
        let time: Duration
        let stopwatch: Stopwatch?
        /// Hears how far it is; nil when nobody asks.
        var meter: ExchangeMeter?
    }

    /// Reads the reply to a message.
    typealias Reading = (ReplyHead, ReplyBody, RequestMessage) async throws -> BackendReply

    /// Makes an exchange within the interceptors.
    func reply(
        to message: RequestMessage, _ exchange: Exchange, through interceptors: ArraySlice<any RequestInterceptor>, read: Reading
    ) async throws -> BackendReply {
        guard let outermost = interceptors.first else { return try await followed(message, exchange, read) }
        return try await outermost.intercept(message) { message in
            try await reply(to: message, exchange, through: interceptors.dropFirst(), read: read)
        }
    }

    /// The reply after redirects.
    private func followed(_ message: RequestMessage, _ exchange: Exchange, _ read: Reading) async throws -> BackendReply {
        let trusted = message.provenance.trustedHost(asking: message.url)
        var hop = message
        for _ in 0...exchange.redirects {
            if let objection = policy.objection(to: hop.url) { throw BackendError.refused(hop.url, objection) }
            if message.reach == .any { hop.reach = policy.reach(of: hop.url, trusting: trusted) }
            let reply = try await attempt(exchange.meter?.begin(hop) ?? hop, exchange, read)
            let head = ReplyHead(status: reply.status, headers: reply.headers)
            guard let target = head.redirectTarget(from: reply.url) else { return reply }
            hop = hop.redirected(to: target, status: reply.status)
        }
        throw BackendError.tooManyRedirects(hop.url, limit: exchange.redirects)
    }

    private func attempt(_ message: RequestMessage, _ exchange: Exchange, _ read: Reading) async throws -> BackendReply {
        let remaining = exchange.time - (exchange.stopwatch?.elapsed() ?? .zero)
        guard remaining > .zero else { throw BackendError.timedOut(message.url, after: exchange.time) }
        let admission = try retries?.admit(message)
        do {
            let reply = try await executor.execute(message, timeLimit: remaining) { head, body in
                if let admission { retries?.begin(admission, with: head.status) }
                return try await read(head, body, message)
            }
            if let admission { retries?.end(admission, with: .success(reply.status)) }
            return reply
        } catch {
            if let admission { retries?.end(admission, with: .failure(error)) }
            guard case BackendError.timedOut(let url, after: remaining) = error else { throw error }
            // What struck was the time of the whole exchange, of which this attempt was given the rest.
            throw BackendError.timedOut(url, after: exchange.time)
        }
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
