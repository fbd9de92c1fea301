import Foundation
import HTTPTypes
import Hummingbird
import LadingFeeds
import LadingOperations
import LadingRecords
import Orders

/// The pages of the orders: the list, an order, and the images of items.
struct OrderRoutes: AppRoutes {
    /// The number of rows loaded before the page reports its viewport.
    private static let firstRows = 8

    let repository: OrderRepository
    let pages: PageDependencies
    /// The pages of signed-in people; nil where nobody can sign in.
    let couriers: CourierRoutes?

    func add(to router: Router<WindowContext>) {
        router.get("/orders") { request, _ in
            if let couriers, let visit = try await couriers.visit(request) {
                if visit.person.isDispatcher { return Response.redirect(to: DispatchQuery.path, type: .normal) }
                return await couriers.list(.open, request, for: visit)
            }
            return try await list(request)
        }
        router.get("/orders/:id") { request, context in
            let id = try OrderID(pathComponent: context.parameters.require("id"))
            if let couriers, let visit = try await couriers.visit(request) {
                if visit.person.isDispatcher { return Response.redirect(to: "\(DispatchQuery.path)/orders/\(id)", type: .normal) }
                return try await couriers.order(id, request, for: visit)
            }
            return try await order(request, id)
        }
        couriers?.add(to: router)
        router.get("/orders/items/:id/picture") { _, context in
            try await image(ofItem: context.parameters.require("id", as: Int.self))
        }
    }

    func screen(_ description: PageDescription, in language: Language, token: String?) async throws -> (any WindowScreen)? {
        switch description.screen {
        case "orders":
            listScreen(
                in: language, first: description.visible(atMost: ListQuery.rowsPerPage), topRow: description.row.map { OrderID($0) },
                query: description.query)
        case "order": try await orderScreen(OrderID(description.row ?? ""), in: language)
        default: try await couriers?.screen(description, in: language, token: token)
        }
    }

    private func listScreen(
        in language: Language, first: Range<Int>, topRow: OrderID? = nil, query: RequestedQuery
    ) -> OrderListScreen {
        OrderListScreen(repository, contexts(in: language), pages.renderer, first: first, topRow: topRow, query: query)
    }

    private func orderScreen(_ id: OrderID, in language: Language) async throws -> OrderScreen {
        guard let reference = try await repository.reference(of: id) else { throw PageError.noSuchOrder }
        await repository.restore(id)
        return OrderScreen(reference, repository, contexts(in: language), pages.renderer)
    }

    private func contexts(in language: Language) -> OrderContexts {
        OrderContexts(
            texts: Texts(language), timeZone: repository.timeZone, mapSource: pages.mapSource, now: repository.now,
            failedImages: repository.images.failedImages)
    }
}

// MARK: - The list

extension OrderRoutes {
    private func list(_ request: Request) async throws -> Response {
        let query = ListQuery("/orders", request.uri.query)
        let isPlain = request.wantsPlainPage
        let first = query.from..<(query.from + (isPlain ? ListQuery.rowsPerPage : Self.firstRows))
        let screen = listScreen(in: request.language, first: first, query: query.requestedQuery)
        if isPlain {
            defer { screen.stop() }
            await screen.wait(atMost: RenderTimeout.withoutScripts, on: pages.clock) {
                $0.controller.hasFinishedLoading(in: first) && $0.controller.isFullyIndexed
            }
            return page(screen, query, in: request.language, sessionID: nil)
        }
        await screen.wait(atMost: RenderTimeout.withScripts, on: pages.clock) { $0.controller.hasList && !$0.controller.isApplyingQuery }
        return page(screen, query, in: request.language, sessionID: pages.sessions.openRendered(screen).id)
    }

    /// Renders the page of a list.
    ///
    /// - Parameter sessionID: The id of the session; nil for a plain page.
    private func page(_ screen: OrderListScreen, _ query: ListQuery, in language: Language, sessionID: String?) -> Response {
        var contexts = contexts(in: language)
        contexts.near = repository.near
        let list = screen.controller.list
        let labels = screen.labels(for: list)
        let isPlain = sessionID == nil
        screen.didRender(list)
        let count = list.snapshot.count
        let range = query.range(of: count, isPlain: isPlain)
        let rows = range.map { row(at: $0, of: list, in: screen, contexts) }
        var context = TemplateContext.List(
            screen: "orders", query: query, heading: labels.title, label: contexts.texts.strings.orders,
            searchHint: contexts.texts.strings.searchHint, sorts: Self.sorts(contexts.texts.strings), busy: !list.hasFinishedLoading,
            problem: screen.problem(with: list), range: isPlain && count > 0 ? contexts.texts.range(range, of: count) : nil,
            note: labels.note, fetchedAt: repository.cache.listFetchedAt.map(\.millisecondsSince1970), empty: labels.empty,
            sessionID: sessionID, list: list.revision, count: count, from: range.lowerBound,
            rows: query.requestedQuery.isByPrice ? TemplateContext.OrderRow.withCurrencyHeading(rows) : rows,
            hasNext: range.upperBound < count, texts: contexts.texts.strings)
        context.near = repository.near?.description
        context.sharedAddressParts = PostalAddress.sharedTrailingPartCount(of: rows.compactMap { $0.loaded?.postalAddress })
        return .page(
            pages.renderer.page(
                .orders, context, title: context.heading, in: language, plainURL: isPlain ? nil : query.plainURL(from: query.from),
                isPlain: isPlain),
            in: language)
    }

    private static func sorts(_ texts: LocalizedStrings) -> [TemplateContext.Sort] {
        [
            .init(value: "price", icon: "price", text: texts.sortPrice, opposite: "priceDown"),
            .init(value: "priceDown", icon: "price", text: texts.sortPriceDescending),
            .init(value: "nearest", icon: "pin", text: texts.sortNearest), .init(value: "soonest", icon: "clock", text: texts.sortEarliest),
        ]
    }

    private func row(
        at index: Int, of list: FeedList<OrderReference>, in screen: OrderListScreen, _ contexts: OrderContexts
    ) -> TemplateContext.OrderRow {
        let id = list.snapshot.references[index].id
        var row = contexts.row(id, screen.controller.state(of: id), at: index, version: 0)
        row.index = index
        row.position = index + 1
        row.count = list.snapshot.count
        row.odd = !index.isMultiple(of: 2)
        return row
    }
}

// MARK: - One order

extension OrderRoutes {
    private func order(_ request: Request, _ id: OrderID) async throws -> Response {
        let isPlain = request.wantsPlainPage
        let screen = try await orderScreen(id, in: request.language)
        if isPlain {
            defer { screen.stop() }
            await screen.waitUntilFinishedLoading(atMost: RenderTimeout.withoutScripts, on: pages.clock)
            return page(screen, id, in: request.language, sessionID: "", isPlain: true)
        }
        await screen.waitUntilFinishedLoading(atMost: RenderTimeout.withScripts, on: pages.clock)
        return page(screen, id, in: request.language, sessionID: pages.sessions.openRendered(screen).id, isPlain: false)
    }

    private func page(_ screen: OrderScreen, _ id: OrderID, in language: Language, sessionID: String, isPlain: Bool) -> Response {
        let (row, version) = screen.content
        let context = contexts(in: language).page(id, row, stored: screen.stored, version: version, sessionID: sessionID)
        return .page(
            pages.renderer.page(
                .order, context, title: context.loaded?.title ?? context.heading, in: language,
                plainURL: isPlain ? nil : "/orders/\(id.pathComponent)?plain=1", isPlain: isPlain),
            in: language)
    }
}

// MARK: - Images

extension OrderRoutes {
    private func image(ofItem id: Int) async throws -> Response {
        let imageURL: URL?
        if let item = repository.catalog.cachedItem(id) {
            imageURL = item.imageURL
        } else {
            imageURL = try await repository.queue.value(of: repository.catalog.item(id), priority: .visible).imageURL
        }
        guard let url = imageURL else { throw PageError.notFound }
        let image = try await repository.queue.value(of: repository.images.load(url), priority: .visible)
        return .image(image, cacheControl: "private, max-age=3600")
    }
}
