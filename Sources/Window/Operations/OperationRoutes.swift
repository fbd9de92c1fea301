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
    private static let silence = Duration.seconds(15)
    /// The most decisions in a page without scripts.
    private static let rowLimit = 200

    let queue: BackendQueue
    let renderer: PageRenderer
    let clock: any Clock<Duration>
    let blocks: SharedGzipBlocks

    func add(to router: Router<WindowContext>) {
        router.get("/operations") { request, _ in page(in: request.language) }
        router.get("/operations/events") { request, _ in try events(request) }
    }

    private func page(in language: Language) -> Response {
        let texts = Texts(language)
        let rows = queue.trace().suffix(Self.rowLimit).reversed().map { texts.row(of: $0) }
        let context = TemplateContext.Operations(
            laws: texts.laws, outcomes: texts.outcomes, rows: rows, empty: rows.isEmpty, texts: texts.plain)
        return .page(renderer.page(.operations, context, title: texts.plain.operations, in: language), in: language)
    }

    // MARK: The stream

    private func events(_ request: Request) throws -> Response {
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? request.uri.queryParameters.get("after", as: Int.self)
        let coding = EventStreamCoding(for: request, sharing: blocks)
        return Response(
            status: .ok, headers: coding.headers,
            body: ResponseBody { writer in
                let ending = Ending()
                try await request.body.untilClientLeaves {
                    try await withGracefulShutdownHandler {
                        try await write(after: last ?? -1, coding, to: &writer, until: ending)
                    } onGracefulShutdown: {
                        ending.come()
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// The number of the first decision that a page lacks.
    ///
    /// - Parameters:
    ///   - last: The number of the last one that the page reports, which may be any; a later one than `latest` is from a program that has ended.
    ///   - latest: The number of the last decision; nil when there is none.
    static func firstNumber(after last: Int, latest: Int?) -> Int { (0..<(latest ?? -1) + 1).contains(last) ? last + 1 : 0 }

    /// Sends the decisions after one, and then the new ones, until the end.
    @concurrent
    private func write(
        after last: Int, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter, until ending: Ending
    ) async throws {
        var next = Self.firstNumber(after: last, latest: queue.trace().last?.number)
        var isFirst = true
        var silence = Duration.zero
        try await writer.write(coding.beginning)
        while !ending.hasCome {
            let decisions = queue.trace(from: next).prefix(OperationNews.limit)
            if let first = decisions.first, let last = decisions.last {
                let news = OperationNews(decisions, missing: first.number - next, lanes: queue.lanes)
                next = last.number + 1
                try await writer.write(coding.shared(ByteBuffer(string: "id: \(last.number)\ndata: \(JSONText(encoding: news).text)\n\n")))
                silence = .zero
            } else if isFirst || silence >= Self.silence {
                let news = OperationNews([], missing: 0, lanes: queue.lanes)
                try await writer.write(coding.shared(ByteBuffer(string: "data: \(JSONText(encoding: news).text)\n\n")))
                silence = .zero
            }
            isFirst = false
            try await clock.sleep(for: Self.interval)
            silence += Self.interval
        }
    }
}

/// Whether a stream is to end.
private final class Ending: Sendable {
    private let state = Mutex(false)

    var hasCome: Bool { state.withLock { $0 } }

    func come() { state.withLock { $0 = true } }
}
