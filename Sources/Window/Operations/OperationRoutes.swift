import ContentCoding
import HTTPTypes
import Hummingbird
import LadingOperations
import NIOCore
import ServerStartup
import ServiceLifecycle
import Synchronization

/// The page that shows operations run, wait, merge and get cancelled, and the stream that keeps it up to date.
struct OperationRoutes: Sendable {
    /// How often a page is told what has been decided meanwhile.
    private static let interval = Duration.milliseconds(100)
    /// How long a stream is silent at most.
    private static let heartbeatInterval = Duration.seconds(15)
    /// The most decisions in a page without scripts.
    private static let rowLimit = 200

    let queue: BackendQueue
    let renderer: PageRenderer
    let clock: any Clock<Duration>
    let blocks: GzipBlockCache

    func add(to router: Router<WindowContext>) {
        router.get("/operations") { request, _ in page(in: request.language) }
        router.get("/operations/events") { request, _ in try events(request) }
    }

    private func page(in language: Language) -> Response {
        let texts = Texts(language)
        let rows = queue.trace().suffix(Self.rowLimit).reversed().map { texts.row(of: $0) }
        let context = TemplateContext.Operations(
            reasons: texts.reasons, outcomes: texts.outcomes, rows: rows, empty: rows.isEmpty, texts: texts.strings)
        return .page(renderer.page(.operations, context, title: texts.strings.operations, in: language), in: language)
    }

    // MARK: The stream

    private func events(_ request: Request) throws -> Response {
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? request.uri.queryParameters.get("after", as: Int.self)
        let coding = EventStreamCoding(for: request, sharing: blocks)
        return Response(
            status: .ok, headers: coding.headers,
            body: ResponseBody { writer in
                let endSignal = EndSignal()
                try await request.body.withCancellationOnDisconnect {
                    try await withGracefulShutdownHandler {
                        try await write(after: last ?? -1, coding, to: &writer, until: endSignal)
                    } onGracefulShutdown: {
                        endSignal.signal()
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// Tells what has been decided after a decision, and then what is decided, until the end.
    @concurrent
    private func write(
        after last: Int, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter, until endSignal: EndSignal
    ) async throws {
        // A number that has not come yet is one of a program that has ended: a new one counts anew.
        var next = last > queue.trace().last?.number ?? -1 ? 0 : last + 1
        var isFirst = true
        var idleTime = Duration.zero
        try await writer.write(coding.preamble)
        while !endSignal.isSignalled {
            let decisions = queue.trace(from: next).prefix(OperationUpdate.limit)
            if let first = decisions.first, let last = decisions.last {
                let update = OperationUpdate(decisions, missing: first.number - next, lanes: queue.lanes)
                next = last.number + 1
                try await writer.write(coding.encodeShared(ByteBuffer(string: "id: \(last.number)\ndata: \(JSONText(encoding: update).text)\n\n")))
                idleTime = .zero
            } else if isFirst || idleTime >= Self.heartbeatInterval {
                let update = OperationUpdate([], missing: 0, lanes: queue.lanes)
                try await writer.write(coding.encodeShared(ByteBuffer(string: "data: \(JSONText(encoding: update).text)\n\n")))
                idleTime = .zero
            }
            isFirst = false
            try await clock.sleep(for: Self.interval)
            idleTime += Self.interval
        }
    }
}

/// Whether a stream is to end.
private final class EndSignal: Sendable {
    private let state = Mutex(false)

    var isSignalled: Bool { state.withLock { $0 } }

    func signal() { state.withLock { $0 = true } }
}
