import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import Orders
import Synchronization

/// One order on a page of its own.
final class OrderScreen: WindowScreen {
    private struct State {
        var operation: BackendOperation<Order>?
        var row: FeedRowState<Order>
        var version = 0
        /// Why an item of the order is unknown; nil when none is.
        var itemFailure: (any Error)?
        var isStopped = false
    }

    let reference: OrderReference
    /// Ends when the order has been loaded or has failed for the first time.
    let settled: AsyncStream<Never>
    private let settle: AsyncStream<Never>.Continuation
    private let board: OrderBoard
    private let contexts: OrderContexts
    private let renderer: PageRenderer
    let mailbox = EventMailbox<OrderID>()
    private let state: Mutex<State>

    init(
        _ reference: OrderReference, _ board: OrderBoard, _ contexts: OrderContexts, _ renderer: PageRenderer
    ) {
        self.reference = reference
        self.board = board
        self.contexts = contexts
        self.renderer = renderer
        (settled, settle) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let known = board.memory.row(for: reference.id).map { board.catalog.joined($0) }
        state = Mutex(State(row: known.map { .loaded($0) } ?? .loading))
        board.catalog.forgetFailures()
        load()
    }

    /// What the page shows now, and in which version.
    var content: (row: FeedRowState<Order>, version: Int) { state.withLock { ($0.row, $0.version) } }

    /// How long ago an earlier process has stored what is shown; nil when this one has loaded it.
    var stored: String? {
        board.memory.archivedAt(reference.id).map { contexts.texts.stored(at: $0, now: board.now()) }
    }

    func noteAll() { publish() }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (row, version) = content
        let context = contexts.page(reference.id, row, stored: stored, version: version, window: "")
        return [.detail(DetailEvent(version: version, state: context.state, html: renderer.piece(.orderDetail, context)))]
    }

    /// One order goes on loading while its page is hidden: it is little, and it will be looked at.
    func setVisible(_ isVisible: Bool) {}

    func show(_ report: ViewportReport) {}

    func arrange(_ wish: ArrangementWish) {}

    func retry(_ row: OrderID?) { refresh() }

    func refresh() {
        board.catalog.forgetFailures()
        state.withLock { state in
            state.row = state.row.row.map { .loaded($0) } ?? .loading
        }
        publish()
        load()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        let isConcerned = state.withLock { state in
            // An operation under way ends with another rendering, which has the new addresses.
            let arePicturesRenewed = board.pictures.missing.renew(state.row.row?.pictures ?? [], where: isRetried)
            guard state.operation == nil else { return false }
            return switch state.row {
            case .failed(let error), .stale(_, let error): arePicturesRenewed || isRetried(error)
            case .loaded: arePicturesRenewed || state.itemFailure.map(isRetried) ?? false
            case .waiting, .loading, .retrying: false
            }
        }
        if isConcerned { refresh() }
    }

    func stop() {
        let operation = state.withLock { state in
            state.isStopped = true
            return state.operation.take()
        }
        operation?.cancel()
        settle.finish()
    }

    private func load() {
        let operation = board.feed.details(reference)
        let earlier = state.withLock { state in
            let earlier = state.operation
            state.operation = state.isStopped ? nil : operation
            return earlier
        }
        earlier?.cancel()
        operation.onSetback { [weak self] in self?.setBack(operation, $0.error) }
        operation.onResult { [weak self] result in
            self?.ended(operation, result)
        }
        board.queue.submit(operation, priority: .visible)
    }

    private func setBack(_ operation: BackendOperation<Order>, _ error: any Error) {
        let isArchived = board.memory.archivedAt(reference.id) != nil
        let isShown = state.withLock { state in
            guard state.operation == operation, isArchived || state.row.row == nil else { return false }
            // What an earlier process has stored may be old: the reader is told at once that it is not confirmed.
            state.row = state.row.row.map { .stale($0, error) } ?? .retrying(error)
            return true
        }
        if isShown { publish() }
    }

    private func ended(_ operation: BackendOperation<Order>, _ result: Result<Order, any Error>) {
        let (isShown, failure) = state.withLock { state -> (Bool, (any Error)?) in
            guard state.operation == operation else { return (false, nil) }
            state.operation = nil
            switch result {
            case .success(let order):
                state.row = .loaded(order)
                state.itemFailure = order.items.lazy.filter { $0.item == nil }.compactMap(\.id).compactMap(board.catalog.failure).first
                return (true, state.itemFailure)
            case .failure(let error):
                state.row = state.row.row.map { .stale($0, error) } ?? .failed(error)
                return (true, error)
            }
        }
        // What the list shows of it is brought up to date as well; the items are kept by their catalogue.
        if case .success(let order) = result { board.memory.store(order.withoutItems, for: reference.id) }
        if isShown { publish() }
        if let failure { board.client.reachability?.noteFailure(failure) }
        settle.finish()
    }

    private func publish() {
        state.withLock { $0.version += 1 }
        mailbox.note { $0.noteScreen() }
    }
}

extension Order {
    /// Where the pictures of its items are.
    fileprivate var pictures: [URL] { items.compactMap { $0.item?.imageURL } }

    /// The order as its document tells it.
    fileprivate var withoutItems: Order {
        var order = self
        for index in order.items.indices { order.items[index].item = nil }
        return order
    }
}
