import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import LadingHTTP
import LadingOperations
import NIOCore
import Orders

/// The pages of dispatchers: the table of orders, one order with its history, and the forms to create and edit orders.
struct DispatchRoutes: AppRoutes {
    static let tableScreen = "dispatch"
    static let orderScreen = "dispatch-order"
    /// The maximum length of a form, in bytes.
    private static let formLimit = 64 << 10
    /// The age of positions and of due times, which change without an event.
    private static let positionAge: Duration = .seconds(30)

    let account: AccountService
    let cookie: TokenCookie
    let repository: OrderRepository
    let renderer: PageRenderer
    let sessions: WindowSessions
    let clock: any Clock<Duration>
    let mapSource: MapSource
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String
    private let reads = SharedReads<DispatchQuery, RenderedTable>()

    init(
        account: AccountService, cookie: TokenCookie, repository: OrderRepository, renderer: PageRenderer, sessions: WindowSessions,
        clock: any Clock<Duration>, mapSource: MapSource, makeKey: @escaping @Sendable () -> String
    ) {
        (self.account, self.cookie, self.repository, self.renderer, self.sessions) = (account, cookie, repository, renderer, sessions)
        (self.clock, self.mapSource, self.makeKey) = (clock, mapSource, makeKey)
    }

    /// The dispatcher of a request.
    struct Visit: Sendable {
        let service: DispatchService
        let contexts: DispatchContexts
    }

    func add(to router: Router<WindowContext>) {
        let path = DispatchQuery.path
        router.get(RouterPath(path)) { request, _ in try await table(DispatchQuery(request.uri.query), request) }
        router.get("\(path)/orders/new") { request, _ in
            try await withVisit(request) { newForm(for: $0, request) }
        }
        router.post("\(path)/orders/new") { request, _ in
            try await withForm(request) { try await create($1, request, for: $0) }
        }
        router.get("\(path)/import") { request, _ in
            try await withVisit(request) { importPage(nil, request, for: $0) }
        }
        router.post("\(path)/import") { request, _ in
            try await withVisit(request) { try await importFile(request, for: $0) }
        }
        router.get("\(path)/export") { request, _ in
            try await withVisit(request) { try await exportFile(request, for: $0) }
        }
        router.get("\(path)/orders/:id") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withVisit(request, reading: { try await $0.orderAtPosition(id) }) { try order($1, request, for: $0) }
        }
        router.get("\(path)/orders/:id/edit") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withVisit(request) { try await editForm(id, request, for: $0) }
        }
        router.post("\(path)/orders/:id/edit") { request, context in
            let id = try context.parameters.require("id", as: Int.self)
            return try await withForm(request) { try await edit(id, $1, request, for: $0) }
        }
        for command in DispatchCommand.allCases {
            router.post("\(path)/orders/:id/\(command.rawValue)") { request, context in
                let id = try context.parameters.require("id", as: Int.self)
                return try await withForm(request) { try await perform(command, on: id, $1, request, for: $0) }
            }
        }
        router.get("\(path)/orders/:id/proofs/:digest") { request, context in
            let (id, digest) = try (context.parameters.require("id", as: Int.self), context.parameters.require("digest"))
            return try await withVisit(request) { try await proof(digest, of: id, for: $0) }
        }
    }

    /// Responds as a dispatcher; others are sent to their own pages.
    private func withVisit(
        _ request: Request, signedOut: () -> Response = { .redirect(to: AccountRoutes.path, type: .normal) },
        _ respond: (Visit) async throws -> Response
    ) async throws -> Response {
        try await withVisit(request, signedOut: signedOut, reading: { _ in }) { visit, _ in try await respond(visit) }
    }

    /// Responds as a dispatcher with a content that is read while the person is.
    private func withVisit<Content: Sendable>(
        _ request: Request, signedOut: () -> Response = { .redirect(to: AccountRoutes.path, type: .normal) },
        reading read: @escaping @Sendable (DispatchService) async throws -> Content, _ respond: (Visit, Content) async throws -> Response
    ) async throws -> Response {
        guard let token = request.token else { return signedOut() }
        let service = service(token: token)
        async let content = read(service)
        guard let person = try await account.person(withToken: token) else { return signedOut() }
        guard person.isDispatcher else { return .redirect(to: OrderService.Scope.open.path, type: .normal) }
        let visit = Visit(service: service, contexts: contexts(for: person, token: token, in: request.language))
        return cookie.renewed(in: try await respond(visit, try await content), to: request)
    }

    /// Responds to a form of a dispatcher. A form that was not delivered is shown again, with its key.
    private func withForm(_ request: Request, _ respond: (Visit, FormFields) async throws -> Response) async throws -> Response {
        let buffer: ByteBuffer
        do { buffer = try await request.body.collect(upTo: Self.formLimit) } catch is NIOTooManyBytesError {
            throw PageError.contentTooLarge
        }
        let form = FormFields(String(buffer: buffer))
        let formToken = request.token.map(FormToken.token)
        // The page may be older than the last sign-in.
        func signedOut() -> Response {
            let fields = form.all.map { ($0.name, $0.name == "token" ? formToken ?? $0.value : $0.value) }
            let reason = LocalizedStrings(request.language).reasonSignedOut
            return unsentPage(fields, request, status: .forbidden, because: reason, needsSignIn: true)
        }
        guard let formToken, form["token"] == formToken else {
            guard request.isFromOwnPage else { throw PageError.crossOrigin }
            return signedOut()
        }
        do {
            return try await withVisit(request, signedOut: signedOut) { try await respond($0, form) }
        } catch is BackendError {
            return unsentPage(form.all, request, status: .badGateway)
        } catch let error as NotDelivered {
            return unsentPage(form.all, request, status: error.status, because: error.reason)
        }
    }

    /// A form whose command may succeed later with the same key, or has succeeded already.
    struct NotDelivered: Error {
        let status: HTTPResponse.Status
        let reason: String
    }

    private func unsentPage(
        _ fields: [(name: String, value: String)], _ request: Request, status: HTTPResponse.Status, because reason: String? = nil,
        needsSignIn: Bool = false
    ) -> Response {
        .page(
            renderer.unsentPage(fields, action: request.uri.path, because: reason, needsSignIn: needsSignIn, in: request.language),
            in: request.language, status: status)
    }

    private func service(token: String) -> DispatchService { DispatchService(orders: OrderService(api: account.api, token: token)) }

    private func contexts(for person: AccountService.Person, token: String, in language: Language) -> DispatchContexts {
        let orders = OrderContexts(
            texts: Texts(language), timeZone: repository.timeZone, mapSource: mapSource, now: repository.now,
            failedImages: repository.images.failedImages)
        return DispatchContexts(
            orders: orders, person: person, formToken: FormToken.token(for: token), catalog: repository.catalog, makeKey: makeKey)
    }

    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        guard [Self.tableScreen, Self.orderScreen].contains(description.screen) else { return nil }
        guard let token, let person = try await account.person(withToken: token), person.isDispatcher else { throw PageError.signedOut }
        let visit = Visit(service: service(token: token), contexts: contexts(for: person, token: token, in: language))
        if description.screen == Self.tableScreen {
            let query = DispatchQuery(description.row)
            return tableScreen(try await Self.table(query, visit.service, reads), query, visit)
        }
        guard let id = description.row.flatMap({ Int($0) }), let (order, position) = try await visit.service.orderAtPosition(id) else {
            throw PageError.noSuchOrder
        }
        return orderScreen(order, at: position, visit)
    }
}

// MARK: - The table

extension DispatchRoutes {
    private func tableScreen(_ content: RenderedTable, _ query: DispatchQuery, _ visit: Visit) -> LiveScreen<RenderedTable> {
        let source = LiveScreen<RenderedTable>.Source(
            read: { [reads] reason in try await Self.table(query, visit.service, reads, verifiesToken: reason == .request) },
            maximumAge: Self.positionAge)
        return LiveScreen(content, at: content.table.position, from: source, visit.service.orders, clock: clock) { [renderer] current in
            let contexts = visit.contexts
            func render() -> JSONText { JSONText(renderer.fragment(.dispatchTable, contexts.page(current, query, sessionID: ""))) }
            let html = current.failure == nil ? current.content.fragment(in: contexts.texts.language, render) : render()
            return DetailEvent(version: current.version, state: "loaded", html: html)
        }
    }

    /// Reads a table, which all dispatchers share: they see the same orders.
    ///
    /// - Parameter verifiesToken: Whether the token is verified although another page has read the table with its own.
    static func table(
        _ query: DispatchQuery, _ service: DispatchService, _ reads: SharedReads<DispatchQuery, RenderedTable>, verifiesToken: Bool = false
    ) async throws -> RenderedTable {
        let (table, isOwn) = try await reads.value(for: query, isRefusal: isRefusal) { RenderedTable(try await service.table(query)) }
        if verifiesToken, !isOwn { try await service.orders.verifyToken() }
        return table
    }

    /// Whether a read has failed because its token is not that of a dispatcher any more.
    private static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case BackendError.status(401, _, _), BackendError.status(403, _, _): true
        default: false
        }
    }

    private func table(_ query: DispatchQuery, _ request: Request) async throws -> Response {
        do {
            return try await withVisit(request, reading: { [reads] in try await Self.table(query, $0, reads) }) { visit, content in
                let screen = tableScreen(content, query, visit)
                let context = visit.contexts.page(screen.current, query, sessionID: sessionID(of: screen, request))
                return page(.dispatch, context, title: visit.contexts.texts.strings.dispatch, request)
            }
        } catch BackendError.status(400, _, _) where query.cursor != nil {
            // A cursor of another version of the program, or one that was cut off.
            return .redirect(to: query.page(after: nil).url, type: .normal)
        }
    }

    /// Opens a session for the stream of a page; a plain page has none.
    private func sessionID(of screen: some WindowScreen, _ request: Request) -> String {
        request.wantsPlainPage ? "" : sessions.openRendered(screen).id
    }

    private func page(
        _ template: PageRenderer.Template, _ context: some TemplateFields, title: String, _ request: Request,
        status: HTTPResponse.Status = .ok
    ) -> Response {
        .page(
            renderer.page(template, context, title: title, in: request.language, isPlain: request.wantsPlainPage), in: request.language,
            status: status)
    }
}

// MARK: - An order

extension DispatchRoutes {
    private func orderScreen(_ content: DispatchService.Order, at position: String, _ visit: Visit) -> LiveScreen<DispatchService.Order> {
        let id = content.order.id
        let source = LiveScreen<DispatchService.Order>.Source(
            read: { _ in try await visit.service.order(id) }, isAffected: { $0.order == id })
        return LiveScreen(content, at: position, from: source, visit.service.orders, clock: clock) { [renderer] current in
            let context = visit.contexts.page(
                current.content, backURL: DispatchQuery.path, failure: current.failure, version: current.version, sessionID: "")
            return DetailEvent(version: current.version, state: "loaded", html: JSONText(renderer.fragment(.dispatchDetail, context)))
        }
    }

    /// Returns the page of an order.
    ///
    /// - Parameters:
    ///   - content: The order, and a position of the change feed before it was read; nil if there is no such order.
    ///   - rejection: The response to a command that was not carried out; nil for none.
    private func order(
        _ content: (order: DispatchService.Order, position: String)?, _ request: Request, for visit: Visit,
        rejection: BackendResponse? = nil
    ) throws -> Response {
        guard let (order, position) = content else { throw PageError.noSuchOrder }
        let screen = orderScreen(order, at: position, visit)
        let current = screen.current
        let context = visit.contexts.page(
            current.content, backURL: DispatchQuery.path, rejection: rejection, version: current.version,
            sessionID: sessionID(of: screen, request))
        return page(.dispatchOrder, context, title: context.order.title, request, status: rejection?.status ?? .ok)
    }

    private func proof(_ digest: String, of order: Int, for visit: Visit) async throws -> Response {
        let service = visit.service.orders
        let response = try await service.api.download("orders/\(order)/proofs/\(digest.percentEncodedComponent)", token: service.token)
        guard response.status.kind == .successful else { throw PageError.notFound }
        var headers: HTTPFields = [.cacheControl: "private, no-store", .xContentTypeOptions: "nosniff"]
        headers[.contentType] = response.headers[.contentType]
        headers[.contentSecurityPolicy] = "sandbox; default-src 'none'"
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: response.body)))
    }
}

// MARK: - Commands

/// The commands of a dispatcher to an order, below its path.
enum DispatchCommand: String, CaseIterable {
    case cancel, reassign, correct, accept

    /// Returns the body of the API's command.
    func body(_ form: FormFields) -> [String: JSONValue] {
        switch self {
        case .cancel: [:]
        case .reassign: ["courier": .text(form["courier"] ?? "")]
        case .correct:
            ["state": .text(form["state"] ?? "")].merging(
                (form["courier"] ?? "").isEmpty ? [:] : ["courier": .text(form["courier"] ?? "")]
            ) { $1 }
        case .accept: ["report": .number(form["report"].flatMap { Double($0) } ?? 0)]
        }
    }
}

extension DispatchRoutes {
    /// Sends a command with the key of its form.
    ///
    /// - Throws: `NotDelivered` if the response is not final.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [String: JSONValue], _ form: FormFields, for visit: Visit,
        version: String? = nil
    ) async throws -> BackendResponse {
        var fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: form["key"] ?? ""]
        if let version { fields[.ifMatch] = "\"\(version)\"" }
        let response = try await account.api.forward(
            method, path, token: visit.service.orders.token, fields: fields, body: .bytes(try JSONEncoder().encode(body)))
        guard response.isFinal else { throw NotDelivered(status: response.status, reason: visit.contexts.reason(of: response)) }
        return response
    }

    private func perform(
        _ command: DispatchCommand, on id: Int, _ form: FormFields, _ request: Request, for visit: Visit
    ) async throws -> Response {
        let response = try await send(.post, "orders/\(id)/\(command.rawValue)", command.body(form), form, for: visit)
        if response.status.kind == .successful {
            return .redirect(to: "\(DispatchQuery.path)/orders/\(id)", type: .normal)
        }
        return try order(try await visit.service.orderAtPosition(id), request, for: visit, rejection: response)
    }
}
