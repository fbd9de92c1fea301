import HTTPTypes
import Hummingbird
import JSONWriting
import NIOCore
import OrderLifecycle
import OrderStorage
import ServerStartup
import ServiceLifecycle

extension OrderAPI {
    /// The maximum number of changes in a page.
    private static let changeLimit = 500

    func addChanges(to router: RouterGroup<some OrderAPIContext>) {
        router.get("changes") { request, context in
            let person = try await person(of: request)
            let position = try await startPosition(of: request)
            let isStream = request.headers[.accept]?.contains("text/event-stream") ?? false
            return isStream
                ? try await stream(request, on: context.eventLoop, for: person, after: position)
                : try await page(request, for: person, after: position)
        }
    }

    /// Returns the position after which changes are requested: of a reconnecting stream the last event's, otherwise `after`.
    private func startPosition(of request: Request) async throws -> ChangePosition {
        guard let text = request.headers[.lastEventID] ?? request.uri.queryParameters["after"].map(String.init) else {
            return try await store.position()
        }
        guard let position = ChangePosition(text: text) else { throw APIProblem.invalid("\"after\" must be a position of this API.") }
        return position
    }

    private func page(_ request: Request, for person: Person, after position: ChangePosition) async throws -> Response {
        let limit = try request.uri.queryParameters["limit"].map { text in
            guard let limit = Int(text), (1...Self.changeLimit).contains(limit) else {
                throw APIProblem.invalid("\"limit\" must be from 1 to \(Self.changeLimit).")
            }
            return limit
        }
        let page = try await store.changes(after: position, limit: limit ?? Self.changeLimit)
        return .json { json in
            json.field("position", page.position.text)
            json.field("more", flag: page.hasMore)
            json.field("changes", array: page.changes.compactMap { ChangeDocument($0, for: person) }) { change, json in
                json.object { change.write(to: &$0) }
            }
        }
    }

    /// Returns the changes after a position as an event stream, which ends when the person is revoked or a new epoch begins.
    private func stream(
        _ request: Request, on loop: any EventLoop, for person: Person, after position: ChangePosition
    ) async throws -> Response {
        // An expired position is refused before the stream begins.
        _ = try await store.changes(after: position, limit: 1)
        guard let token = Self.token(in: request.headers).map(SecretHash.init(ofSecret:)) else { throw APIProblem.unauthorized }
        let live = try await changes.subscribe(with: token)
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream", .cacheControl: "no-store, no-transform", .xAccelBuffering: "no"],
            body: ResponseBody { writer in
                try await request.body.withCancellationOnInboundClose {
                    guard let position = try await writeBacklog(for: person, with: token, after: position, to: &writer) else { return }
                    try await withGracefulShutdownHandler {
                        // The event loop writes the bytes, so running there avoids a thread switch for each batch.
                        try await withTaskExecutorPreference(EventLoopExecutor(loop)) {
                            try await write(live.batches, for: person, after: position, to: &writer)
                        }
                    } onGracefulShutdown: {
                        live.end()
                    }
                }
                try await writer.finish(nil)
            })
    }

    /// Writes the stored changes after a position, and returns the last position; nil if the token ends meanwhile.
    @concurrent
    func writeBacklog(
        for person: Person, with token: SecretHash, after start: ChangePosition, to writer: inout any ResponseBodyWriter
    ) async throws -> ChangePosition? {
        var position = start
        try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
        while true {
            let page = try await store.changes(after: position, limit: Self.changeLimit)
            // The client may read slowly: each page needs a valid token.
            guard try await store.validTokens([token], at: now()).contains(token) else { return nil }
            try await write(ChangeBatch(page.changes), for: person, after: position, to: &writer)
            position = page.position
            guard page.hasMore else { break }
        }
        // A position without visible changes, so that a client that reconnects does not begin earlier.
        try await writer.write(ByteBuffer(string: "event: position\nid: \(position.text)\ndata: {}\n\n"))
        return position
    }

    @concurrent
    private func write(
        _ live: AsyncStream<ChangeBatch>, for person: Person, after start: ChangePosition, to writer: inout any ResponseBodyWriter
    ) async throws {
        var position = start
        for await batch in live {
            if let last = batch.changes.last?.position {
                try await write(batch, for: person, after: position, to: &writer)
                if position.isBefore(last) { position = last }
            } else {
                try await writer.write(ByteBuffer(string: ": \n\n"))
            }
        }
    }

    @concurrent
    private func write(
        _ batch: ChangeBatch, for person: Person, after position: ChangePosition, to writer: inout any ResponseBodyWriter
    ) async throws {
        let events = batch.events(for: person, after: position)
        if events.readableBytes > 0 { try await writer.write(events) }
    }
}

extension HTTPField.Name {
    fileprivate static let lastEventID = Self("Last-Event-ID")!
    fileprivate static let xAccelBuffering = Self("X-Accel-Buffering")!
}
