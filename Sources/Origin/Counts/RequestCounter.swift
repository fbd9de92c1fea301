import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Counts the requests that come by, and how their replies end.
struct RequestCounter: RouterMiddleware {
    /// The longest body that is handed to the system in one go, where nobody can tell any more whether the client still takes it.
    private static let unseenLength = 65_536

    let tally: RequestTally

    @concurrent
    func handle(
        _ request: Request, context: BasicRequestContext,
        next: @concurrent (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
        guard request.method == .get, let document = OrderPath(path: request.uri.path) else { return try await next(request, context) }
        tally.change { $0.count(requestFor: document) }
        do {
            return counted(try await next(request, context))
        } catch {
            tally.change { $0.count(error is CancellationError ? .cutOff : .completed) }
            throw error
        }
    }

    /// Follows a long body, or one whose length is not known, to its end; a short one has ended when it is handed over.
    private func counted(_ response: Response) -> Response {
        if let length = response.body.contentLength, length <= Self.unseenLength {
            tally.change { $0.count(.completed) }
            return response
        }
        let (body, tally) = (response.body, tally)
        var response = response
        response.body = ResponseBody(contentLength: body.contentLength) { writer in
            do {
                try await body.write(PiecewiseWriter(writer: writer, pieceLength: Self.unseenLength))
                tally.change { $0.count(.completed) }
            } catch {
                tally.change { $0.count(error is FaultInjection.HangUp ? .hungUp : .cutOff) }
                throw error
            }
        }
        return response
    }
}

/// Writes in pieces: a connection that has ended fails the write after the one that it cut off.
private struct PiecewiseWriter: ResponseBodyWriter {
    var writer: any ResponseBodyWriter
    let pieceLength: Int

    @concurrent
    mutating func write(_ buffer: ByteBuffer) async throws {
        var rest = buffer
        while let piece = rest.readSlice(length: min(pieceLength, rest.readableBytes)), piece.readableBytes > 0 {
            try await writer.write(piece)
        }
    }

    @concurrent
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {
        try await writer.finish(trailingHeaders)
    }
}

/// The counts of one origin, shared by those who count and those who read.
final class RequestTally: Sendable {
    private let state = Mutex(RequestCounts())

    var counts: RequestCounts { state.withLock { $0 } }

    func change(_ body: (inout RequestCounts) -> Void) {
        state.withLock { body(&$0) }
    }

    func reset() {
        state.withLock { $0 = RequestCounts() }
    }
}
