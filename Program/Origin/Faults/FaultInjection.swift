import HTTPTypes
import Hummingbird
import NIOCore
import ServerStartup

/// A middleware that injects the faults of a plan into responses, except those for missing documents.
///
/// Requests for files fail in both directions. A favourite is stored before its response fails: a client that repeats the request must get the same
/// result.
struct FaultInjection: RouterMiddleware {
    /// The error that closes a connection.
    private struct InjectedConnectionError: Error {}

    private let plan: FaultPlan
    private let clock: any Clock<Duration>
    private let numbers = RequestNumbers()

    init(_ plan: FaultPlan, clock: any Clock<Duration>) {
        self.plan = plan
        self.clock = clock
    }

    @concurrent
    func handle(
        _ request: Request, context: OriginContext,
        next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        if plan.isOriginal { return try await handleOriginal(request, context, next) }
        if request.uri.path.hasPrefix(UploadRoutes.folder + "/") { return try await handleFile(request, context, next) }
        let response = try await next(request, context)
        guard let document = Self.document(requestedBy: request, status: response.status) else { return response }
        let number = numbers.next(for: document)
        switch plan.fault(inRequest: number, for: document) {
        case nil: return response
        case .serverError: throw HTTPError(.internalServerError)
        case .delay: return try await delayed(response, to: request, by: plan.delay(ofRequest: number, for: document))
        case .hangup: return try await corrupted(response, by: closeDuringBody)
        case .truncate: return try await corrupted(response) { $0.body = ResponseBody(byteBuffer: $1.firstHalf) }
        case .malformed: return try await corrupted(response) { $0.body = ResponseBody(byteBuffer: $1.malformed) }
        }
    }

    /// Delays lists and fails some of them, as the original service did: failures arrive as late as successes.
    private func handleOriginal(
        _ request: Request, _ context: OriginContext, _ next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        let response = try await next(request, context)
        guard case .list = DeliveryPath(path: request.uri.path),
            let document = Self.document(requestedBy: request, status: response.status)
        else { return response }
        let number = numbers.next(for: document)
        let delayedResponse = try await delayed(response, to: request, by: plan.delay(ofRequest: number, for: document))
        guard plan.fault(inRequest: number, for: document) == nil else {
            throw HTTPError(.internalServerError, headers: [.connection: "close"], message: nil)
        }
        return delayedResponse
    }

    /// Returns the key under which the requests for a document are numbered; nil for requests without faults. Each page of a list is a document.
    private static func document(requestedBy request: Request, status: HTTPResponse.Status) -> String? {
        let path = request.uri.path
        guard let delivery = DeliveryPath(path: path) else {
            guard request.method == .get else { return nil }
            if OrderPath(path: path) != nil { return path }
            // Client errors of the photo service are part of its protocol.
            guard let photo = PhotoPath(path: path), status.kind != .clientError else { return nil }
            return photo == .list ? request.uri.string : path
        }
        guard delivery.methods.contains(request.method) else { return nil }
        guard case .list = delivery else { return path }
        return (try? DeliveryPage(of: request)).map { "\(path)?\($0.query)" }
    }

    /// Injects faults into requests for files: a server error, after PATCH has stored its part, or a truncated response.
    ///
    /// File content is never corrupted, because no client could detect that.
    private func handleFile(
        _ request: Request, _ context: OriginContext, _ next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        switch request.method {
        case .get, .patch:
            let response = try await next(request, context)
            // The paths of uploads are random: they share one key, so that a run is reproducible.
            let fault = nextFault(of: request.method == .patch ? UploadRoutes.folder : path)
            guard fault != .serverError else { throw HTTPError(.internalServerError) }
            return fault == nil ? response : response.truncated(throwing: InjectedConnectionError())
        case .put, .post:
            guard UploadName(path.dropFirst(UploadRoutes.folder.count + 1)) != nil else { return try await next(request, context) }
            let fault = nextFault(of: path)
            guard fault != .serverError else { throw HTTPError(.internalServerError) }
            let response = try await next(request, context)
            return fault == nil ? response : response.truncated(throwing: InjectedConnectionError())
        default:
            return try await next(request, context)
        }
    }

    /// Returns the fault of the next request for a file, without faults that corrupt content.
    private func nextFault(of document: String) -> Fault? {
        let fault = plan.fault(inRequest: numbers.next(for: document), for: document)
        return fault == .malformed ? nil : fault
    }

    /// Delays a response until the client disconnects. Watching for that prevents reuse of the connection, so the response closes it.
    ///
    /// The body of other methods has been consumed, which rules out watching: they wait for the full delay.
    private func delayed(_ response: Response, to request: Request, by delay: Duration) async throws -> Response {
        guard request.method == .get else {
            try await clock.sleep(for: delay)
            return response
        }
        try await request.body.withCancellationOnInboundClose { try await clock.sleep(for: delay) }
        var response = response
        response.headers[.connection] = "close"
        return response
    }

    /// Announces the length of the whole body, sends half of it, and closes the connection.
    private func closeDuringBody(_ response: inout Response, _ body: ByteBuffer) {
        response.body = ResponseBody(contentLength: body.readableBytes) { writer in
            try await writer.write(body.firstHalf)
            throw InjectedConnectionError()
        }
    }

    /// Corrupts a response with a body and makes it uncacheable, so that a retry succeeds.
    private func corrupted(_ response: Response, by corrupt: (inout Response, ByteBuffer) -> Void) async throws -> Response {
        let body = try await response.body.collected()
        guard body.readableBytes > 0 else { return response }
        var response = response
        response.headers[.eTag] = nil
        response.headers[.lastModified] = nil
        response.headers[.cacheControl] = "no-store"
        corrupt(&response, body)
        return response
    }
}

extension Response {
    /// Announces the whole body and sends half of it. Without a body, announces one byte and sends none.
    fileprivate func truncated(throwing error: any Error) -> Response {
        var response = self
        let (body, length) = (body, body.contentLength ?? 0)
        response.headers[.contentLength] = nil
        if response.status == .noContent { response.status = .ok }
        response.body = ResponseBody(contentLength: max(length, 1)) { writer in
            try await body.write(TruncatingWriter(writer: writer, limit: length / 2, error: error))
            throw error
        }
        return response
    }
}

/// A writer that forwards a limited number of bytes, then throws.
private struct TruncatingWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let limit: Int
    let error: any Error
    var written = 0

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        guard written + buffer.readableBytes <= limit else { throw error }
        written += buffer.readableBytes
        try await writer.write(buffer)
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension ByteBuffer {
    /// Bytes that occur in no XML, property list or image.
    private static let garbage: [UInt8] = [0x3C, 0x3C, 0x00, 0xFF, 0xFE, 0x26, 0x3E, 0x3C]

    fileprivate var firstHalf: ByteBuffer {
        getSlice(at: readerIndex, length: readableBytes / 2) ?? ByteBuffer()
    }

    /// A copy of the same length with garbage in the middle.
    fileprivate var malformed: ByteBuffer {
        var copy = self
        let garbage = Self.garbage.prefix(readableBytes)
        copy.setBytes(garbage, at: readerIndex + (readableBytes - garbage.count) / 2)
        return copy
    }
}
