import Foundation
import HTTPTypes
import Timing

// The path of every exchange, buffered or streamed: interceptors, redirects, cache, circuit breaker of the host, executor.
extension BackendClient {
    /// The context that all attempts at one exchange share.
    struct ExchangeContext {
        let redirects: Int
        /// The maximum duration of the exchange; without a stopwatch, of the wait for each response head.
        let timeLimit: Duration
        let stopwatch: Stopwatch?
        /// The reporter of progress; nil without an observer.
        var progressReporter: ExchangeProgressReporter?
        /// The owner of the request, for the cache.
        var partition = ""
        /// Whether at most `ErrorResponse.bodyLimit` bytes of the body of an error are read, whatever the size limit of the response is.
        var truncatesErrorBodies = false
        /// The lookup when the exchange only looks up the cache; nil for any other exchange.
        var lookup: CacheLookup?
        /// Whether a stale response may be refreshed in the background: not without the token of the request.
        var canRefresh = true
        /// The reason why the origin is unavailable, so that only stored responses are served; nil when it is available.
        var originError: BackendError?

        /// Whether nothing is requested, neither the resource nor a token.
        var isCacheOnly: Bool { lookup != nil || originError != nil }
    }

    /// A lookup of the cache, which may fail although an interceptor responds in place of the error.
    final class CacheLookup {
        /// Whether there is no network, so that a stale response is served as when the origin is unreachable.
        let isOffline: Bool
        /// Whether the cache has responded.
        fileprivate(set) var isServed = false
        fileprivate(set) var hasFailed = false

        init(isOffline: Bool) {
            self.isOffline = isOffline
        }
    }

    /// A function that reads the response to a message.
    typealias ResponseReader = (ResponseHead, ResponseBody, RequestMessage) async throws -> BackendResponse

    /// Sends a message through the interceptors.
    func response(
        to message: RequestMessage, _ exchange: ExchangeContext, through interceptors: ArraySlice<any RequestInterceptor>,
        read: ResponseReader
    ) async throws -> BackendResponse {
        guard let outermost = interceptors.first else {
            do { return try await followRedirects(message, exchange, read) } catch {
                exchange.lookup?.hasFailed = true
                throw error
            }
        }
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
        } fallback: { message, tokenError in
            var exchange = exchange
            exchange.originError = tokenError
            return try await response(to: message, exchange, through: inner, read: read)
        }
    }

    /// Returns the response after redirects.
    private func followRedirects(_ message: RequestMessage, _ exchange: ExchangeContext, _ read: ResponseReader) async throws
        -> BackendResponse
    {
        let trusted = message.trust.trustedHost(for: message.url)
        var hop = message
        for _ in 0...exchange.redirects {
            if let violation = policy.violation(for: hop.url) { throw BackendError.policyViolation(hop.url, violation) }
            if message.addressPolicy == .any { hop.addressPolicy = policy.addressPolicy(for: hop.url, trusting: trusted) }
            let response = try await attempt(exchange.progressReporter?.tracking(hop) ?? hop, exchange, read)
            let head = ResponseHead(status: response.status, headers: response.headers)
            guard let target = head.redirectTarget(from: response.url), let next = hop.redirected(to: target, status: response.status)
            else { return response }
            hop = next
        }
        throw BackendError.tooManyRedirects(hop.url, limit: exchange.redirects)
    }

    private func attempt(_ message: RequestMessage, _ exchange: ExchangeContext, _ read: ResponseReader) async throws -> BackendResponse {
        var exchange = exchange
        let remaining = exchange.timeLimit - (exchange.stopwatch?.elapsed() ?? .zero)
        // The time is used up: only a stored response can be served.
        if remaining <= .zero, exchange.originError == nil {
            exchange.originError = BackendError.timedOut(message.url, after: exchange.timeLimit)
        }
        let admittedExecutor = CircuitBreakingExecutor(
            executor: executor, retries: retries, reachability: reachability, originError: exchange.originError)
        do {
            // Confidential exchanges are not stored, but invalidate the responses that they change.
            guard let cache, !message.containsSecrets || !message.method.isSafe else {
                if exchange.lookup != nil { throw HTTPCache.CacheMiss() }
                return try await admittedExecutor.execute(message, timeLimit: remaining) { try await read($0, $1, message) }
            }
            if let lookup = exchange.lookup {
                return try await cache.lookup(
                    message, partition: exchange.partition, timeLimit: remaining, canRefresh: exchange.canRefresh,
                    isOffline: lookup.isOffline, through: admittedExecutor
                ) { head, body in
                    lookup.isServed = true
                    return try await read(head, body, message)
                }
            }
            return try await cache.exchange(
                message, partition: exchange.partition, timeLimit: remaining, canRefresh: exchange.originError == nil,
                through: admittedExecutor
            ) {
                try await read($0, $1, message)
            }
        } catch {
            guard case BackendError.timedOut(let url, after: remaining) = error else { throw error }
            // The limit that expired is that of the whole exchange; this attempt had the rest of it.
            throw BackendError.timedOut(url, after: exchange.timeLimit)
        }
    }
}

/// An executor that passes each attempt through the circuit breaker of its host, and fails at once when the origin is unavailable.
private struct CircuitBreakingExecutor: BackendExecutor {
    let executor: any BackendExecutor
    let retries: RetryControl?
    let reachability: ReachabilityMonitor?
    /// The error that replaces every attempt; nil when attempts are made.
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
                // The circuit first: the receiver of the response may send another request at once.
                if let admission { retries?.responseStarted(admission, with: head.status) }
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
    /// Returns the target of a redirect; nil for any other response.
    func redirectTarget(from url: URL) -> URL? {
        let redirects: [HTTPResponse.Status] = [
            .movedPermanently, .found, .seeOther, .temporaryRedirect, .permanentRedirect,
        ]
        guard redirects.contains(status), let location = headers[.location] else { return nil }
        return URL(string: location, relativeTo: url)?.absoluteURL
    }
}
