import Foundation
import HTTPTypes
import Hummingbird
import LadingFeeds
import LadingOperations
import Orders

/// The pages of the orders: the list, one order, and the pictures of items.
struct OrderPages: Sendable {
    /// How many rows are in the HTML of a list.
    static let rowsPerPage = 30
    /// How many rows are loaded before the page has told how many it shows.
    private static let firstRows = 12
    /// How long a page that runs scripts is held back for what would be there at once anyway.
    private static let grace = Duration.milliseconds(250)
    /// How long a page without scripts is held back for its rows.
    private static let patience = Duration.seconds(2)

    let board: OrderBoard
    let contexts: OrderContexts
    let renderer: PageRenderer
    let sessions: WindowSessions
    let clock: any Clock<Duration>

    func add(to router: Router<WindowContext>) {
        router.get("/orders") { request, _ in try await list(request) }
        router.get("/orders/:id") { request, context in
            try await order(request, OrderID(context.parameters.require("id")))
        }
        router.get("/orders/items/:id/picture") { _, context in
            try await picture(context.parameters.require("id", as: Int.self))
        }
    }

    /// The screen of a page that opened its stream anew: what `/windows` is asked for.
    func listScreen(_ mailbox: EventMailbox, first: Range<Int>, topRow: OrderID? = nil) -> OrderListScreen {
        OrderListScreen(board, contexts, renderer, mailbox, first: first, topRow: topRow)
    }

    /// The screen of one order; nil when the list does not have it.
    func orderScreen(_ id: OrderID) async throws -> ((EventMailbox) -> OrderScreen)? {
        guard let reference = try await reference(of: id) else { return nil }
        return { OrderScreen(reference, board, contexts, renderer, $0) }
    }
}

// MARK: - The list

extension OrderPages {
    private func list(_ request: Request) async throws -> Response {
        let isPlain = request.wantsPlainPage
        let from = request.uri.queryParameters.get("from", as: Int.self)?.clampedToList ?? 0
        let first = from..<(from + (isPlain ? Self.rowsPerPage : Self.firstRows))
        if isPlain {
            let screen = listScreen(EventMailbox(), first: first)
            defer { screen.stop() }
            await screen.controller.wait(atMost: Self.patience, on: clock) { $0.isSettled(in: first) }
            return page(screen, from: from, window: "", isPlain: true)
        }
        var screen: OrderListScreen?
        let session = sessions.open { mailbox in
            let made = listScreen(mailbox, first: first)
            screen = made
            return made
        }
        guard let session, let screen else { throw HTTPError(.serviceUnavailable, message: "Too many pages are open.") }
        await screen.controller.wait(atMost: Self.grace, on: clock) { !$0.list.isLoading }
        session.start()
        return page(screen, from: from, window: session.id, isPlain: false)
    }

    private func page(_ screen: OrderListScreen, from: Int, window: String, isPlain: Bool) -> Response {
        let list = screen.controller.list
        screen.listRendered(list)
        let count = list.snapshot.count
        let start = min(from, max(0, count - (isPlain ? 1 : Self.rowsPerPage)))
        let range = start..<min(count, start + Self.rowsPerPage)
        let fields = isPlain ? [TemplateContext.Field(name: "plain", value: "1"), .init(name: "from", value: "\(start)")] : []
        let context = TemplateContext.Orders(
            heading: screen.title(of: list), busy: list.isLoading, error: list.failure.map(contexts.reason),
            range: isPlain && count > 0 ? contexts.texts.range(range, of: count) : nil,
            empty: count == 0 && !list.isLoading, window: window, list: list.number, count: count, from: start,
            rows: range.map { row(at: $0, of: list, in: screen) }, refresh: .init(action: "/orders", fields: fields), plain: isPlain,
            previousURL: isPlain && start > 0 ? pageURL(from: max(0, start - Self.rowsPerPage)) : nil,
            nextURL: isPlain && range.upperBound < count ? pageURL(from: range.upperBound) : nil, texts: contexts.texts.plain)
        return .page(
            renderer.page(
                .orders, context, title: context.heading, plainURL: isPlain ? nil : pageURL(from: from), isPlain: isPlain))
    }

    private func row(at index: Int, of list: FeedList<OrderReference>, in screen: OrderListScreen) -> TemplateContext.Row {
        let id = list.snapshot.references[index].id
        var row = contexts.row(id, screen.controller.state(of: id), at: index, version: 0)
        row.index = index
        row.position = index + 1
        row.count = list.snapshot.count
        row.odd = !index.isMultiple(of: 2)
        return row
    }

    private func pageURL(from: Int) -> String { from == 0 ? "/orders?plain=1" : "/orders?plain=1&from=\(from)" }
}

// MARK: - One order

extension OrderPages {
    private func order(_ request: Request, _ id: OrderID) async throws -> Response {
        let isPlain = request.wantsPlainPage
        guard let makeScreen = try await orderScreen(id) else { throw NoSuchOrder() }
        if isPlain {
            let screen = makeScreen(EventMailbox())
            defer { screen.stop() }
            await screen.waitUntilSettled(atMost: Self.patience, on: clock)
            return page(screen, id, window: "", isPlain: true)
        }
        var screen: OrderScreen?
        let session = sessions.open { mailbox in
            let made = makeScreen(mailbox)
            screen = made
            return made
        }
        guard let session, let screen else { throw HTTPError(.serviceUnavailable, message: "Too many pages are open.") }
        await screen.waitUntilSettled(atMost: Self.grace, on: clock)
        return page(screen, id, window: session.id, isPlain: false)
    }

    private func page(_ screen: OrderScreen, _ id: OrderID, window: String, isPlain: Bool) -> Response {
        let (row, version) = screen.content
        let context = contexts.page(id, row, version: version, window: window)
        return .page(
            renderer.page(
                .order, context, title: context.loaded?.title ?? context.heading,
                plainURL: isPlain ? nil : "/orders/\(id)?plain=1", isPlain: isPlain))
    }

    private func reference(of id: OrderID) async throws -> OrderReference? {
        if let known = board.memory.snapshot { return known.reference(of: id) }
        let references = try await board.queue.value(of: board.feed.list(), priority: .visible)
        let snapshot = FeedSnapshot(references)
        return snapshot.reference(of: id)
    }

    /// The list was read, and the order is not in it.
    struct NoSuchOrder: Error {}
}

extension FeedSnapshot {
    fileprivate func reference(of id: Reference.ID) -> Reference? { index(of: id).map { references[$0] } }
}

// MARK: - Pictures

extension OrderPages {
    private func picture(_ id: Int) async throws -> Response {
        let url: URL
        if let item = board.catalog.known(id) {
            url = item.imageURL
        } else {
            url = try await board.queue.value(of: board.catalog.item(id), priority: .visible).imageURL
        }
        let picture = try await board.queue.value(of: board.pictures.load(url), priority: .visible)
        var response = Response.file(picture.bytes, mediaType: picture.mediaType, cacheControl: "private, max-age=3600")
        response.headers[.contentSecurityPolicy] = "default-src 'none'; style-src 'unsafe-inline'; sandbox"
        return response
    }
}

extension Request {
    /// Whether the client runs no scripts: it said so, or it is no browser.
    fileprivate var wantsPlainPage: Bool {
        uri.queryParameters["plain"] == "1" || headers[.accept]?.contains("text/html") != true
    }
}
