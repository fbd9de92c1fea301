import ContentCoding
import HTTPTypes
import Hummingbird
import LadingOperations
import NIOCore
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// The page that shows operations run, wait, merge and get cancelled, and the stream that updates it.
struct OperationRoutes: Sendable {
    static let path = "/operations"
    /// The maximum number of decisions in a page without scripts.
    private static let rowLimit = 200

    let queue: BackendQueue
    let feed: OperationFeed
    let access: OperationAccess
    let renderer: PageRenderer
    let sessions: WindowSessions
    let blocks: GzipBlockCache
    let proxies: TrustedProxies

    func add(to router: Router<WindowContext>) {
        router.get(RouterPath(Self.path)) { request, _ in
            if let path = try await access.alternative(for: request) { return Response.redirect(to: path, type: .normal) }
            return page(in: request.language)
        }
        router.get("\(Self.path)/events") { request, context in
            guard try await access.alternative(for: request) == nil else { throw PageError.signedOut }
            return try events(request, context)
        }
    }

    private func page(in language: Language) -> Response {
        let texts = Texts(language)
        let rows = queue.trace().suffix(Self.rowLimit).reversed().map { texts.row(of: $0) }
        let context = TemplateContext.Operations(
            reasons: texts.reasons, outcomes: texts.outcomes, rows: rows, empty: rows.isEmpty, texts: texts.strings)
        return .page(renderer.page(.operations, context, title: texts.strings.operations, in: language), in: language)
    }

    // MARK: Event stream

    private func events(_ request: Request, _ context: WindowContext) throws -> Response {
        let permit = try sessions.permitStream(for: proxies.client(of: request.head, from: context.peer))
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? request.uri.queryParameters.get("after", as: Int.self)
        let coding = EventStreamCoding(for: request, sharing: blocks)
        return Response(
            status: .ok, headers: coding.headers,
            body: ResponseBody { writer in
                defer { withExtendedLifetime(permit) {} }
                try await request.body.withCancellationOnInboundClose {
                    try await write(after: last ?? -1, coding, to: &writer)
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

    /// Sends the decisions after `last`, then new ones until the shutdown.
    @concurrent
    private func write(after last: Int, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter) async throws {
        let (updates, end) = feed.openPage()
        defer { feed.closePage() }
        var next = Self.firstNumber(after: last, latest: end - 1)
        try await writer.write(coding.preamble)
        // The state of the lanes is shown also without decisions.
        if next == end { try await writer.write(coding.encodeShared(feed.update(from: next, before: end).event)) }
        try await write(from: &next, before: end, coding, to: &writer)
        for await update in updates.cancelOnGracefulShutdown() {
            try await write(from: &next, before: update.numbers.lowerBound, coding, to: &writer)
            try await writer.write(coding.encodeShared(update.event))
            next = update.numbers.upperBound
        }
    }

    /// Sends decisions that the page has not received with the others: those before it was opened, and those for which it was too slow.
    @concurrent
    private func write(
        from next: inout Int, before end: Int, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter
    ) async throws {
        while next < end {
            let update = feed.update(from: next, before: end)
            try await writer.write(coding.encodeShared(update.event))
            next = update.numbers.upperBound
        }
    }
}
