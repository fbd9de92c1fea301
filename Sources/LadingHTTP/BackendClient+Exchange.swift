import Foundation
import HTTPTypes
import LadingOperations

// The way that every exchange takes, whether its reply is kept or handed over: through the interceptors, along redirects, past the circuit
// breaker of the host, and to the executor.
extension BackendClient {
    /// What all attempts at one exchange have in common.
    struct ExchangeContext {
        let redirects: Int
        /// The longest that the exchange may take; without a stopwatch the longest that each of its replies may take to begin.
        let timeLimit: Duration
        let stopwatch: Stopwatch?
        /// Hears how far it is; nil when nobody asks.
        var meter: ExchangeProgressReporter?
        /// Whose it is, for the cache.
        var partition = ""
        /// Whether only the cache is asked.
        var isLookup = false
        /// Whether what the cache finds stale may be asked for anew behind its answer: not without the token that goes with the question.
        var canRefresh = true
        /// Why no server can be asked, so that only what is kept will do; nil when they can.
        var originError: BackendError?

        /// Whether nobody is asked for anything, not for a token either.
        var isCacheOnly: Bool { isLookup || originError != nil }
    }

    /// Reads the reply to a message.
    typealias ResponseReader = (ResponseHead, ResponseBody, RequestMessage) async throws -> BackendResponse

    /// Makes an exchange within the interceptors.
    func response(
        to message: RequestMessage, _ exchange: ExchangeContext, through interceptors: ArraySlice<any RequestInterceptor>, read: ResponseReader
    ) async throws -> BackendResponse {
        guard let outermost = interceptors.first else { return try await followRedirects(message, exchange, read) }
        let inner = interceptors.dropFirst()
        guard let tokens = outermost as? any TokenInterceptor else {
            return try await outermost.intercept(message) { try await response(to: $0, exchange, through: inner, read: read) }
        }
        guard !exchange.isCacheOnly else {
            let known = tokens.withCachedToken(message)
            var exchange = exchange
            if known == nil { exchange.canRefresh = false }
            return try await response(to: known ?? message, exchange, through: inner, read: read)
        }
        return try await tokens.intercept(message) {
            try await response(to: $0, exchange, through: inner, read: read)
        } fallback: { message, obstacle in
            var exchange = exchange
            exchange.originError = obstacle
            return try await response(to: message, exchange, through: inner, read: read)
        }
    }

    /// The reply after redirects.
    private func followRedirects(_ message: RequestMessage, _ exchange: ExchangeContext, _ read: ResponseReader) async throws -> BackendResponse {
        let trusted = message.trust.trustedHost(for: message.url)
        var hop = message
        for _ in 0...exchange.redirects {
            if let objection = policy.violation(for: hop.url) { throw BackendError.policyViolation(hop.url, objection) }
            if message.addressPolicy == .any { hop.addressPolicy = policy.addressPolicy(for: hop.url, trusting: trusted) }
            let response = try await attempt(exchange.meter?.tracking(hop) ?? hop, exchange, read)
            let head = ResponseHead(status: response.status, headers: response.headers)
            guard let target = head.redirectTarget(from: response.url) else { return response }
            hop = hop.redirected(to: target, status: response.status)
        }
        throw BackendError.tooManyRedirects(hop.url, limit: exchange.redirects)
    }

    private func attempt(_ message: RequestMessage, _ exchange: ExchangeContext, _ read: ResponseReader) async throws -> BackendResponse {
        let remaining = exchange.timeLimit - (exchange.stopwatch?.elapsed() ?? .zero)
        guard remaining > .zero else { throw BackendError.timedOut(message.url, after: exchange.timeLimit) }
        let admittedExecutor = CircuitBreakingExecutor(executor: executor, retries: retries, reachability: reachability, originError: exchange.originError)
        do {
            // What is confidential is written down nowhere.
            guard let cache, !message.isConfidential else {
                if exchange.isLookup { throw HTTPCache.CacheMiss() }
                return try await admittedExecutor.execute(message, timeLimit: remaining) { try await read($0, $1, message) }
            }
            guard !exchange.isLookup else {
                return try await cache.lookUp(
                    message, partition: exchange.partition, timeLimit: remaining, canRefresh: exchange.canRefresh, through: admittedExecutor
                ) {
                    try await read($0, $1, message)
                }
            }
            return try await cache.exchange(message, partition: exchange.partition, timeLimit: remaining, through: admittedExecutor) {
                try await read($0, $1, message)
            }
        } catch {
            guard case BackendError.timedOut(let url, after: remaining) = error else { throw error }
            // What struck was the time of the whole exchange, of which this attempt was given the rest.
            throw BackendError.timedOut(url, after: exchange.timeLimit)
        }
    }
}

/// Makes an attempt past the circuit breaker of its host, or fails where something stands in the way.
private struct CircuitBreakingExecutor: BackendExecutor {
    let executor: any BackendExecutor
    let retries: RetryControl?
    let reachability: ReachabilityMonitor?
    /// Why nobody can be asked; nil when somebody can.
    let originError: BackendError?

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        if let originError { throw originError }
        var hasResponse = false
        do {
            let admission = try retries?.admit(message)
            return try await attempt(message, timeLimit: timeLimit, admission) { head, body in
                hasResponse = true
                return try await receive(head, body)
            }
        } catch {
            reachability?.reportFailedAttempt(of: message, error, hasResponse: hasResponse)
            throw error
        }
    }

    private func attempt<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, _ admission: RetryControl.Admission?,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        do {
            var status = HTTPResponse.Status.ok
            let outcome = try await executor.execute(message, timeLimit: timeLimit) { head, body in
                status = head.status
                // The circuit first: whoever learns of the answer may request something at once.
                if let admission { retries?.responseBegan(admission, with: head.status) }
                reachability?.reportResponse(from: message.url, head.status)
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

extension ResponseHead {
    /// Where a redirect leads; nil when the reply is none.
    func redirectTarget(from url: URL) -> URL? {
        let redirects: [HTTPResponse.Status] = [
            .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect,
        ]
        guard redirects.contains(status), let location = headers[.location] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
