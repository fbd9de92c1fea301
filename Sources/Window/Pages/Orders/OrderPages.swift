import Foundation
import HTTPTypes
import Hummingbird
import LadingFeeds
import LadingOperations
import Orders

/// The pages of the orders: the list, one order, and the pictures of items.
struct OrderPages: AppPages {
    /// How many rows are loaded before the page has told how many it shows.
    private static let firstRows = 8

    let board: OrderBoard
    let renderer: PageRenderer
    let sessions: WindowSessions
    let clock: any Clock<Duration>
    let legend: MapLegend

    func add(to router: Router<WindowContext>) {
        router.get("/orders") { request, _ in try await list(request) }
        router.get("/orders/:id") { request, context in
            try await order(request, OrderID(pathComponent: context.parameters.require("id")))
        }
        router.get("/orders/items/:id/picture") { _, context in
            try await picture(context.parameters.require("id", as: Int.self))
        }
    }

    func screen(_ description: PageDescription, in language: Language) async throws -> (any WindowScreen)? {
        switch description.screen {
        case "orders":
            listScreen(
                in: language, first: description.visible(atMost: ListQuery.rowsPerPage), topRow: description.row.map { OrderID($0) },
                wish: description.wish)
        case "order": try await orderScreen(OrderID(description.row ?? ""), in: language)
        default: nil
        }
    }

    private func listScreen(
        in language: Language, first: Range<Int>, topRow: OrderID? = nil, wish: ArrangementWish
    ) -> OrderListScreen {
        OrderListScreen(board, contexts(in: language), renderer, first: first, topRow: topRow, wish: wish)
    }

    private func orderScreen(_ id: OrderID, in language: Language) async throws -> OrderScreen {
        guard let reference = try await board.reference(of: id) else { throw Refusal.noSuchOrder }
        await board.restore(id)
        return OrderScreen(reference, board, contexts(in: language), renderer)
    }

    private func contexts(in language: Language) -> OrderContexts {
        OrderContexts(
            texts: Texts(language), timeZone: board.timeZone, legend: legend, now: board.now, missing: board.pictures.missing)
    }
}

// MARK: - The list

extension OrderPages {
    private func list(_ request: Request) async throws -> Response {
        let query = ListQuery("/orders", request.uri.query)
        let isPlain = request.wantsPlainPage
        let first = query.from..<(query.from + (isPlain ? ListQuery.rowsPerPage : Self.firstRows))
        let screen = listScreen(in: request.language, first: first, wish: query.wish)
        if isPlain {
            defer { screen.stop() }
            await screen.wait(atMost: PageWait.patience, on: clock) { $0.controller.isSettled(in: first) && $0.controller.isSurveyed }
            return page(screen, query, in: request.language, window: nil)
        }
        await screen.wait(atMost: PageWait.grace, on: clock) { $0.controller.hasList && !$0.controller.isArranging }
        return page(screen, query, in: request.language, window: sessions.openRendered(screen).id)
    }

    /// - Parameter window: The id of the session; nil for a plain page.
    private func page(_ screen: OrderListScreen, _ query: ListQuery, in language: Language, window: String?) -> Response {
        var contexts = contexts(in: language)
        contexts.near = board.near
        let list = screen.controller.list
        let words = screen.words(of: list)
        let isPlain = window == nil
        screen.listRendered(list)
        let count = list.snapshot.count
        let range = query.range(of: count, isPlain: isPlain)
        let rows = range.map { row(at: $0, of: list, in: screen, contexts) }
        var context = TemplateContext.List(
            screen: "orders", query: query, heading: words.title, label: contexts.texts.plain.orders,
            searchHint: contexts.texts.plain.searchHint, sorts: Self.sorts(contexts.texts.plain), busy: !list.isSettled,
            problem: screen.problem(with: list), range: isPlain && count > 0 ? contexts.texts.range(range, of: count) : nil,
            note: words.note, at: board.memory.listedAt.map(\.millisecondsSince1970), empty: words.empty,
            window: window, list: list.number, count: count, from: range.lowerBound,
            rows: query.wish.isByPrice ? TemplateContext.OrderRow.withHeadings(rows) : rows, hasNext: range.upperBound < count,
            texts: contexts.texts.plain)
        context.near = board.near?.description
        context.shared = PostalAddress.sharedEndings(of: rows.compactMap { $0.loaded?.postalAddress })
        return .page(
            renderer.page(
                .orders, context, title: context.heading, in: language, plainURL: isPlain ? nil : query.plainURL(from: query.from),
                isPlain: isPlain),
            in: language)
    }

    private static func sorts(_ texts: PlainTexts) -> [TemplateContext.Sort] {
        [
            .init(value: "price", icon: "price", text: texts.sortPrice, opposite: "priceDown"),
            .init(value: "priceDown", icon: "price", text: texts.sortPriceDown),
            .init(value: "nearest", icon: "pin", text: texts.sortNearest), .init(value: "soonest", icon: "clock", text: texts.sortSoonest),
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

extension OrderPages {
    private func order(_ request: Request, _ id: OrderID) async throws -> Response {
        let isPlain = request.wantsPlainPage
        let screen = try await orderScreen(id, in: request.language)
        if isPlain {
            defer { screen.stop() }
            await screen.waitUntilSettled(atMost: PageWait.patience, on: clock)
            return page(screen, id, in: request.language, window: "", isPlain: true)
        }
        await screen.waitUntilSettled(atMost: PageWait.grace, on: clock)
        return page(screen, id, in: request.language, window: sessions.openRendered(screen).id, isPlain: false)
    }

    private func page(_ screen: OrderScreen, _ id: OrderID, in language: Language, window: String, isPlain: Bool) -> Response {
        let (row, version) = screen.content
        let context = contexts(in: language).page(id, row, stored: screen.stored, version: version, window: window)
        return .page(
            renderer.page(
                .order, context, title: context.loaded?.title ?? context.heading, in: language,
                plainURL: isPlain ? nil : "/orders/\(id.pathComponent)?plain=1", isPlain: isPlain),
            in: language)
    }
}

// MARK: - Pictures

extension OrderPages {
    private func picture(_ id: Int) async throws -> Response {
        let imageURL: URL?
        if let item = board.catalog.known(id) {
            imageURL = item.imageURL
        } else {
            imageURL = try await board.queue.value(of: board.catalog.item(id), priority: .visible).imageURL
        }
        guard let url = imageURL else { throw Refusal.nothingHere }
        let picture = try await board.queue.value(of: board.pictures.load(url), priority: .visible)
        return .picture(picture, cacheControl: "private, max-age=3600")
    }
}
