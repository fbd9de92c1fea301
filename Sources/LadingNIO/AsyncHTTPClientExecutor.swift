#if NIO
    public import AsyncHTTPClient
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
    /// Exchanges restricted to public addresses have connections of their own, whose address is checked once they are established; with https
    /// the connection is encrypted by then, but nothing of the message has been sent.
    ///
    /// A gzip body of several members (RFC 1952 §2.2), such as joined gzip files, is malformed: SwiftNIO decodes the first one only.
    ///
    /// It retains connections for further exchanges. Close them with `shutdown()` when the executor is no longer needed. When its last copy is
    /// released without that, it logs a warning and closes them in the background.
    public struct AsyncHTTPClientExecutor: BackendExecutor {
        /// The maximum ratio of decompressed to compressed bytes, counted from the beginning of a body.
        ///
        /// The data of one socket read is decompressed in memory before it can be stopped; with this ratio it is at most 128 MiB at the beginning of
        /// a body. Repetitive text rarely shrinks to less than a hundredth; DEFLATE can reach a thousandth.
        static let decompressionRatioLimit = 256

        /// The content codings that the decompressor decodes.
        private static let decodedCodings: Set<String> = ["gzip", "deflate"]

        private let clients: ExecutorClients
        private let registry: ExchangeRegistry
        private let uploadEventLoop: any EventLoop
        private let connectTimeout: Duration
        private let readTimeout: Duration
        /// The fields of messages that do not have them.
        private let defaultFields: HTTPFields

        /// Creates an executor with its own connections.
        ///
        /// - Parameters:
        ///   - connectionsPerHost: The maximum number of connections to one host, and as many again for uploads; further exchanges wait for one
        ///     of them.
        ///   - connectTimeout: The time limit for establishing a connection, including TLS, or for one to become free. An exchange that waits longer
        ///     fails with `BackendError.timedOut`, as if the host did not respond.
        ///   - readTimeout: The maximum silence of the server, before a response or within it. A server that computes a response for longer needs a
        ///     longer one; the time limit of the exchange does not extend it.
        ///   - decompressesBodies: Whether compressed bodies are requested and decompressed; a proxy forwards them with their content codings.
        ///   - usesHTTP2: Whether HTTP/2 is used with servers that support it. Without it, interim responses to `https` URLs are reported too.
        ///   - userAgent: The `User-Agent` of messages without one, without which many servers refuse requests; nil for none.
        ///   - logger: Receives the warning that `shutdown()` was not called.
        ///   - configure: Changes the configuration of AsyncHTTPClient, such as `tlsConfiguration` for certificates, `proxy` or `dnsOverride`. The
        ///     parameters above apply nevertheless, and so do the executor's own settings: it follows no redirects, repeats no attempts, limits
        ///     decompression and initializes connections. Behind a proxy, `RequestMessage.addressPolicy` applies to the address of the proxy.
        public init(
            connectionsPerHost: Int = 8, connectTimeout: Duration = .seconds(10), readTimeout: Duration = .seconds(10),
            decompressesBodies: Bool = true, usesHTTP2: Bool = true, userAgent: String? = "Lading",
            logger: Logger = Logger(label: "lading.http"), configure: (inout HTTPClient.Configuration) -> Void = { _ in }
        ) {
            var configuration = HTTPClient.Configuration()
            configure(&configuration)
            configuration.redirectConfiguration = .disallow
            configuration.decompression = decompressesBodies ? .enabled(limit: .ratio(Self.decompressionRatioLimit)) : .disabled
            configuration.timeout.connect = TimeAmount(connectTimeout)
            configuration.timeout.read = TimeAmount(readTimeout)
            // An attempt is a single one: a refused connection fails at once, and the caller decides whether to retry.
            configuration.connectionPool.retryConnectionEstablishment = false
            configuration.connectionPool.concurrentHTTP1ConnectionsPerHostSoftLimit = connectionsPerHost
            configuration.httpVersion = usesHTTP2 ? .automatic : .http1Only
            registry = ExchangeRegistry(usesHTTP2: usesHTTP2)
            uploadEventLoop = MultiThreadedEventLoopGroup.singleton.any()
            clients = ExecutorClients(configuration, uploadLoop: uploadEventLoop, registry, logger: logger)
            self.connectTimeout = connectTimeout
            self.readTimeout = readTimeout
            var fields = HTTPFields()
            fields[.userAgent] = userAgent
            // The decompressor would also request deflate, of which it does not decode the form without a zlib header.
            if decompressesBodies { fields[.acceptEncoding] = "gzip" }
            defaultFields = fields
        }

        /// Closes all connections; exchanges in progress fail.
        ///
        /// - Throws: `HTTPClientError.alreadyShutdown` after the first call, and other errors of AsyncHTTPClient.
        public nonisolated(nonsending) func shutdown() async throws {
            try await clients.shutdown()
        }

        public nonisolated(nonsending) func execute<Outcome: Sendable>(
            _ message: RequestMessage, timeLimit: Duration,
            receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
        ) async throws -> Outcome {
            let timeouts = ExchangeTimeouts(head: timeLimit, read: readTimeout, connect: connectTimeout)
            // The request of a task that is already cancelled would end in one of several errors.
            try Task.checkCancellation()
            let message = registry.registering(message).adding(defaultFields)
            defer { registry.remove(message) }
            guard message.body.isSmall else { return try await upload(message, timeLimit, timeouts, receive) }
            let response: HTTPClientResponse
            do {
                response = try await clients[message.addressPolicy].client.execute(
                    HTTPClientRequest(message), timeout: TimeAmount(timeLimit))
                message.body.reportSent(message.body.length ?? 0)
            } catch {
                throw backendError(error, of: message, timeouts, hasReceivedHead: false)
            }
            let head = try ResponseHead(response, to: message)
            return try await receive(
                head,
                responseBody(of: response, head, to: message) { backendError($0, of: message, timeouts, hasReceivedHead: true) })
        }

        /// Performs the exchange while the body of the message is read.
        private func upload<Outcome: Sendable>(
            _ message: RequestMessage, _ timeLimit: Duration, _ timeouts: ExchangeTimeouts,
            _ receive: (ResponseHead, ResponseBody) async throws -> Outcome
        ) async throws -> Outcome {
            let channel = RequestBodyChannel(eventLoop: uploadEventLoop)
            return try await withThrowingTaskGroup(of: HTTPClientResponse?.self) { group in
                defer { group.cancelAll() }
                group.addTask {
                    try await channel.sendAll(of: message.body)
                    return nil
                }
                group.addTask {
                    try await channel.waitForPause(of: timeouts.read)
                    throw BackendError.timedOut(message.url, after: timeouts.read)
                }
                group.addTask { [client = clients[message.addressPolicy].uploadClient] in
                    do {
                        return try await client.execute(HTTPClientRequest(message, body: channel), timeout: TimeAmount(timeLimit))
                    } catch {
                        throw channel.failure ?? backendError(error, of: message, timeouts, hasReceivedHead: false)
                    }
                }
                while let event = try await group.next() {
                    guard let response = event else { continue }
                    let head = try ResponseHead(response, to: message)
                    return try await receive(head, responseBody(of: response, head, to: message, sentFrom: channel, timeouts))
                }
                preconditionFailure("an exchange must end with a response or an error")
            }
        }

        private func responseBody(
            of response: HTTPClientResponse, _ head: ResponseHead, to message: RequestMessage,
            _ mapError: @escaping (any Error) -> any Error
        ) -> ResponseBody {
            // Proof: `ResponseBody` is not Sendable and lives inside `receive`, so one task calls this closure, one call after the other.
            nonisolated(unsafe) var chunks = response.body.makeAsyncIterator()
            let isEmpty = head.isBodyless(for: message.method) || head.headers[.contentLength] == "0"
            let unknownCoding = unknownCoding(of: head, to: message)
            return ResponseBody {
                do {
                    if let unknownCoding, !isEmpty { throw UnknownContentCoding(name: unknownCoding) }
                    return try await chunks.next().map { Array($0.readableBytesView) }
                } catch let error as NIOHTTPDecompression.ExtraDecompressionError where error == .truncatedData && isEmpty {
                    // The decompressor expects a compressed body wherever the head has a coding.
                    return nil
                } catch {
                    throw mapError(error)
                }
            }
        }

        /// Returns the content coding of a response if the executor does not decode it, unless the message requested codings itself.
        private func unknownCoding(of head: ResponseHead, to message: RequestMessage) -> String? {
            guard let coding = head.contentCoding, let requested = defaultFields[.acceptEncoding],
                message.headers[.acceptEncoding] == requested
            else { return nil }
            return Self.decodedCodings.contains(coding.lowercased()) ? nil : coding
        }

        /// Returns a body that may arrive before that of the message was sent. AsyncHTTPClient enforces the read timeout only after that, so that a
        /// server which neither reads nor sends would block the exchange forever.
        private func responseBody(
            of response: HTTPClientResponse, _ head: ResponseHead, to message: RequestMessage, sentFrom channel: RequestBodyChannel,
            _ timeouts: ExchangeTimeouts
        ) -> ResponseBody {
            let body = responseBody(of: response, head, to: message) {
                channel.failure ?? backendError($0, of: message, timeouts, hasReceivedHead: true)
            }
            // Proof: as above; of the two tasks that a call starts, one reads, and the call returns after both.
            nonisolated(unsafe) var chunks = body.makeAsyncIterator()
            return ResponseBody {
                guard !channel.isConsumed else { return try await chunks.next() }
                return try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
                    defer { group.cancelAll() }
                    group.addTask { try await chunks.next() }
                    group.addTask {
                        try await channel.waitForPause(of: timeouts.read)
                        throw BackendError.timedOut(message.url, after: timeouts.read)
                    }
                    return try await group.next() ?? nil
                }
            }
        }
    }

    /// A body in a content coding that the server must not use, because it was not requested (RFC 9110 §12.5.3).
    private struct UnknownContentCoding: Error, CustomStringConvertible {
        let name: String

        var description: String { "the content coding \(name) was not requested" }
    }

    extension RequestMessage {
        /// Returns the message with those of the fields that it does not have.
        fileprivate func adding(_ fields: HTTPFields) -> RequestMessage {
            var message = self
            for field in fields where !message.headers.contains(field.name) { message.headers.append(field) }
            return message
        }
    }

    extension RequestBody {
        /// Whether the body is sent in one chunk.
        fileprivate var isSmall: Bool { isEmpty || bytes.map { $0.count <= Self.chunkSize } ?? false }
    }

    extension HTTPClientRequest {
        fileprivate init(_ message: RequestMessage) {
            self.init(url: message.url.absoluteString)
            // AsyncHTTPClient compares cases: it would add `Content-Length: 0` to `.RAW("GET")`.
            method = HTTPMethod(rawValue: message.method.rawValue)
            for field in message.headers.joiningCookies { headers.add(name: field.name.rawName, value: field.value) }
            if let bytes = message.body.bytes, !bytes.isEmpty { body = .bytes(bytes) }
        }

        fileprivate init(_ message: RequestMessage, body channel: RequestBodyChannel) {
            self.init(message)
            body = .stream(channel, length: message.body.length.map { .known(Int64($0)) } ?? .unknown)
        }
    }

    extension ResponseHead {
        /// A number in place of a status code (RFC 9110 §15); HTTP/2 does not prevent it.
        struct InvalidStatusCode: Error, CustomStringConvertible {
            let code: UInt

            var description: String { "the status code \(code) is invalid" }
        }

        /// A coding of a body other than `chunked`, which the executor does not decode (RFC 9112 §7).
        private struct UnknownTransferCoding: Error, CustomStringConvertible {
            let name: String

            var description: String { "the transfer coding \(name) was not requested" }
        }

        /// Creates the head of a final response.
        ///
        /// - Throws: `BackendError.malformedResponse` for a status that is not final, or a transfer coding that is not decoded.
        fileprivate init(_ response: HTTPClientResponse, to message: RequestMessage) throws {
            // AsyncHTTPClient takes 101 for the final response; no message requests another protocol.
            guard response.status.code >= 200 else {
                throw BackendError.malformedResponse(message.url, cause: InvalidStatusCode(code: response.status.code))
            }
            try self.init(code: response.status.code, fields: response.headers, from: message.url)
            if let name = unknownTransferCoding, !isBodyless(for: message.method) {
                throw BackendError.malformedResponse(message.url, cause: UnknownTransferCoding(name: name))
            }
        }

        private var unknownTransferCoding: String? {
            headers[.transferEncoding]?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                .first { !$0.isEmpty && !["chunked", "identity"].contains($0.lowercased()) }
        }

        /// - Throws: `BackendError.malformedResponse` for an invalid status code.
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
#endif
