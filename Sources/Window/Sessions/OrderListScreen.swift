import LadingFeeds
import Orders
import Synchronization

/// The list of orders on one page.
final class OrderListScreen: WindowScreen {
    private struct State {
        var coverage = RowCoverage()
        var seq = 0
        /// The list that the page shows; nil while it is not known which.
        var listNumber: Int?
        /// The version of the rows published last; it only grows.
        var version = 0
        var viewport: Viewport
        /// The row at the top of the viewport, which a refresh keeps in place.
        var topRow: OrderID?
    }

    let controller: FeedController<OrderFeed>
    private let catalog: ItemCatalog
    private let contexts: OrderContexts
    private let renderer: PageRenderer
    private let mailbox: EventMailbox
    private let state: Mutex<State>

    /// - Parameters:
    ///   - first: The rows in view until the page reports.
    ///   - topRow: The row at the top of a page that comes back.
    init(
        _ board: OrderBoard, _ contexts: OrderContexts, _ renderer: PageRenderer, _ mailbox: EventMailbox, first: Range<Int>,
        topRow: OrderID? = nil
    ) {
        controller = FeedController(feed: board.feed, memory: board.memory, queue: board.queue)
        catalog = board.catalog
        self.contexts = contexts
        self.renderer = renderer
        self.mailbox = mailbox
        state = Mutex(State(viewport: Viewport(visible: first), topRow: topRow))
        controller.start()
        controller.show(Viewport(visible: first))
    }

    func run() async {
        for await update in controller.updates {
            if update.isListChanged { publishList() }
            publish(update.rows)
        }
    }

    func stop() { controller.stop() }

    // MARK: What the page reports

    func setVisible(_ isVisible: Bool) {
        let viewport = state.withLock { $0.viewport }
        controller.show(isVisible ? viewport : Viewport(visible: 0..<0))
    }

    func show(_ report: ViewportReport) {
        let snapshot = controller.list.snapshot
        let isNews = state.withLock { state in
            guard report.seq > state.seq, report.list == state.listNumber.map(String.init) else { return false }
            state.seq = report.seq
            state.viewport = Viewport(
                visible: report.visible, rowsPerSecond: report.rowsPerSecond ?? 0, landing: report.landing?.clampedToList)
            state.topRow = snapshot.references(in: state.viewport.visible).first?.id
            return true
        }
        guard isNews else { return }
        controller.show(state.withLock { $0.viewport })
        publishCovered()
    }

    func retry(_ row: OrderID?) {
        guard let row else { return }
        controller.retry(row)
    }

    func refresh() {
        catalog.forgetFailures()
        controller.refresh()
    }

    // MARK: What the page is told

    /// The page was rendered with this list in it.
    func listRendered(_ list: FeedList<OrderReference>) {
        state.withLock { $0.listNumber = list.number }
    }

    func publishAll() {
        state.withLock { $0.coverage = RowCoverage() }
        publishList()
    }

    private func publishList() {
        let list = controller.list
        let anchor = state.withLock { state -> ListEvent.Anchor? in
            guard state.listNumber != list.number, list.isKnown else { return nil }
            state.listNumber = list.number
            state.coverage = RowCoverage()
            guard let row = state.topRow, let index = list.snapshot.index(of: row) else { return nil }
            return ListEvent.Anchor(row: "\(row)", index: index)
        }
        let event = ListEvent(
            list: "\(list.number)", count: list.isKnown ? list.snapshot.count : nil, title: title(of: list), busy: list.isLoading,
            error: list.failure.map(contexts.reason), anchor: anchor)
        mailbox.append("list", event)
        publishCovered()
    }

    /// Sends the rows around the viewport that the page does not have yet.
    private func publishCovered() {
        let snapshot = controller.list.snapshot
        let missing = state.withLock { state in
            state.coverage.missing(around: state.viewport.visible, of: snapshot.count)
        }
        publish(missing.map { snapshot.references[$0].id })
    }

    private func publish(_ ids: some Collection<OrderID>) {
        let list = controller.list
        var rows: [RowsEvent.Row] = []
        for id in ids {
            guard let index = list.snapshot.index(of: id) else { continue }
            let rowState = controller.state(of: id)
            if case .waiting = rowState { continue }
            rows.append(row(id, at: index, rowState))
        }
        for batch in rows.sorted(by: { $0.index < $1.index }).batches(of: RowsEvent.rowLimit) {
            mailbox.append("rows", RowsEvent(list: "\(list.number)", rows: batch))
        }
    }

    private func row(_ id: OrderID, at index: Int, _ rowState: FeedRowState<Order>) -> RowsEvent.Row {
        let version = state.withLock { state in
            state.version += 1
            state.coverage.markSent(index)
            return state.version
        }
        let context = contexts.row(id, rowState, at: index, version: version)
        return RowsEvent.Row(
            id: "\(id)", index: index, version: version, state: context.state, html: renderer.piece(.row, context))
    }

    func title(of list: FeedList<OrderReference>) -> String {
        list.snapshot.count == 0 ? contexts.texts.plain.orders : contexts.texts.orders(list.snapshot.count)
    }
}

extension FeedList {
    /// Whether a list was ever fetched; until then a page keeps what it may have from before.
    var isKnown: Bool {
        if case .loaded = state { true } else { number > 0 || snapshot.count > 0 }
    }

    var isLoading: Bool {
        if case .loading = state { true } else { false }
    }

    var failure: (any Error)? {
        if case .failed(let error) = state { error } else { nil }
    }
}

extension Array {
    /// The elements in order, in arrays of at most this size.
    fileprivate func batches(of size: Int) -> [[Element]] {
        stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
    }
}
