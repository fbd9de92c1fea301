import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// A middleware that brings the requests for a page session to the window that has it.
///
/// If that window does not answer in time, or refuses the name by which this one reaches it, this one responds: it does not know the session, so the page
/// opens a new one here.
struct SessionForwarding: RouterMiddleware {
    /// The maximum wait for the head of the response of another window.
    private static let timeLimit = Duration.seconds(1)
    /// The maximum number of chunks of an event stream that wait for a slow page; beyond it the page connects again.
    private static let chunkLimit = 256
    private static let requestFields: [HTTPField.Name] = [
        .accept, .acceptEncoding, .acceptLanguage, .contentType, .cookie, .lastEventID, .userAgent,
    ]
    private static let responseFields: [HTTPField.Name] = [.cacheControl, .contentEncoding, .contentType, .retryAfter, .vary]

    let node: WindowNode
    let sessions: WindowSessions
    let proxies: TrustedProxies

    @concurrent
    func handle(
        _ request: Request, context: WindowContext, next: @concurrent (Request, WindowContext) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.forwardedByNode] == nil, let path = SessionPath(request.method, request.uri.path) else {
            return try await next(request, context)
        }
        var (request, body) = (request, ByteBuffer())
        if request.method == .post {
            body = try await request.readBody(upTo: context.maxUploadSize)
            request.body = .init(buffer: body)
        }
        guard let id = path.sessionID(body), sessions[id] == nil, let owner = node.owner(of: id),
            let response = await response(of: owner, to: request, body, context)
        else { return try await next(request, context) }
        return response
    }

    /// Returns the response of another window; nil if it does not answer.
    private func response(of owner: URL, to request: Request, _ body: ByteBuffer, _ context: WindowContext) async -> Response? {
        guard let url = URL(string: request.head.path ?? "", relativeTo: owner)?.absoluteURL else { return nil }
        var headers = HTTPFields(request.headers.filter { Self.requestFields.contains($0.name) })
        headers[.forwardedByNode] = "1"
        headers[.forwardedFor] = proxies.client(of: request.head, from: context.peer)?.description
        var message = RequestMessage(method: request.method, url: url, headers: headers, body: .bytes(body.readableBytesView))
        message.containsSecrets = true
        guard let response = await ForwardedExchange(message, through: node.executor).begin(limit: Self.timeLimit, chunks: Self.chunkLimit)
        else {
            return nil
        }
        guard response.head.status != .misdirectedRequest else { return nil }
        let fields = HTTPFields(response.head.headers.filter { Self.responseFields.contains($0.name) })
        return Response(
            status: response.head.status, headers: fields,
            body: ResponseBody { [body = request.body, isStream = request.method == .get] writer in
                defer { response.cancel() }
                if isStream {
                    // The connection is closed afterwards; that of another request is used again.
                    try await body.withCancellationOnInboundClose {
                        try await withGracefulShutdownHandler {
                            for try await chunk in response.chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
                        } onGracefulShutdown: {
                            response.end()
                        }
                    }
                } else {
                    for try await chunk in response.chunks { try await writer.write(ByteBuffer(bytes: chunk)) }
                }
                try await writer.finish(nil)
            })
    }
}

/// The part of a request that names a session.
enum SessionPath: Equatable {
    /// `/windows/ID/…`
    case session(String)
    /// `/windows`, whose body may name the previous session of a page.
    case opening

    /// Creates nil for another path. Empty parts count: the path `//windows` is that of no page, and a relative URL of the host `windows`.
    init?(_ method: HTTPRequest.Method, _ path: String) {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count > 1, parts[0].isEmpty, parts[1] == "windows" else { return nil }
        switch parts.count {
        case 2 where method == .post: self = .opening
        case 4: self = .session(String(parts[2]))
        default: return nil
        }
    }

    func sessionID(_ body: ByteBuffer) -> String? {
        switch self {
        case .session(let id): id
        case .opening: (try? JSONDecoder().decode(PageDescription.self, from: Data(body.readableBytesView)))?.sessionID
        }
    }
}

/// An exchange with another window, whose response is passed on while it arrives.
private struct ForwardedExchange {
    typealias Chunks = AsyncThrowingStream<[UInt8], any Error>

    private let message: RequestMessage
    private let executor: any BackendExecutor

    init(_ message: RequestMessage, through executor: any BackendExecutor) {
        (self.message, self.executor) = (message, executor)
    }

    /// A response whose body arrives. The exchange is cancelled when nobody needs the response any more.
    final class StreamedResponse: Sendable {
        let head: ResponseHead
        /// The body; it throws if it is not complete.
        let chunks: Chunks
        private let continuation: Chunks.Continuation
        private let exchange: Task<Void, Never>

        init(_ head: ResponseHead, _ chunks: Chunks, _ continuation: Chunks.Continuation, _ exchange: Task<Void, Never>) {
            (self.head, self.chunks, self.continuation, self.exchange) = (head, chunks, continuation, exchange)
        }

        /// Ends the body without an error after the chunks that have arrived.
        func end() {
            continuation.finish()
            cancel()
        }

        func cancel() { exchange.cancel() }

        // The client may be gone before anybody reads the body.
        deinit { cancel() }
    }

    /// The page reads too slowly.
    private struct SlowReader: Error {}

    /// Returns the response; nil if none has begun within the limit.
    func begin(limit: Duration, chunks limitOfChunks: Int) async -> StreamedResponse? {
        let (heads, sendHead) = AsyncStream.makeStream(of: ResponseHead.self)
        let (chunks, sendChunk) = Chunks.makeStream(bufferingPolicy: .bufferingOldest(limitOfChunks))
        let exchange = Task { [message, executor] in
            do {
                try await executor.execute(message, timeLimit: limit) { head, body in
                    sendHead.yield(head)
                    sendHead.finish()
                    for try await chunk in body {
                        if case .dropped = sendChunk.yield(chunk) { throw SlowReader() }
                    }
                }
                sendChunk.finish()
            } catch {
                sendHead.finish()
                sendChunk.finish(throwing: error)
            }
        }
        let timer = Task {
            try await Task.sleep(for: limit)
            sendHead.finish()
        }
        defer { timer.cancel() }
        guard let head = await heads.first(where: { _ in true }) else {
            exchange.cancel()
            return nil
        }
        return StreamedResponse(head, chunks, sendChunk, exchange)
    }
}

extension HTTPField.Name {
    /// Marks a request that another window has forwarded, which is not forwarded again.
    fileprivate static let forwardedByNode = Self("Lading-Forwarded")!
    fileprivate static let forwardedFor = Self("X-Forwarded-For")!
}
