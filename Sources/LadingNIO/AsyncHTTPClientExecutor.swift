import AsyncHTTPClient
import Foundation
import HTTPTypes
public import LadingHTTP
public import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix

/// An executor over AsyncHTTPClient: HTTP/1.1 and HTTP/2 on SwiftNIO, with back-pressure down to the socket.
///
/// Exchanges that may only reach public addresses have connections of their own, whose address is judged once they are made; with https the
/// connection is encrypted by then, but nothing of the message has been sent.
///
/// It keeps connections open for the next exchange. Close them with `shutdown()` when it is no longer needed. When the last copy of an executor is
/// released without that, it logs a warning and closes them in the background.
public struct AsyncHTTPClientExecutor: BackendExecutor {
    /// How many times as long a body may become when its coding is undone, counted from its beginning.
    ///
    /// What one reading of a socket swells to is in memory before anybody can stop it; by this it is no more than 128 MiB at the beginning of
    /// a body. A text that repeats itself seldom shrinks to less than a hundredth; DEFLATE can go down to a thousandth.
    static let decompressionRatioLimit = 256

    private let clients: ExecutorClients
    private let registry: ExchangeRegistry
    private let uploadEventLoop: any EventLoop
    private let connectTimeout: Duration
    private let readTimeout: Duration

    /// - Parameters:
    ///   - connectionsPerHost: The most connections kept to one host, and as many again for uploads; further exchanges wait for one of them.
    ///   - connectTimeout: How long a connection may take to come about, encryption included, or to be free.
    ///   - silenceLimit: How long the server may be silent, before a reply or in the middle of it.
    ///   - undoesCodings: Whether bodies are handed over as the sender meant them; a proxy passes them on with their content codings.
    ///   - usesHTTP2: Whether HTTP/2 is spoken with servers that know it. Without it, interim responses to `https` URLs are reported too.
    ///   - logger: Receives the warning that `shutdown()` was not called.
    public init(
        connectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10), readTimeout: Duration = .seconds(10),
        decompressesBodies: Bool = true, usesHTTP2: Bool = true, logger: Logger = Logger(label: "lading.http")
    ) {
        self.init(
            connectionsPerHost: connectionsPerHost, connectTimeout: connectTimeout, readTimeout: readTimeout,
            decompressesBodies: decompressesBodies, usesHTTP2: usesHTTP2, logger: logger, configure: { _ in })
    }

    /// - Parameter adjust: Changes the configuration of the clients; tests name their certificates so.
    init(
        connectionsPerHost: Int, connectTimeout: Duration, readTimeout: Duration, decompressesBodies: Bool, usesHTTP2: Bool, logger: Logger,
        configure: (inout HTTPClient.Configuration) -> Void
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = decompressesBodies ? .enabled(limit: .ratio(Self.decompressionRatioLimit)) : .disabled
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.timeout.read = TimeAmount(readTimeout)
        // An attempt is one attempt: a refused connection is told at once, and whether to try again is decided above.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        configuration.httpVersion = usesHTTP2 ? .automatic : .http1Only
        configure(&configuration)
        registry = ExchangeRegistry(usesHTTP2: usesHTTP2)
        uploadEventLoop = MultiThreadedEventLoopGroup.singleton.any()
        clients = ExecutorClients(configuration, uploadLoop: uploadEventLoop, registry, logger: logger)
        self.connectTimeout = connectTimeout
        self.readTimeout = readTimeout
    }

    /// Closes all connections; exchanges under way fail.
    public nonisolated(nonsending) func shutdown() async throws {
        try await clients.shutdown()
    }

    public nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let timeouts = ExchangeTimeouts(head: timeLimit, read: readTimeout, connect: connectTimeout)
        // A request of a task that is cancelled already ends in any of several errors.
        try Task.checkCancellation()
        let message = registry.registering(message)
        defer { registry.remove(message) }
        guard message.body.isSmall else { return try await upload(message, timeLimit, timeouts, receive) }
        let response: HTTPClientResponse
        do {
            response = try await clients[message.addressPolicy].client.execute(HTTPClientRequest(message), timeout: TimeAmount(timeLimit))
            message.body.reportSent(message.body.length ?? 0)
        } catch {
            throw backendError(error, of: message, timeouts, hasReceivedHead: false)
        }
        return try await receive(
            ResponseHead(response, from: message.url), responseBody(of: response) { backendError($0, of: message, timeouts, hasReceivedHead: true) })
    }

    /// Makes the exchange while the body of the message is read.
    private func upload<Outcome: Sendable>(
        _ message: RequestMessage, _ timeLimit: Duration, _ timeouts: ExchangeTimeouts,
        _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        let feed = RequestBodyChannel(eventLoop: uploadEventLoop)
        return try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { group in
            defer { group.cancelAll() }
            group.addTask {
                try await feed.sendAll(of: message.body)
                return nil
            }
            group.addTask {
                try await feed.waitForStall(of: timeouts.read)
                throw BackendError.timedOut(message.url, after: timeouts.read)
            }
            group.addTask { [client = clients[message.addressPolicy].uploadClient] in
                do {
                    return try await client.execute(HTTPClientRequest(message, body: feed), timeout: TimeAmount(timeLimit))
                } catch {
                    throw feed.failure ?? backendError(error, of: message, timeouts, hasReceivedHead: false)
                }
            }
            while let event = try await group.next() {
                guard let response = event else { continue }
                return try await receive(
                    ResponseHead(response, from: message.url), responseBody(of: response, to: message, sentFrom: feed, timeouts))
            }
            preconditionFailure("an exchange ends with a response or an error")
        }
    }

    private func responseBody(of response: HTTPClientResponse, _ mapError: @escaping (any Error) -> any Error) -> ResponseBody {
        // Proof: `ResponseBody` is not Sendable and lives inside `receive`, so one task calls this closure, one call after the other.
        nonisolated(unsafe) var chunks = response.body.makeAsyncIterator()
        return ResponseBody {
            do {
                return try await chunks.next().map { Array($0.readableBytesView) }
            } catch {
                throw mapError(error)
            }
        }
    }

    /// A body that may come before that of the message is sent. AsyncHTTPClient begins to watch for silence only after that, so that a server which
    /// neither takes nor sends anything more would be waited for without end.
    private func responseBody(
        of response: HTTPClientResponse, to message: RequestMessage, sentFrom channel: RequestBodyChannel, _ timeouts: ExchangeTimeouts
    ) -> ResponseBody {
        let body = responseBody(of: response) { channel.failure ?? backendError($0, of: message, timeouts, hasReceivedHead: true) }
        // Proof: as above; of the two tasks that a call starts, one reads, and the call returns after both.
        nonisolated(unsafe) var chunks = body.makeAsyncIterator()
        return ResponseBody {
            guard !channel.isConsumed else { return try await chunks.next() }
            return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                defer { group.cancelAll() }
                group.addTask { try await chunks.next() }
                group.addTask {
                    try await channel.waitForStall(of: timeouts.read)
                    throw BackendError.timedOut(message.url, after: timeouts.read)
                }
                return try await group.next() ?? nil
            }
        }
    }
}

extension RequestBody {
    /// Whether it is sent at once.
    fileprivate var isSmall: Bool { isEmpty || bytes.map { $0.count <= Self.chunkSize } ?? false }
}

extension HTTPClientRequest {
    fileprivate init(_ message: RequestMessage) {
        self.init(url: message.url.absoluteString)
        method = .RAW(value: message.method.rawValue)
        for field in message.headers { headers.add(name: field.name.rawName, value: field.value) }
        if let bytes = message.body.bytes, !bytes.isEmpty { body = .bytes(bytes) }
    }

    fileprivate init(_ message: RequestMessage, body channel: RequestBodyChannel) {
        self.init(message)
        body = .stream(channel, length: message.body.length.map { .known(Int64($0)) } ?? .unknown)
    }
}

extension ResponseHead {
    /// The number that a server sent in the place of a status is none (RFC 9110 §15); in HTTP/2 nothing stops it.
    struct InvalidStatusCode: Error { let code: UInt }

    fileprivate init(_ response: HTTPClientResponse, from url: URL) throws {
        try self.init(code: response.status.code, fields: response.headers, from: url)
    }

    /// - Throws: `BackendError.malformedResponse` for a code that is no status.
    init(code: UInt, fields lines: some Sequence<(name: String, value: String)>, from url: URL) throws {
        guard (100...999).contains(code) else { throw BackendError.malformedResponse(url, cause: InvalidStatusCode(code: code)) }
        var fields = HTTPFields()
        fields.reserveCapacity(lines.underestimatedCount)
        for (name, value) in lines {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: HTTPResponse.Status(code: Int(code)), headers: fields)
    }
}
