import HTTPTypes
import Hummingbird
import NIOCore
import ServerStartup

/// Lets replies go wrong as a plan says; what does not exist is still not found. Files go wrong in both directions.
///
/// A favourite is set before the reply to that goes wrong: who repeats the request must be told the same again.
struct FaultInjection: RouterMiddleware {
    /// The end of a connection that a fault asked for.
    private struct InjectedDisconnect: Error {}

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
        case .hangup: return try await corrupted(response, by: disconnectHalfway)
        case .truncate: return try await corrupted(response) { $0.body = ResponseBody(byteBuffer: $1.firstHalf) }
        case .malformed: return try await corrupted(response) { $0.body = ResponseBody(byteBuffer: $1.malformed) }
        }
    }

    /// The original service was as late with its failures as with everything else.
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

    /// What the faults of a request are counted for; nil for what never goes wrong. Each page of a list is a document.
    private static func document(requestedBy request: Request, status: HTTPResponse.Status) -> String? {
        let path = request.uri.path
        guard let delivery = DeliveryPath(path: path) else {
            guard request.method == .get else { return nil }
            if OrderPath(path: path) != nil { return path }
            // What photo services refuse stays refused.
            guard let photo = PhotoPath(path: path), status.kind != .clientError else { return nil }
            return photo == .list ? request.uri.string : path
        }
        guard delivery.methods.contains(request.method) else { return nil }
        guard case .list = delivery else { return path }
        return (try? DeliveryPage(of: request)).map { "\(path)?\($0.query)" }
    }

    /// Files are not spoiled, which no client could tell: there is a server error, after a part has been taken, or the reply is cut off.
    private func handleFile(
        _ request: Request, _ context: OriginContext, _ next: @concurrent (Request, OriginContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        switch request.method {
        case .get, .patch:
            let response = try await next(request, context)
            // The paths of uploads are drawn by lot: they count as one, so that a run can be repeated.
            let fault = nextFault(of: request.method == .patch ? UploadRoutes.folder : path)
            guard fault != .serverError else { throw HTTPError(.internalServerError) }
            return fault == nil ? response : response.truncated(throwing: InjectedDisconnect())
        case .put, .post:
            guard UploadName(path.dropFirst(UploadRoutes.folder.count + 1)) != nil else { return try await next(request, context) }
            let fault = nextFault(of: path)
            guard fault != .serverError else { throw HTTPError(.internalServerError) }
            let response = try await next(request, context)
            return fault == nil ? response : response.truncated(throwing: InjectedDisconnect())
        default:
            return try await next(request, context)
        }
    }

    /// What goes wrong with the next request for a file; nothing does that would only spoil it.
    private func nextFault(of document: String) -> Fault? {
        let fault = plan.fault(inRequest: numbers.next(for: document), for: document)
        return fault == .malformed ? nil : fault
    }

    /// Waits, unless the client goes away; to notice that costs the connection, so the client is told that it ends.
    ///
    /// A body that has been read cannot be watched any more: what was written is waited for in any case.
    private func delayed(_ response: Response, to request: Request, by delay: Duration) async throws -> Response {
        guard request.method == .get else {
            try await clock.sleep(for: delay)
            return response
        }
        try await request.body.withCancellationOnDisconnect { try await clock.sleep(for: delay) }
        var response = response
        response.headers[.connection] = "close"
        return response
    }

    /// Promises the whole body, sends half of it, and closes the connection.
    private func disconnectHalfway(_ response: inout Response, _ body: ByteBuffer) {
        response.body = ResponseBody(contentLength: body.readableBytes) { writer in
            try await writer.write(body.firstHalf)
            throw InjectedDisconnect()
        }
    }

    /// Changes a reply with a body for the worse; nobody keeps it, so that asking again helps.
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
    /// Promises the whole body and sends half of it; where there is none, promises one and sends nothing of it.
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

/// Hands on so many bytes, and then an error.
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
    /// Bytes that no XML, property list or picture holds.
    private static let garbage: [UInt8] = [0x3C, 0x3C, 0x00, 0xFF, 0xFE, 0x26, 0x3E, 0x3C]

    fileprivate var firstHalf: ByteBuffer {
        getSlice(at: readerIndex, length: readableBytes / 2) ?? ByteBuffer()
    }

    /// Of the same length, with garbage in the middle.
    fileprivate var malformed: ByteBuffer {
        var copy = self
        let garbage = Self.garbage.prefix(readableBytes)
        copy.setBytes(garbage, at: readerIndex + (readableBytes - garbage.count) / 2)
        return copy
    }
}
