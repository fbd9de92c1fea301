import ContentCoding
import HTTPTypes
import Hummingbird
import LadingOperations
import NIOCore
import ServerStartup
import ServiceLifecycle
import Synchronization

/// The page that shows operations run, wait, merge and get cancelled, and the stream that updates it.
struct OperationRoutes: Sendable {
    /// The interval of updates.
    private static let interval = Duration.milliseconds(100)
    /// The maximum time without an event.
    private static let heartbeatInterval = Duration.seconds(15)
    /// The maximum number of decisions in a page without scripts.
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

    // MARK: Event stream

    private func events(_ request: Request) throws -> Response {
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? request.uri.queryParameters.get("after", as: Int.self)
        let coding = EventStreamCoding(for: request, sharing: blocks)
        return Response(
            status: .ok, headers: coding.headers,
            body: ResponseBody { writer in
                let endSignal = EndSignal()
                try await request.body.withCancellationOnInboundClose {
                    try await withGracefulShutdownHandler {
                        try await write(after: last ?? -1, coding, to: &writer, until: endSignal)
                    } onGracefulShutdown: {
                        endSignal.signal()
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// Returns the number of the first decision that a page lacks.
    ///
    /// - Parameters:
    ///   - last: The last decision of the page. A number beyond `latest` is from an earlier run of the program; each run counts from 0.
    ///   - latest: The latest decision; nil if there is none.
    static func firstNumber(after last: Int, latest: Int?) -> Int { (0..<(latest ?? -1) + 1).contains(last) ? last + 1 : 0 }

    /// Sends the decisions after `last`, then new ones until the end signal.
    @concurrent
    private func write(
        after last: Int, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter, until endSignal: EndSignal
    ) async throws {
        var next = Self.firstNumber(after: last, latest: queue.trace().last?.number)
        var isFirst = true
        var idleTime = Duration.zero
        try await writer.write(coding.preamble)
        while !endSignal.isSignalled {
            let decisions = queue.trace(from: next).prefix(OperationUpdate.limit)
            if let first = decisions.first, let last = decisions.last {
                let update = OperationUpdate(decisions, missing: first.number - next, lanes: queue.lanes)
                next = last.number + 1
                try await writer.write(coding.encodeShared(data: JSONText(encoding: update).text, id: last.number))
                idleTime = .zero
            } else if isFirst || idleTime >= Self.heartbeatInterval {
                let update = OperationUpdate([], missing: 0, lanes: queue.lanes)
                try await writer.write(coding.encodeShared(data: JSONText(encoding: update).text))
                idleTime = .zero
            }
            isFirst = false
            try await clock.sleep(for: Self.interval)
            idleTime += Self.interval
        }
    }
}

/// A flag that ends a stream.
private final class EndSignal: Sendable {
    private let state = Mutex(false)

    var isSignalled: Bool { state.withLock { $0 } }

    func signal() { state.withLock { $0 = true } }
}
