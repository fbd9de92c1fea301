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
    let renderer: PageRenderer
    let sessions: WindowSessions
    let clock: any Clock<Duration>

    func add(to router: Router<WindowContext>) {
        router.get("/orders") { request, _ in try await list(request) }
        router.get("/orders/:id") { request, context in
            try await order(request, RowID(pathComponent: context.parameters.require("id")))
        }
        router.get("/orders/items/:id/picture") { _, context in
            try await picture(context.parameters.require("id", as: Int.self))
        }
    }

    /// The screen of a page that opened its stream anew: what `/windows` is asked for.
    func listScreen(
        _ mailbox: EventMailbox, in language: Language, first: Range<Int>, topRow: RowID? = nil, wish: ArrangementWish
    ) -> OrderListScreen {
        OrderListScreen(board, contexts(in: language), renderer, mailbox, first: first, topRow: topRow, wish: wish)
    }

    /// The screen of one order; nil when the list does not have it.
    func orderScreen(_ id: RowID, in language: Language) async throws -> ((EventMailbox) -> OrderScreen)? {
        guard let reference = try await reference(of: id) else { return nil }
        return { OrderScreen(reference, board, contexts(in: language), renderer, $0) }
    }

    private func contexts(in language: Language) -> OrderContexts {
        OrderContexts(texts: Texts(language), timeZone: board.timeZone)
    }
}

// MARK: - The list

extension OrderPages {
    /// A list as an address asks for it.
    private struct ListQuery {
        let wish: ArrangementWish
        let from: Int

        init(_ query: String?) {
            let fields = FormFields(query ?? "")
            wish = ArrangementWish(
                search: fields["search"].map { String($0.prefix(ArrangementWish.searchLimit)) }, sort: fields["sort"])
            from = fields["from"].flatMap { Int($0) }?.clampedToList ?? 0
        }

        /// The address of the plain page that begins at an index.
        func plainURL(from: Int) -> String {
            "/orders?" + fields(from: from).map { "\($0.name)=\($0.value.asURLComponent)" }.joined(separator: "&")
        }

        /// What a form sends along so that the same list is shown.
        func fields(from: Int) -> [TemplateContext.Field] {
            [("plain", "1"), ("search", wish.search ?? ""), ("sort", wish.sort ?? ""), ("from", from == 0 ? "" : "\(from)")]
                .filter { !$0.1.isEmpty }.map { TemplateContext.Field(name: $0.0, value: $0.1) }
        }
    }

    private func list(_ request: Request) async throws -> Response {
        let query = ListQuery(request.uri.query)
        let isPlain = request.wantsPlainPage
        let first = query.from..<(query.from + (isPlain ? Self.rowsPerPage : Self.firstRows))
        if isPlain {
            let screen = listScreen(EventMailbox(), in: request.language, first: first, wish: query.wish)
            defer { screen.stop() }
            await screen.wait(atMost: Self.patience, on: clock) { $0.isSettled(in: first) && $0.isSurveyed }
            return page(screen, query, in: request.language, window: nil)
        }
        var screen: OrderListScreen?
        let session = sessions.open { mailbox in
            let made = listScreen(mailbox, in: request.language, first: first, wish: query.wish)
            screen = made
            return made
        }
        guard let session, let screen else { throw Refusal.tooManyPages }
        await screen.wait(atMost: Self.grace, on: clock) { $0.list.isSettled && !$0.isArranging }
        return page(screen, query, in: request.language, window: session.id)
    }

    /// - Parameter window: The id of the session; nil for a plain page.
    private func page(_ screen: OrderListScreen, _ query: ListQuery, in language: Language, window: String?) -> Response {
        let contexts = contexts(in: language)
        let list = screen.controller.list
        let words = screen.words(of: list)
        let isPlain = window == nil
        screen.listRendered(list)
        let count = list.snapshot.count
        let start = min(query.from, max(0, count - (isPlain ? 1 : Self.rowsPerPage)))
        let range = start..<min(count, start + Self.rowsPerPage)
        let context = TemplateContext.Orders(
            heading: words.title, busy: !list.isSettled, error: list.failure.map(contexts.reason),
            range: isPlain && count > 0 ? contexts.texts.range(range, of: count) : nil, note: words.note,
            at: board.memory.listedAt.map { Int($0.timeIntervalSince1970 * 1_000) }, empty: words.empty != nil,
            emptyText: words.empty, arrange: TemplateContext.Arrange(search: query.wish.search ?? "", sort: query.wish.sort),
            window: window ?? "", list: list.number, count: count, from: start,
            rows: range.map { row(at: $0, of: list, in: screen, contexts) },
            refresh: .init(action: "/orders", fields: isPlain ? query.fields(from: start) : []), plain: isPlain,
            previousURL: isPlain && start > 0 ? query.plainURL(from: max(0, start - Self.rowsPerPage)) : nil,
            nextURL: isPlain && range.upperBound < count ? query.plainURL(from: range.upperBound) : nil, texts: contexts.texts.plain)
        return .page(
            renderer.page(
                .orders, context, title: context.heading, in: language, plainURL: isPlain ? nil : query.plainURL(from: query.from),
                isPlain: isPlain),
            in: language)
    }

    private func row(
        at index: Int, of list: FeedList<OrderReference>, in screen: OrderListScreen, _ contexts: OrderContexts
    ) -> TemplateContext.Row {
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
    private func order(_ request: Request, _ id: RowID) async throws -> Response {
        let isPlain = request.wantsPlainPage
        guard let makeScreen = try await orderScreen(id, in: request.language) else { throw Refusal.noSuchOrder }
        if isPlain {
            let screen = makeScreen(EventMailbox())
            defer { screen.stop() }
            await screen.waitUntilSettled(atMost: Self.patience, on: clock)
            return page(screen, id, in: request.language, window: "", isPlain: true)
        }
        var screen: OrderScreen?
        let session = sessions.open { mailbox in
            let made = makeScreen(mailbox)
            screen = made
            return made
        }
        guard let session, let screen else { throw Refusal.tooManyPages }
        await screen.waitUntilSettled(atMost: Self.grace, on: clock)
        return page(screen, id, in: request.language, window: session.id, isPlain: false)
    }

    private func page(_ screen: OrderScreen, _ id: RowID, in language: Language, window: String, isPlain: Bool) -> Response {
        let (row, version) = screen.content
        let context = contexts(in: language).page(id, row, version: version, window: window)
        return .page(
            renderer.page(
                .order, context, title: context.loaded?.title ?? context.heading, in: language,
                plainURL: isPlain ? nil : "/orders/\(id.pathComponent)?plain=1", isPlain: isPlain),
            in: language)
    }

    private func reference(of id: RowID) async throws -> OrderReference? {
        if let known = board.memory.snapshot { return known.reference(of: id) }
        let references = try await board.queue.value(of: board.feed.list(), priority: .visible)
        let snapshot = FeedSnapshot(references)
        return snapshot.reference(of: id)
    }
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
