import Hummingbird
import LadingHTTP

// The table of orders.
extension DispatchRoutes {
    /// The age at which a table is read again without a change: positions of couriers and due times change without an event.
    private static let maximumTableAge: Duration = .seconds(30)

    /// Returns the page of the table that the address selects.
    func tablePage(_ request: Request) async throws -> Response {
        let query = DispatchQuery(request.uri.query)
        do {
            return try await withVisit(request) { visit in
                // The table is read after the person is known: only dispatchers may join the shared reads, which wait for each other.
                let screen = try await tableScreen(query, for: visit.dispatcher)
                let context = visit.contexts.page(screen.current, query, sessionID: sessionID(of: screen, for: visit))
                return page(.dispatch, context, title: visit.texts.dispatch, for: visit)
            }
        } catch BackendError.status(400, _, _) where query.cursor != nil {
            // A cursor of another version of the program, or one that was cut off.
            return .redirect(to: query.page(after: nil).url, type: .normal)
        }
    }

    /// Reads a table, and returns its screen.
    func tableScreen(_ query: DispatchQuery, for dispatcher: Dispatcher) async throws -> LiveScreen<RenderedTable> {
        let (service, contexts) = (dispatcher.service, dispatcher.contexts)
        let content = try await Self.table(query, service, reads)
        let source = LiveScreen<RenderedTable>.Source(
            read: { [reads] reason in try await Self.table(query, service, reads, verifiesToken: reason == .request) },
            maximumAge: Self.maximumTableAge)
        return LiveScreen(content, at: content.table.position, from: source, service.orders, clock: clock) { [renderer] current in
            func render() -> JSONText { JSONText(renderer.fragment(.dispatchTable, contexts.page(current, query, sessionID: ""))) }
            // The markup that all pages share has no message of a failed read.
            let html = current.failure == nil ? current.content.fragment(in: contexts.texts.language, render) : render()
            return DetailEvent(version: current.version, state: "loaded", html: html)
        }
    }

    /// Reads a table, which all dispatchers share: they see the same orders.
    ///
    /// - Parameter verifiesToken: Whether the token is verified although another page has read the table with its own.
    static func table(
        _ query: DispatchQuery, _ service: DispatchService, _ reads: JoinedReads<DispatchQuery, RenderedTable>, verifiesToken: Bool = false
    ) async throws -> RenderedTable {
        let (table, isOwn) = try await reads.value(for: query, isRefusal: isRefusal) { RenderedTable(try await service.table(query)) }
        if verifiesToken, !isOwn { try await service.orders.verifyToken() }
        return table
    }

    /// Whether a read has failed because its token is no longer that of a dispatcher.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case BackendError.status(401, _, _), BackendError.status(403, _, _): true
        default: false
        }
    }
}
