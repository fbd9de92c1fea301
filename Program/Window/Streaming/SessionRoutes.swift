import ContentCoding
import HTTPTypes
import Hummingbird
import NIOCore
import ServerSecurity
import ServerStartup
import ServiceLifecycle

/// The communication between a page and its session: an event stream, and posts.
struct SessionRoutes: Sendable {
    let sessions: WindowSessions
    let apps: [any AppRoutes]
    let blocks: GzipBlockCache
    let proxies: TrustedProxies

    func add(to router: Router<WindowContext>) {
        router.post("/windows") { request, context in try await open(request, context) }
        router.get("/windows/:window/events") { request, context in
            let id = try session(request, context).id
            guard let connected = try sessions.connect(id, for: proxies.client(of: request.head, from: context.peer)) else {
                throw PageError.sessionGone
            }
            return try events(request, connected, on: context.eventLoop)
        }
        router.post("/windows/:window/viewport") { request, context in
            let session = try session(request, context)
            let report = try await request.decodeBody(ViewportReport.self, context)
            session.listScreen?.setViewport(report)
            return Response(status: .noContent)
        }
        router.post("/windows/:window/retry") { request, context in
            let session = try session(request, context)
            session.retry(rowNamed: try await request.decodeBody(RetryRequest.self, context).row)
            return Response(status: .noContent)
        }
        router.post("/windows/:window/arrange") { request, context in
            let session = try session(request, context)
            session.handle(try await request.decodeBody(QueryReport.self, context))
            return Response(status: .noContent)
        }
        router.post("/windows/:window/read") { request, context in
            let session = try session(request, context)
            let all = try await request.decodeBody(LoadAllRequest.self, context).all
            session.listScreen?.loadAllRows(all)
            return Response(status: .noContent)
        }
        router.post("/windows/:window/refresh") { request, context in
            try session(request, context).screen.refresh()
            return Response(status: .noContent)
        }
    }

    /// Returns the session of a request. For another token than that of its page there is none.
    private func session(_ request: Request, _ context: WindowContext) throws -> WindowSession {
        guard let session = sessions[try context.parameters.require("window")], session.admits(token: request.token) else {
            throw PageError.sessionGone
        }
        return session
    }

    private struct LoadAllRequest: Decodable {
        let all: Bool
    }

    private struct RetryRequest: Decodable {
        let row: String?
    }
}

// MARK: - Opening sessions

extension SessionRoutes {
    private struct OpenResponse: ResponseCodable {
        let sessionID: String
        /// The language selected by the user, nil for none: a page in another language reloads itself.
        let language: String?

        private enum CodingKeys: String, CodingKey {
            case sessionID = "window"
            case language
        }
    }

    private func open(_ request: Request, _ context: WindowContext) async throws -> EditedResponse<OpenResponse> {
        let description = try await request.decodeBody(PageDescription.self, context)
        let language = request.selectedLanguage?.tag
        let client = proxies.client(of: request.head, from: context.peer)
        if let sessionID = description.sessionID, let session = sessions[sessionID] {
            // The page reloads itself: its content and its forms are those of somebody else.
            guard session.admits(token: request.token) else { throw PageError.signedOut }
            if try sessions.connect(sessionID, for: client) != nil {
                return EditedResponse(status: .ok, response: OpenResponse(sessionID: sessionID, language: language))
            }
        }
        let session = try sessions.open(try await screen(description, in: request.language, token: request.token), for: client)
        return EditedResponse(status: .created, response: OpenResponse(sessionID: session.id, language: language))
    }

    private func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> any WindowScreen {
        for app in apps {
            if let screen = try await app.screen(description, in: language, token: token) { return screen }
        }
        throw PageError.noSuchScreen
    }
}

// MARK: - Event stream

extension SessionRoutes {
    private func events(_ request: Request, _ session: WindowSession, on loop: any EventLoop) throws -> Response {
        let last = request.headers[.lastEventID].flatMap { Int($0) } ?? request.uri.queryParameters.get("after", as: Int.self)
        let coding = EventStreamCoding(for: request, sharing: blocks)
        return Response(
            status: .ok,
            headers: coding.headers,
            body: ResponseBody { writer in
                try await request.body.withCancellationOnInboundClose {
                    try await withGracefulShutdownHandler {
                        // The event loop writes the bytes, so running there avoids a thread switch for each change.
                        try await withTaskExecutorPreference(EventLoopExecutor(loop)) {
                            try await write(session, after: last, coding, to: &writer)
                        }
                    } onGracefulShutdown: {
                        session.screen.closeStream()
                    }
                }
                try await writer.finish(nil)
            })
    }

    @concurrent
    private func write(
        _ session: WindowSession, after last: Int?, _ coding: EventStreamCoding, to writer: inout any ResponseBodyWriter
    ) async throws {
        let screen = session.screen
        let reader = screen.registerReader()
        session.streamChanged(isOpen: true)
        defer { session.streamChanged(isOpen: false) }
        try await writer.write(coding.preamble)
        var last = last ?? -1
        var isResending = false
        while true {
            switch await screen.nextOutput(after: last, for: reader) {
            case .events(let events, let id):
                last = id
                isResending = false
                if !events.isEmpty { try await writer.write(events.stream(endingAt: id, coding: coding)) }
            case .heartbeat:
                try await writer.write(coding.heartbeat)
            case .gap where isResending:
                // The log is too small even for a full update: the page reconnects after a pause.
                return
            case .gap:
                isResending = true
                last = screen.lastEventID
                screen.invalidateAll()
            case .end:
                return
            }
        }
    }
}

extension HTTPField.Name {
    static let lastEventID = HTTPField.Name("Last-Event-ID")!
}
