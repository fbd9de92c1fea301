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
        /// Whose it is, for the cache.
        var partition = ""
        /// Whether only the cache is asked.
        var isLookup = false
        /// Whether what the cache finds stale may be asked for anew behind its answer: not without the token that goes with the question.
        var canRefresh = true
        /// Why no server can be asked, so that only what is kept will do; nil when they can.
        var obstacle: BackendError?

        /// Whether nobody is asked for anything, not for a token either.
        var isQuiet: Bool { isLookup || obstacle != nil }
    }

    /// Reads the reply to a message.
    typealias Reading = (ReplyHead, ReplyBody, RequestMessage) async throws -> BackendReply

    /// Makes an exchange within the interceptors.
    func reply(
        to message: RequestMessage, _ exchange: Exchange, through interceptors: ArraySlice<any RequestInterceptor>, read: Reading
    ) async throws -> BackendReply {
        guard let outermost = interceptors.first else { return try await followed(message, exchange, read) }
        let inner = interceptors.dropFirst()
        guard let tokens = outermost as? any TokenInterceptor else {
            return try await outermost.intercept(message) { try await reply(to: $0, exchange, through: inner, read: read) }
        }
        guard !exchange.isQuiet else {
            let known = tokens.withKnownToken(message)
            var exchange = exchange
            if known == nil { exchange.canRefresh = false }
            return try await reply(to: known ?? message, exchange, through: inner, read: read)
        }
        return try await tokens.intercept(message) {
            try await reply(to: $0, exchange, through: inner, read: read)
        } kept: { message, obstacle in
            var exchange = exchange
            exchange.obstacle = obstacle
            return try await reply(to: message, exchange, through: inner, read: read)
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
        let asker = AdmittedExecutor(executor: executor, retries: retries, reachability: reachability, obstacle: exchange.obstacle)
        do {
            // What is confidential is written down nowhere.
            guard let cache, !message.isConfidential else {
                if exchange.isLookup { throw HTTPCache.NotKept() }
                return try await asker.execute(message, timeLimit: remaining) { try await read($0, $1, message) }
            }
            guard !exchange.isLookup else {
                return try await cache.known(
                    message, partition: exchange.partition, timeLimit: remaining, canRefresh: exchange.canRefresh, through: asker
                ) {
                    try await read($0, $1, message)
                }
            }
            return try await cache.exchange(message, partition: exchange.partition, timeLimit: remaining, through: asker) {
                try await read($0, $1, message)
            }
        } catch {
            guard case BackendError.timedOut(let url, after: remaining) = error else { throw error }
            // What struck was the time of the whole exchange, of which this attempt was given the rest.
            throw BackendError.timedOut(url, after: exchange.time)
        }
    }
}

/// Makes an attempt past the circuit breaker of its host, or fails where something stands in the way.
private struct AdmittedExecutor: BackendExecutor {
    let executor: any BackendExecutor
    let retries: RetryControl?
    let reachability: ReachabilityMonitor?
    /// Why nobody can be asked; nil when somebody can.
    let obstacle: BackendError?

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        if let obstacle { throw obstacle }
        var isAnswered = false
        do {
            let admission = try retries?.admit(message)
            return try await attempt(message, timeLimit: timeLimit, admission) { head, body in
                isAnswered = true
                return try await receive(head, body)
            }
        } catch {
            reachability?.noteEnd(of: message, error, isAnswered: isAnswered)
            throw error
        }
    }

    private func attempt<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, _ admission: RetryControl.Admission?,
        _ receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        do {
            var status = HTTPResponse.Status.ok
            let outcome = try await executor.execute(message, timeLimit: timeLimit) { head, body in
                status = head.status
                // The circuit first: whoever learns of the answer may request something at once.
                if let admission { retries?.begin(admission, with: head.status) }
                reachability?.noteAnswer(of: message.url, head.status)
                return try await receive(head, body)
            }
            if let admission { retries?.end(admission, with: .success(status)) }
            return outcome
        } catch {
            if let admission { retries?.end(admission, with: .failure(error)) }
            throw error
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
