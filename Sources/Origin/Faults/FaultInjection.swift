import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Lets the replies to GET go wrong as a plan says; what does not exist is still not found. Files go wrong in both directions.
struct FaultInjection: RouterMiddleware {
    /// The end of a connection that a fault asked for.
    private struct HangUp: Error {}

    private let plan: FaultPlan
    private let clock: any Clock<Duration>
    private let numbers = RequestNumbers()

    init(_ plan: FaultPlan, clock: any Clock<Duration>) {
        self.plan = plan
        self.clock = clock
    }

    @concurrent
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        if path.hasPrefix(UploadRoutes.folder + "/") { return try await file(request, context, next) }
        let response = try await next(request, context)
        guard request.method == .get, OrderPath(path: path) != nil else { return response }
        let number = numbers.next(for: path)
        switch plan.fault(inRequest: number, for: path) {
        case nil: return response
        case .serverError: throw HTTPError(.internalServerError)
        case .delay: return try await late(response, to: request, by: plan.delay(ofRequest: number, for: path))
        case .hangup: return try await spoiled(response, by: hangUp)
        case .truncate: return try await spoiled(response) { $0.body = ResponseBody(byteBuffer: $1.firstHalf) }
        case .malformed: return try await spoiled(response) { $0.body = ResponseBody(byteBuffer: $1.malformed) }
        }
    }

    /// Files are not spoiled, which no client could tell: there is a server error, after a part has been taken, or the reply is cut off.
    private func file(
        _ request: Request, _ context: BasicRequestContext, _ next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard [.get, .patch, .put, .post].contains(request.method) else { return try await next(request, context) }
        // The paths of uploads are drawn by lot: they count as one, so that a run can be repeated.
        let document = request.method == .patch ? UploadRoutes.folder : path
        switch plan.fault(inRequest: numbers.next(for: document), for: document) {
        case nil, .malformed: return try await next(request, context)
        case .serverError:
            if request.method == .patch { _ = try await next(request, context) }
            throw HTTPError(.internalServerError)
        case .delay, .hangup, .truncate: return (try await next(request, context)).cutOff(throwing: HangUp())
        }
    }

    /// Waits, unless the client goes away; to notice that costs the connection, so the client is told that it ends.
    private func late(_ response: Response, to request: Request, by delay: Duration) async throws -> Response {
        try await request.body.consumeWithCancellationOnInboundClose { _ in try await clock.sleep(for: delay) }
        var response = response
        response.headers[.connection] = "close"
        return response
    }

    /// Promises the whole body, sends half of it, and closes the connection.
    private func hangUp(_ response: inout Response, _ body: ByteBuffer) {
        response.body = ResponseBody(contentLength: body.readableBytes) { writer in
            try await writer.write(body.firstHalf)
            throw HangUp()
        }
    }

    /// Changes a reply with a body for the worse; nobody keeps it, so that asking again helps.
    private func spoiled(_ response: Response, by spoil: (inout Response, ByteBuffer) -> Void) async throws -> Response {
        let body = try await response.body.collected()
        guard body.readableBytes > 0 else { return response }
        var response = response
        response.headers[.eTag] = nil
        response.headers[.lastModified] = nil
        response.headers[.cacheControl] = "no-store"
        spoil(&response, body)
        return response
    }
}

extension Response {
    /// Promises the whole body and sends half of it; where there is none, promises one and sends nothing of it.
    fileprivate func cutOff(throwing error: any Error) -> Response {
        var response = self
        let (body, length) = (body, body.contentLength ?? 0)
        response.headers[.contentLength] = nil
        if response.status == .noContent { response.status = .ok }
        response.body = ResponseBody(contentLength: max(length, 1)) { writer in
            try await body.write(CutWriter(writer: writer, limit: length / 2, error: error))
            throw error
        }
        return response
    }
}

/// Hands on so many bytes, and then an error.
private struct CutWriter: ResponseBodyWriter {
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

/// Counts the requests for each document: as many numbers as there are documents.
private final class RequestNumbers: Sendable {
    private let numbers = Mutex<[String: Int]>([:])

    /// The number of a request that came in now, the first being 1.
    func next(for path: String) -> Int {
        numbers.withLock { numbers in
            numbers[path, default: 0] += 1
            return numbers[path, default: 0]
        }
    }
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
