import LadingFeeds
import LadingHTTP
import Orders
import Synchronization

/// The list of orders on one page.
final class OrderListScreen: WindowScreen {
    struct State {
        var coverage = RowCoverage()
        var seq = 0
        /// The list that was sent last, and whether the page has shown that it has it.
        var sent: SentList
        /// The version of the rows sent last; it only grows.
        var version = 0
        var viewport: Viewport
        var wish: ArrangementWish
        /// Whether the reader has asked for an arrangement since the page was made.
        var hasAsked = false
        /// Whether only the position changed in the arrangement that was asked for last.
        var isOnlyNearChanged = false
    }

    /// What the page shows, as far as is known.
    struct SentList {
        /// nil while it is not known which list the page shows.
        var number: Int?
        var snapshot: FeedSnapshot<OrderReference>
        var isAcknowledged: Bool
        /// How the page finds its place in it, until it has shown that it has.
        var anchor: Anchor
        /// How many arrangements the page has been shown.
        var arrangements = 0
        /// New rows above the reader.
        var freshCount = 0
    }

    /// How a page finds its place in a list that is new to it.
    enum Anchor {
        case top
        case row(OrderID)
        case index(Int)
    }

    let controller: FeedController<OrderFeed>
    let contexts: OrderContexts
    let state: Mutex<State>
    let board: OrderBoard
    let renderer: PageRenderer
    let mailbox = EventMailbox<OrderID>()

    /// - Parameters:
    ///   - first: The rows in view until the page reports.
    ///   - topRow: The row at the top of a page that comes back.
    init(
        _ board: OrderBoard, _ contexts: OrderContexts, _ renderer: PageRenderer, first: Range<Int>, topRow: OrderID? = nil,
        wish: ArrangementWish = ArrangementWish()
    ) {
        controller = FeedController(
            feed: board.feed, memory: board.memory, queue: board.queue, mailbox: mailbox, reachability: board.client.reachability)
        self.board = board
        self.contexts = contexts
        self.renderer = renderer
        let sent = SentList(
            snapshot: controller.list.snapshot, isAcknowledged: false, anchor: topRow.map { .row($0) } ?? .index(first.lowerBound))
        state = Mutex(State(sent: sent, viewport: Viewport(visible: first), wish: wish))
        controller.start()
        controller.show(Viewport(visible: first), watching: RowCoverage.watched(around: first, of: .max))
        controller.arrange(wish.arrangement(near: board.near), goesToTop: false)
    }

    func noteAll() {
        state.withLock { state in
            state.coverage = RowCoverage()
            let isPending = !state.sent.isAcknowledged
            state.sent.isAcknowledged = false
            if isPending, case .top = state.sent.anchor { return }
            if state.viewport.visible.lowerBound == 0, !OrderArrangement.isPlain(state.wish) {
                // A page at the top of a sorted list shows its first rows, whichever were first when the page was rendered.
                state.sent.anchor = .index(0)
            } else if let top = state.sent.snapshot.references(in: state.viewport.visible).first {
                state.sent.anchor = .row(top.id)
            }
        }
        mailbox.note { $0.noteScreen() }
    }

    func stop() { controller.stop() }
}

// MARK: - What the page reports

extension OrderListScreen {
    func setVisible(_ isVisible: Bool) {
        let (viewport, snapshot) = state.withLock { ($0.viewport, $0.sent.snapshot) }
        let watched = RowCoverage.watched(around: viewport.visible, of: snapshot.count)
        controller.show(isVisible ? viewport : Viewport(visible: 0..<0), watching: watched)
    }

    func show(_ report: ViewportReport) {
        let viewport = Viewport(
            visible: report.visible, rowsPerSecond: report.rowsPerSecond ?? 0, landing: report.landing?.clampedToList)
        let snapshot = state.withLock { state -> FeedSnapshot<OrderReference>? in
            guard report.seq > state.seq, report.list == state.sent.number.map(String.init) else { return nil }
            state.seq = report.seq
            state.viewport = viewport
            state.sent.isAcknowledged = true
            state.sent.freshCount = 0
            return state.sent.snapshot
        }
        guard let snapshot else { return }
        // A list that has come since has moved the controller's viewport along; this report is about rows, so it is brought there too.
        controller.show(
            viewport.following(snapshot, to: controller.list.snapshot),
            watching: RowCoverage.watched(around: viewport.visible, of: snapshot.count))
        noteMissing(of: snapshot)
    }

    func arrange(_ wish: ArrangementWish) {
        let isNews = state.withLock { state in
            let earlier = state.wish
            state.wish = wish
            state.hasAsked = true
            state.isOnlyNearChanged = earlier.search == wish.search && earlier.sort == wish.sort
            return earlier != wish
        }
        guard isNews else { return }
        controller.arrange(wish.arrangement(near: board.near), goesToTop: !state.withLock { $0.isOnlyNearChanged })
    }

    func read(all: Bool) {
        if all { controller.loadAll() } else { controller.stopLoading() }
    }

    func retry(_ row: OrderID?) {
        guard let row else { return }
        controller.retry(row)
    }

    func refresh() {
        board.catalog.forgetFailures()
        controller.refresh()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) { controller.retryFailures(where: isRetried) }

    /// Notes the rows around the viewport that the page does not have.
    private func noteMissing(of snapshot: FeedSnapshot<OrderReference>) {
        let memory = board.memory
        let missing = state.withLock { state in
            state.coverage.missing(around: state.viewport.visible, of: snapshot.count, latest: memory.version) {
                $0 < snapshot.count ? memory.version(of: snapshot.references[$0].id) : 0
            }
        }
        mailbox.note { $0.note(missing.map { snapshot.references[$0].id }) }
    }
}

extension Viewport {
    /// The same rows in a list that has become another.
    fileprivate func following(_ old: FeedSnapshot<OrderReference>, to new: FeedSnapshot<OrderReference>) -> Viewport {
        guard old !== new, let place = old.place(near: visible.lowerBound, in: new) else { return self }
        return moved(by: place.there - place.here)
    }
}
