import Foundation
import HTTPFieldValues
import HTTPTypes
import HummingbirdCore
import LadingHTTP
import NIOCore
import ServerSecurity
import ServerStartup

/// A responder that serves requests to an origin through the cache.
struct ProxyResponder: Sendable {
    /// The maximum wait for the head of a response of the origin to a request without a body.
    private static let responseTimeout = Duration.seconds(60)
    /// The same for a request with a body, which the origin receives first: a day. The executor limits pauses of the body, and the silence after it.
    private static let uploadTimeout = Duration.seconds(24 * 3_600)
    /// The value of `Retry-After` for a client with too many exchanges, in seconds.
    private static let retryDelay = 5
    /// The methods that the proxy names as the recipient of a request; it forwards others, too.
    private static let allowedMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"

    let hosts: AllowedHosts
    let origin: ProxyOrigin
    let cache: HTTPCache
    let executor: any BackendExecutor
    let proxies: TrustedProxies
    /// The numbers of exchanges of each client with the origin; nil for no limit.
    let exchangeCounts: ClientCounts<ClientAddress>?
    let now: @Sendable () -> Date

    func respond(to request: Request, with writer: consuming ResponseWriter, on channel: any Channel) async throws {
        var writer: ResponseWriter? = writer
        if let rejection = hosts.rejection(of: request.head) {
            return try await writer.take()!.respondWithText(rejection.status, rejection.description, now())
        }
        if ProxyOrigin.isRecipient(of: request.head) {
            return try await respondAsRecipient(of: request.method, with: writer.take()!)
        }
        let interim = InterimResponseForwarder(channel)
        defer { interim.end() }
        let body = Self.body(of: request)
        guard var message = origin.message(request.method, request.head.path ?? "", request.headers, body) else {
            return try await writer.take()!.respondWithText(.badRequest, "The request target must be a path.", now())
        }
        message.onInterimResponse = interim.forward
        do {
            let timeLimit = message.body.isEmpty ? Self.responseTimeout : Self.uploadTimeout
            let limited = limitedExecutor(for: request.head, from: channel.remoteAddress)
            try await cache.exchange(message, timeLimit: timeLimit, through: limited) { head, body in
                interim.end()
                // Proof: a response is received once.
                let writer = writer.take()!
                try await write(head, body, to: writer, isHead: request.method == .head)
            }
        } catch let error as BackendError {
            guard let writer = writer.take() else { throw error }
            interim.end()
            try await writer.respondWithText(error.proxyStatus, "\(error)", now())
        } catch let error as TooManyExchanges {
            guard let writer = writer.take() else { throw error }
            interim.end()
            try await writer.respondWithText(.serviceUnavailable, "\(error)", now(), [.retryAfter: "\(Self.retryDelay)"])
        }
    }

    /// Returns the executor with the limit of the client that sent a request, if there is one.
    private func limitedExecutor(for request: HTTPRequest, from peer: SocketAddress?) -> any BackendExecutor {
        guard let exchangeCounts, let client = proxies.client(of: request, from: peer) else { return executor }
        return ClientLimitExecutor(base: executor, counts: exchangeCounts, client: client)
    }

    /// Responds to a request whose recipient is the proxy. It reflects no TRACE, which may contain credentials.
    private func respondAsRecipient(of method: HTTPRequest.Method, with writer: consuming ResponseWriter) async throws {
        let head = HTTPResponse(
            status: method == .options ? .noContent : .methodNotAllowed,
            headerFields: [.allow: Self.allowedMethods, .contentLength: "0", .date: now().httpDate])
        try await writer.writeResponse(head)
    }

    private func write(_ head: ResponseHead, _ body: LadingHTTP.ResponseBody, to writer: consuming ResponseWriter, isHead: Bool)
        async throws
    {
        let response = origin.head(head, now: now())
        guard !isHead, ![204, 304].contains(head.status.code) else {
            for try await _ in body {}
            return try await writer.writeResponse(response)
        }
        // Proof: one task writes, one chunk after the other.
        nonisolated(unsafe) var sink = try await writer.writeHead(response)
        for try await chunk in body { try await sink.write(ByteBuffer(bytes: chunk)) }
        try await sink.finish(nil)
    }

    /// Returns the body of the client's request, as it arrives.
    private static func body(of request: Request) -> LadingHTTP.RequestBody {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        guard length != nil || request.headers[.transferEncoding] != nil else { return [] }
        let chunks = request.body
        return .stream(length: length) { chunks.map { Array($0.readableBytesView) } }
    }
}

// Proof: it contains only an outbound writer, which is Sendable.
extension ResponseWriter: @retroactive @unchecked Sendable {}

extension ResponseWriter {
    /// Responds with a line of plain text.
    fileprivate consuming func respondWithText(_ status: HTTPResponse.Status, _ text: String, _ now: Date, _ fields: HTTPFields = [:])
        async throws
    {
        let bytes = ByteBuffer(string: "\(text)\n")
        let headers: HTTPFields = [
            .contentType: "text/plain; charset=utf-8", .contentLength: "\(bytes.readableBytes)", .date: now.httpDate,
            .cacheControl: "no-store",
        ]
        // Proof: one task writes, one chunk after the other.
        nonisolated(unsafe) var sink = try await writeHead(HTTPResponse(status: status, headerFields: headers + fields))
        try await sink.write(bytes)
        try await sink.finish(nil)
    }
}

extension BackendError {
    /// The status of the response to the client (RFC 9110 §15.6.3, §15.6.5).
    fileprivate var proxyStatus: HTTPResponse.Status {
        if case .timedOut = self { .gatewayTimeout } else { .badGateway }
    }
}
