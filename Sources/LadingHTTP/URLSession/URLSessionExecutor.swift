public import Foundation
import HTTPTypes
import Timing

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

/// An executor over URLSession, the HTTP client of Foundation: no cookies, no cache, no stored credentials, no redirects.
///
/// Differences from an executor that owns its sockets:
///
/// - Repeated header fields arrive as one, joined by commas (RFC 9110 §5.3).
/// - Addresses are resolved and checked before URLSession resolves them again. A name whose address changes in between
///   is not detected.
/// - A body that is a stream or a part of a file is written to a temporary file before it is sent, up to 4 GiB; a longer one fails with
///   `RequestBodyError.tooLong`. On Linux a body from a file is sent without its length (chunked, RFC 9112 §7.1), elsewhere with it, even if none
///   was announced.
/// - A body that is a whole file is read by URLSession. Its length is checked before; changes during the upload are not detected.
/// - A body with the method GET fails with `RequestBodyError.unsupportedMethod`, because URLSession rejects it.
/// - On Apple's platforms URLSession adds `User-Agent`, and `Accept-Language` with the languages of the user, to messages without them. `HTTPCache` does
///   not see fields that are added so: for responses that differ by language, add the field with an interceptor.
/// - On Linux there is no back-pressure. A response with more than `bufferLimit` unread bytes fails with
///   `BackendError.bufferLimitExceeded`, and a cancelled exchange keeps its connection until the server pauses, because the session closes it
///   only when there is nothing to read. On Apple's platforms the task is suspended instead until they have been read.
public final class URLSessionExecutor: BackendExecutor {
    #if canImport(FoundationNetworking)
        private static let canSuspend = false
        /// The default maximum number of unread bytes of a response: 128 MiB on Linux, which has no back-pressure, and 1 MiB elsewhere.
        public static let defaultBufferLimit = 128 << 20
    #else
        private static let canSuspend = true
        /// The default maximum number of unread bytes of a response: 128 MiB on Linux, which has no back-pressure, and 1 MiB elsewhere.
        public static let defaultBufferLimit = 1 << 20
    #endif

    /// The time limits of URLSession, in seconds, which never expire before those of the executor.
    private static let unlimitedTimeout: TimeInterval = 86_400

    /// The maximum size of a body that is written to a temporary file, in bytes.
    package static let temporaryFileLimit = 4 << 30

    /// A function that answers a challenge of TLS: whether a server is trusted, or the certificate of this client.
    public typealias ChallengeHandler = @Sendable (URLAuthenticationChallenge) -> (URLSession.AuthChallengeDisposition, URLCredential?)

    private let session: URLSession
    private let router: URLSessionRouter
    private let readTimeout: Duration
    private let bufferLimit: Int
    private let resolver: HostResolver
    private let temporaryFolder: URL
    private let startStopwatch: @Sendable () -> Stopwatch

    /// Creates an executor with its own session.
    ///
    /// - Parameters:
    ///   - connectionsPerHost: The maximum number of connections to one host; further exchanges wait for one of them. URLSession does not report this
    ///     wait, so that it counts as silence of the server: allow as many as there are long responses at a time, such as event streams, and some for
    ///     other exchanges. Exchanges over HTTP/2 share a connection.
    ///   - readTimeout: The maximum silence of the server, before the response or within it. A server that computes a response for longer needs a
    ///     longer one; the time limit of the exchange does not extend it.
    ///   - bufferLimit: The maximum number of unread bytes of a response.
    ///   - clock: The clock that measures the time limits.
    ///   - resolver: Resolves the addresses that are checked when only public ones are allowed.
    ///   - temporaryFolder: The folder for bodies that URLSession accepts only as a file.
    ///   - configure: Changes the configuration of the session, such as its proxies, its `URLProtocol` classes or the networks that it may use. The
    ///     settings of the executor are applied afterwards: neither a cache, cookies nor stored credentials, its connections and its time limits.
    ///   - onChallenge: Decides whether a server is trusted (`NSURLAuthenticationMethodServerTrust`), for pinned certificates or a certificate authority
    ///     of your own, and provides the certificate of the client (`NSURLAuthenticationMethodClientCertificate`). It is called on a thread of the
    ///     session, which waits for it, and only on Apple's platforms. An exchange with a rejected server fails with `BackendError.interrupted`. Nil
    ///     leaves both to the system.
    public init(
        connectionsPerHost: Int = 8, readTimeout: Duration = .seconds(10), bufferLimit: Int = defaultBufferLimit,
        clock: some Clock<Duration> = ContinuousClock(), resolver: HostResolver = .system(),
        temporaryFolder: URL = FileManager.default.temporaryDirectory, configure: (URLSessionConfiguration) -> Void = { _ in },
        onChallenge: ChallengeHandler? = nil
    ) {
        let configuration = URLSessionConfiguration.ephemeral
        configure(configuration)
        configuration.httpMaximumConnectionsPerHost = connectionsPerHost
        configuration.urlCache = nil
        configuration.urlCredentialStorage = nil
        configuration.httpCookieStorage = nil
        configuration.httpCookieAcceptPolicy = .never
        configuration.httpShouldSetCookies = false
        configuration.timeoutIntervalForRequest = Self.unlimitedTimeout
        configuration.timeoutIntervalForResource = Self.unlimitedTimeout
        router = URLSessionRouter(onChallenge: onChallenge)
        session = URLSession(configuration: configuration, delegate: router, delegateQueue: nil)
        self.readTimeout = readTimeout
        self.bufferLimit = bufferLimit
        self.resolver = resolver
        self.temporaryFolder = temporaryFolder
        startStopwatch = { Stopwatch(clock) }
    }

    deinit {
        // A session retains its delegate, its threads and its connections until it is invalidated.
        // Exchanges retain the executor while they run; those that were just closed cancel their tasks in queues of their own.
        session.finishTasksAndInvalidate()
    }

    public nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try Task.checkCancellation()
        guard message.method != .get || message.body.isEmpty else { throw RequestBodyError.unsupportedMethod(message.method.rawValue) }
        let stopwatch = startStopwatch()
        if message.addressPolicy != .any { try await checkAddresses(of: message, stopwatch, timeLimit) }
        let file = try await uploadFile(for: message, stopwatch, timeLimit)
        defer { withExtendedLifetime(file) {} }
        let task = task(for: message, sending: file)
        let limits = ResponseBuffer.Limits(head: timeLimit, read: readTimeout, size: bufferLimit, canSuspend: Self.canSuspend)
        let exchange = URLSessionExchange(message, file, task, limits, stopwatch)
        router.add(exchange, for: task)
        return try await withTaskCancellationHandler {
            defer {
                exchange.close()
                router.remove(task)
            }
            exchange.begin()
            return try await receive(exchange.head(), ResponseBody { try await exchange.nextChunk() })
        } onCancel: {
            exchange.close()
        }
    }

    private func checkAddresses(of message: RequestMessage, _ stopwatch: Stopwatch, _ timeLimit: Duration) async throws {
        let host = message.url.host(percentEncoded: false) ?? ""
        let addresses = try await withTimeout(timeLimit, of: message, stopwatch) { [resolver] in
            do { return try await resolver.addresses(of: host) } catch is CancellationError { throw CancellationError() } catch {
                throw BackendError.unreachable(message.url, cause: error)
            }
        }
        guard addresses.allSatisfy(message.addressPolicy.allows) else { throw BackendError.policyViolation(message.url, .privateAddress) }
    }

    /// Returns the file that the body of a message is sent from; nil when it is sent from memory.
    private func uploadFile(for message: RequestMessage, _ stopwatch: Stopwatch, _ timeLimit: Duration) async throws -> UploadFile? {
        guard message.body.bytes == nil, !message.body.isEmpty else { return nil }
        if let file = try UploadFile(of: message.body) { return file }
        return try await withTimeout(timeLimit, of: message, stopwatch) { [temporaryFolder] in
            try await UploadFile(writing: message.body, in: temporaryFolder, limit: Self.temporaryFileLimit)
        }
    }

    /// Returns a task for a message. It is never an upload task: those of Apple's platforms add header fields of resumable uploads, which could
    /// contradict those of the message, and those of Linux crash the process when a server responds before it has read the file.
    private func task(for message: RequestMessage, sending file: UploadFile?) -> URLSessionDataTask {
        var request = URLRequest(message)
        if let file {
            request.httpBodyStream = file.makeStream()
            #if !canImport(FoundationNetworking)
                // Otherwise the body is chunked, which some servers reject; on Linux it always is.
                if let length = file.length { request.setValue("\(length)", forHTTPHeaderField: "Content-Length") }
            #endif
        }
        return session.dataTask(with: request)
    }

    /// Returns the result of some work, unless it takes longer than the response head may.
    private func withTimeout<Value: Sendable>(
        _ timeLimit: Duration, of message: RequestMessage, _ stopwatch: Stopwatch,
        work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await work() }
            group.addTask {
                try await stopwatch.sleep(timeLimit)
                throw BackendError.timedOut(message.url, after: timeLimit)
            }
            guard let value = try await group.next() else { preconditionFailure("a task group with two tasks must return a value") }
            return value
        }
    }
}

extension URLRequest {
    fileprivate init(_ message: RequestMessage) {
        self.init(url: message.url)
        httpMethod = message.method.rawValue
        httpShouldHandleCookies = false
        for field in message.headers.joiningCookies { addValue(field.value, forHTTPHeaderField: field.name.rawName) }
        if let bytes = message.body.bytes, !bytes.isEmpty { httpBody = Data(bytes) }
    }
}
