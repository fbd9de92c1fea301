import LadingFeeds
import LadingOperations
import Orders
import Synchronization

/// One order on a page of its own.
final class OrderScreen: WindowScreen {
    private struct State {
        var operation: BackendOperation<Order>?
        var row: FeedRowState<Order>
        var version = 0
        var isStopped = false
    }

    let reference: OrderReference
    /// Ends when the order has been loaded or has failed for the first time.
    let settled: AsyncStream<Never>
    private let settle: AsyncStream<Never>.Continuation
    private let board: OrderBoard
    private let contexts: OrderContexts
    private let renderer: PageRenderer
    private let mailbox: EventMailbox
    private let state: Mutex<State>

    init(
        _ reference: OrderReference, _ board: OrderBoard, _ contexts: OrderContexts, _ renderer: PageRenderer,
        _ mailbox: EventMailbox
    ) {
        self.reference = reference
        self.board = board
        self.contexts = contexts
        self.renderer = renderer
        self.mailbox = mailbox
        (settled, settle) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let known = board.memory.row(for: reference.id).map { board.catalog.joined($0) }
        state = Mutex(State(row: known.map { .loaded($0) } ?? .loading))
        board.catalog.forgetFailures()
        load()
    }

    /// What the page shows now, and in which version.
    var content: (row: FeedRowState<Order>, version: Int) { state.withLock { ($0.row, $0.version) } }

    func run() async {}

    func publishAll() { publish() }

    func setVisible(_ isVisible: Bool) {}

    func show(_ report: ViewportReport) {}

    func retry(_ row: OrderID?) { refresh() }

    func refresh() {
        board.catalog.forgetFailures()
        state.withLock { state in
            if case .failed = state.row { state.row = .loading }
        }
        publish()
        load()
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
        operation.onResult { [weak self, weak operation] result in
            guard let operation else { return }
            self?.ended(operation, result)
        }
        board.queue.submit(operation, priority: .visible)
    }

    private func ended(_ operation: BackendOperation<Order>, _ result: Result<Order, any Error>) {
        let isShown = state.withLock { state in
            guard state.operation === operation else { return false }
            state.operation = nil
            switch (result, state.row) {
            case (.success(let order), _): state.row = .loaded(order)
            case (.failure, .loaded): break
            case (.failure(let error), _): state.row = .failed(error)
            }
            return true
        }
        if isShown { publish() }
        settle.finish()
    }

    private func publish() {
        let (row, version) = state.withLock { state in
            state.version += 1
            return (state.row, state.version)
        }
        let context = contexts.page(reference.id, row, version: version, window: "")
        mailbox.append("detail", DetailEvent(version: version, state: context.state, html: renderer.piece(.detail, context)))
    }
}

extension ItemCatalog {
    /// An order with those of its items that are known already.
    fileprivate func joined(_ order: Order) -> Order {
        var order = order
        for index in order.items.indices { order.items[index].item = order.items[index].id.flatMap(known) }
        return order
    }
}
