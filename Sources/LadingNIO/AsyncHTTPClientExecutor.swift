import AsyncHTTPClient
import Foundation
import HTTPTypes
public import LadingHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPCompression

/// An executor over AsyncHTTPClient: HTTP/1.1 and HTTP/2 on SwiftNIO, with back-pressure down to the socket.
///
/// Exchanges that may only reach public addresses have connections of their own, whose address is judged once they are made; with https the
/// connection is encrypted by then, but nothing of the message has been sent.
///
/// It keeps connections open for the next exchange. Close them with `shutdown()` when it is no longer needed; an executor that is dropped
/// without it stops the program in debug builds.
public struct AsyncHTTPClientExecutor: BackendExecutor {
    private let client: HTTPClient
    private let publicClient: HTTPClient
    private let connectTimeout: Duration
    private let silenceLimit: Duration

    /// - Parameters:
    ///   - connectionsPerHost: The most connections kept to one host; further exchanges wait for one of them.
    ///   - connectTimeout: How long a connection may take to come about, encryption included, or to be free.
    ///   - silenceLimit: How long the server may be silent, before a reply or in the middle of it.
    public init(
        connectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10), silenceLimit: Duration = .seconds(10)
    ) {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow
        configuration.decompression = .enabled(limit: .none)
        configuration.timeout.connect = TimeAmount(connectTimeout)
        configuration.timeout.read = TimeAmount(silenceLimit)
        // An attempt is one attempt: a refused connection is told at once, and whether to try again is decided above.
        configuration.connectionPool.retryConnectionEstablishment = false
        configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
        client = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        AddressGuard(reach: .publicOnly).install(in: &configuration)
        publicClient = HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
        self.connectTimeout = connectTimeout
        self.silenceLimit = silenceLimit
    }

    /// Closes all connections; exchanges under way fail.
    public func shutdown() async throws {
        async let isPublicClosed: Void = publicClient.shutdown()
        try await client.shutdown()
        try await isPublicClosed
    }

    public func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        let limits = ExchangeLimits(head: timeLimit, silence: silenceLimit, connect: connectTimeout)
        // A request of a task that is cancelled already ends in any of several errors.
        try Task.checkCancellation()
        let response: HTTPClientResponse
        do {
            response = try await client(for: message.reach).execute(HTTPClientRequest(message), timeout: TimeAmount(timeLimit))
        } catch {
            throw backendError(error, of: message, limits, isBodyExpected: false)
        }
        // Proof: `ReplyBody` is not Sendable and lives inside `receive`, so one task calls this closure, one call after the other.
        nonisolated(unsafe) var chunks = response.body.makeAsyncIterator()
        let body = ReplyBody {
            do {
                return try await chunks.next().map { Array($0.readableBytesView) }
            } catch {
                throw backendError(error, of: message, limits, isBodyExpected: true)
            }
        }
        return try await receive(ReplyHead(response), body)
    }

    private func client(for reach: AddressReach) -> HTTPClient {
        switch reach {
        case .any: client
        case .publicOnly: publicClient
        }
    }
}

extension HTTPClientRequest {
    fileprivate init(_ message: RequestMessage) {
        self.init(url: message.url.absoluteString)
        method = .RAW(value: message.method.rawValue)
        for field in message.headers { headers.add(name: field.name.rawName, value: field.value) }
        if !message.body.isEmpty { body = .bytes(message.body) }
    }
}

extension ReplyHead {
    fileprivate init(_ response: HTTPClientResponse) {
        var fields = HTTPFields()
        fields.reserveCapacity(response.headers.count)
        for (name, value) in response.headers {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        self.init(status: HTTPResponse.Status(code: Int(response.status.code)), headers: fields)
    }
}
