import Digests
import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP
import LadingOperations
import LadingRecords
import Orders

/// The pages of signed-in people: open orders, their own, and one order. For everybody else `OrderRoutes` has its own.
struct CourierRoutes: Sendable {
    /// The number of rows in view until the page reports its viewport.
    private static let firstRows = 8

    let account: AccountService
    let cookie: TokenCookie
    let repository: OrderRepository
    let pages: PageDependencies
    /// Makes the idempotency keys of forms.
    let makeKey: @Sendable () -> String
    /// The reads of open orders that have changed, which all lists share.
    let changedOrders = JoinedReads<Int, APIOrder?>()

    /// The person of a request, and the orders that this person may see.
    struct Visit: Sendable {
        let person: AccountService.Person
        let service: OrderService
        let contexts: CourierContexts
    }

    /// Returns who sends a request; nil if nobody is signed in.
    func visit(_ request: Request) async throws -> Visit? { try await visit(token: request.token, in: request.language) }

    private func visit(token: String?, in language: Language) async throws -> Visit? {
        guard let token, let person = try await account.person(withToken: token) else { return nil }
        var orders = OrderContexts(
            texts: Texts(language), timeZone: repository.timeZone, mapSource: pages.mapSource, now: repository.now,
            failedImages: repository.images.failedImages)
        orders.near = repository.near
        return Visit(
            person: person, service: OrderService(api: account.api, token: token, receivesPINs: person.isDispatcher),
            contexts: CourierContexts(
                orders: orders, person: person, formToken: FormToken.token(for: token), catalog: repository.catalog, makeKey: makeKey))
    }

    /// Returns the screen of a page; nil if it is another's, or nobody is signed in.
    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        let scope = OrderService.Scope.allCases.first { $0.screen == description.screen }
        guard scope != nil || description.screen == "courier-order" else { return nil }
        guard let visit = try await visit(token: token, in: language) else { throw PageError.signedOut }
        if let scope {
            let visible = description.visible(atMost: ListQuery.rowsPerPage)
            return listScreen(
                scope, visit, first: visible, topRow: description.row.flatMap { Int($0) }, query: description.query)
        }
        guard let id = description.row.flatMap({ Int($0) }), let screen = try await orderScreen(id, visit) else {
            throw PageError.noSuchOrder
        }
        return screen
    }

    private func listScreen(
        _ scope: OrderService.Scope, _ visit: Visit, first: Range<Int>, topRow: Int? = nil, query: RequestedQuery
    ) -> CourierListScreen {
        CourierListScreen(
            scope, of: visit.person, visit.service, sharing: changedOrders, repository, visit.contexts, pages.renderer, first: first,
            topRow: topRow, query: query, clock: pages.clock)
    }

    private func orderScreen(_ id: Int, _ visit: Visit) async throws -> LiveScreen<CourierOrderContent>? {
        // The position is read first: a change between the requests is received again.
        let position = try await visit.service.position()
        guard let content = try await CourierOrderContent(of: id, from: visit.service) else { return nil }
        let source = LiveScreen<CourierOrderContent>.Source(
            read: { _ in try await CourierOrderContent(of: id, from: visit.service) }, isAffected: { $0.order == id },
            redact: { $0.hasLeft = true })
        return LiveScreen(content, at: position, from: source, visit.service, clock: pages.clock) { [renderer = pages.renderer] current in
            let context = visit.contexts.page(current.content, failure: current.failure, version: current.version, sessionID: "")
            return DetailEvent(version: current.version, state: "loaded", html: JSONText(renderer.fragment(.courierDetail, context)))
        }
    }
}

// MARK: - Pages

extension CourierRoutes {
    /// Returns the list of orders.
    func list(_ scope: OrderService.Scope, _ request: Request, for visit: Visit) async -> Response {
        let query = ListQuery(scope.path, request.uri.query)
        let isPlain = request.wantsPlainPage
        let first = query.from..<(query.from + (isPlain ? ListQuery.rowsPerPage : Self.firstRows))
        let screen = listScreen(scope, visit, first: first, query: query.requestedQuery)
        await screen.wait(atMost: RenderTimeout.withoutScripts, on: pages.clock) { !$0.isLoading }
        let isConnected = !isPlain && !request.isPrefetch
        let sessionID = isPlain ? nil : isConnected ? pages.sessions.openRendered(screen).id : ""
        defer { if !isConnected { screen.stop() } }
        return cookie.renewed(in: page(screen, query, in: request.language, sessionID: sessionID), to: request)
    }

    /// Renders the page of a list.
    ///
    /// - Parameter sessionID: The id of the session; nil for a plain page, empty for one that the worker stores.
    private func page(_ screen: CourierListScreen, _ query: ListQuery, in language: Language, sessionID: String?) -> Response {
        let list = screen.renderedList()
        let texts = screen.contexts.orders.texts
        let labels = screen.labels(for: list, search: query.requestedQuery.searchText)
        let isPlain = sessionID == nil
        let range = query.range(of: list.orders.count, isPlain: isPlain)
        let rows = range.map { index in
            let content = screen.contexts.rowContent(list.orders[index], hasLeft: false, at: index)
            return screen.contexts.row(content, form: screen.contexts.formValues())
        }
        var context = TemplateContext.List(
            screen: screen.scope.screen, query: query, heading: labels.title, label: labels.title,
            searchHint: texts.strings.searchHint, sorts: Self.sorts(texts.strings), busy: list.isLoading,
            problem: list.failure.map(screen.contexts.orders.listProblem), range: nil, note: nil, fetchedAt: screen.fetchedAt,
            empty: labels.empty,
            sessionID: sessionID, list: list.revision, count: list.orders.count, size: list.next == nil ? nil : -1, from: range.lowerBound,
            rows: rows, hasNext: range.upperBound < list.orders.count || list.next != nil && list.orders.count < CourierListScreen.rowLimit,
            texts: texts.strings)
        context.storedAt = sessionID == "" ? repository.now().millisecondsSince1970 : nil
        context.near = repository.near?.description
        context.person = screen.person.id
        context.stepTexts = screen.contexts.stepTexts
        context.tabs = OrderService.Scope.allCases.map { scope in
            .init(href: scope.path, text: texts.tab(of: scope), isCurrent: screen.scope == scope)
        }
        return .page(
            pages.renderer.page(
                .courierList, context, title: context.heading, in: language,
                plainURL: isPlain ? nil : query.plainURL(from: range.lowerBound),
                isPlain: isPlain),
            in: language)
    }

    private static func sorts(_ texts: LocalizedStrings) -> [TemplateContext.Sort] {
        [
            .init(value: "nearest", icon: "pin", text: texts.sortNearest), .init(value: "soonest", icon: "clock", text: texts.sortEarliest),
            .init(value: "price", icon: "price", text: texts.sortPrice),
        ]
    }

    /// Returns the page of an order.
    ///
    /// - Parameter entry: What a form without scripts sent that was not accepted; nil for none.
    func order(
        _ id: OrderID, _ request: Request, for visit: Visit, entry: TemplateContext.StepEntry? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        guard let number = id.number, let screen = try await orderScreen(number, visit) else { throw PageError.noSuchOrder }
        let isPlain = request.wantsPlainPage || entry != nil
        let isConnected = !isPlain && !request.isPrefetch
        let sessionID = isConnected ? pages.sessions.openRendered(screen).id : ""
        let current = screen.current
        var context = visit.contexts.page(current.content, entry: entry, version: current.version, sessionID: sessionID)
        context.storedAt = request.isPrefetch ? repository.now().millisecondsSince1970 : nil
        let page = Response.page(
            pages.renderer.page(
                .courierOrder, context, title: context.order.title, in: request.language,
                plainURL: isPlain ? nil : "/orders/\(number)?plain=1", isPlain: isPlain),
            in: request.language, status: status)
        return cookie.renewed(in: page, to: request)
    }
}

/// The token that protects forms against forgery: it cannot be made without the person's token.
enum FormToken {
    static func token(for token: String) -> String { SHA256.hash(data: Data("form \(token)".utf8)).hexString }
}
