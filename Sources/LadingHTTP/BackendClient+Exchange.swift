import Foundation
import HTTPTypes
import Timing

// The path of every exchange, buffered or streamed: interceptors, redirects, cache, circuit breaker of the host, executor.
extension BackendClient {
    /// The context that all attempts at one exchange share.
    struct ExchangeContext {
        /// The source of the response. Tokens are fetched only for `originOrCache`.
        enum Source {
            case originOrCache
            /// The cache, without a request to the origin; a message with all its tokens can refresh a stale response in the background.
            case cache(CacheLookup, hasTokens: Bool)
            /// The cache, as after a request to the origin that failed with this error.
            case unavailableOrigin(BackendError)
        }

        enum TimeLimit {
            /// The maximum duration of the exchange, which the stopwatch measures.
            case exchange(Duration, Stopwatch)
            /// The maximum wait for each response head.
            case eachHead(Duration)

            var duration: Duration {
                switch self {
                case .exchange(let duration, _), .eachHead(let duration): duration
                }
            }

            /// The duration that remains for the next response; not positive when the time is used up.
            var remaining: Duration {
                if case .exchange(let duration, let stopwatch) = self { duration - stopwatch.elapsed() } else { duration }
            }
        }

        let redirects: Int
        let timeLimit: TimeLimit
        /// The reporter of progress; nil without an observer.
        var progressReporter: ExchangeProgressReporter?
        /// The owner of the request, for the cache.
        var partition = ""
        /// Whether at most `ErrorResponse.bodyLimit` bytes of the body of an error are read, whatever the size limit of the response is.
        var truncatesErrorBodies = false
        var source = Source.originOrCache
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
                if case .cache(let lookup, _) = exchange.source { lookup.hasFailed = true }
                throw error
            }
        }
        let inner = interceptors.dropFirst()
        guard let tokens = outermost as? any TokenInterceptor else {
            return try await outermost.intercept(message) { try await response(to: $0, exchange, through: inner, read: read) }
        }
        switch exchange.source {
        case .originOrCache:
            return try await tokens.intercept(message) {
                try await response(to: $0, exchange, through: inner, read: read)
            } fallback: { message, tokenError in
                var exchange = exchange
                exchange.source = .unavailableOrigin(tokenError)
                return try await response(to: message, exchange, through: inner, read: read)
            }
        case .cache(let lookup, let hasTokens):
            let known = tokens.withCachedToken(message)
            var exchange = exchange
            exchange.source = .cache(lookup, hasTokens: hasTokens && known != nil)
            return try await response(to: known ?? message, exchange, through: inner, read: read)
        case .unavailableOrigin:
            return try await response(to: tokens.withCachedToken(message) ?? message, exchange, through: inner, read: read)
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
        let remaining = exchange.timeLimit.remaining
        do {
            return try await attempt(message, exchange, within: remaining, read)
        } catch BackendError.timedOut(let url, after: remaining) {
            // The limit that expired is that of the whole exchange; this attempt had the rest of it.
            throw BackendError.timedOut(url, after: exchange.timeLimit.duration)
        }
    }

    private func attempt(
        _ message: RequestMessage, _ exchange: ExchangeContext, within remaining: Duration, _ read: ResponseReader
    ) async throws -> BackendResponse {
        let originError: BackendError? =
            switch exchange.source {
            case .unavailableOrigin(let error): error
            // When the time is used up, only a stored response can be served.
            case .originOrCache, .cache: remaining > .zero ? nil : BackendError.timedOut(message.url, after: exchange.timeLimit.duration)
            }
        let admittedExecutor = CircuitBreakingExecutor(
            executor: executor, retries: retries, reachability: reachability, originError: originError)
        // Confidential exchanges are not stored, but invalidate the responses that they change.
        let usesCache = !message.containsSecrets || !message.method.isSafe
        switch (exchange.source, usesCache ? cache : nil) {
        case (.cache(let lookup, let hasTokens), let cache?):
            return try await cache.lookup(
                message, partition: exchange.partition, timeLimit: remaining, canRefresh: hasTokens, isOffline: lookup.isOffline,
                through: admittedExecutor
            ) { head, body in
                lookup.isServed = true
                return try await read(head, body, message)
            }
        case (.cache, nil):
            throw HTTPCache.CacheMiss()
        case (_, let cache?):
            return try await cache.exchange(
                message, partition: exchange.partition, timeLimit: remaining, canRefresh: originError == nil, through: admittedExecutor
            ) {
                try await read($0, $1, message)
            }
        case (_, nil):
            return try await admittedExecutor.execute(message, timeLimit: remaining) { try await read($0, $1, message) }
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
