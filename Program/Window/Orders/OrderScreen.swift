import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import Orders
import Synchronization

/// The detail page of an order.
final class OrderScreen: WindowScreen {
    private struct State {
        var operation: BackendOperation<Order>?
        var row: FeedRowState<Order>
        var version = 0
        /// The error of an unknown item of the order; nil when all are known.
        var itemFailure: (any Error)?
        var isStopped = false
    }

    let reference: OrderReference
    /// A stream that finishes when the order has loaded or failed for the first time.
    let finishedLoading: AsyncStream<Never>
    private let finishedLoadingContinuation: AsyncStream<Never>.Continuation
    private let repository: OrderRepository
    private let contexts: OrderContexts
    private let renderer: PageRenderer
    let eventBuffer = EventBuffer<OrderID>()
    private let state: Mutex<State>

    init(
        _ reference: OrderReference, _ repository: OrderRepository, _ contexts: OrderContexts, _ renderer: PageRenderer
    ) {
        self.reference = reference
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        (finishedLoading, finishedLoadingContinuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        let known = repository.cache.row(for: reference.id).map { repository.catalog.joined($0) }
        state = Mutex(State(row: known.map { .loaded($0) } ?? .loading))
        repository.catalog.clearFailures()
        load()
    }

    /// The current content of the page and its version.
    var content: (row: FeedRowState<Order>, version: Int) { state.withLock { ($0.row, $0.version) } }

    /// The age of an order stored by an earlier process; nil when this one has loaded it.
    var stored: String? {
        repository.cache.archiveDate(of: reference.id).map { contexts.texts.storedAge(since: $0, now: repository.now()) }
    }

    func invalidateAll() { publish() }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (row, version) = content
        let context = contexts.page(reference.id, row, stored: stored, version: version, sessionID: "")
        return [.detail(DetailEvent(version: version, state: context.state, html: JSONText(renderer.fragment(.orderDetail, context))))]
    }

    /// Does nothing: a single order continues to load while its page is hidden.
    func setVisible(_ isVisible: Bool) {}

    func refresh() {
        repository.catalog.clearFailures()
        state.withLock { state in
            state.row = state.row.row.map { .loaded($0) } ?? .loading
        }
        publish()
        load()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        let isAffected = state.withLock { state in
            // A running operation ends with another rendering, which has the new image URLs.
            let areImagesRetried = repository.images.failedImages.markForRetry(state.row.row?.imageURLs ?? [], where: isRetried)
            guard state.operation == nil else { return false }
            return switch state.row {
            case .failed(let error), .stale(_, let error): areImagesRetried || isRetried(error)
            case .loaded: areImagesRetried || state.itemFailure.map(isRetried) ?? false
            case .idle, .loading, .retrying: false
            }
        }
        if isAffected { refresh() }
    }

    func stop() {
        let operation = state.withLock { state in
            state.isStopped = true
            return state.operation.take()
        }
        operation?.cancel()
        finishedLoadingContinuation.finish()
    }

    private func load() {
        let operation = repository.feed.details(reference)
        let earlier = state.withLock { state in
            let earlier = state.operation
            state.operation = state.isStopped ? nil : operation
            return earlier
        }
        earlier?.cancel()
        operation.onRetry { [weak self] in self?.willRetry(operation, $0.error) }
        operation.onResult { [weak self] result in
            self?.didFinish(operation, result)
        }
        repository.queue.submit(operation, priority: .visible)
    }

    private func willRetry(_ operation: BackendOperation<Order>, _ error: any Error) {
        let isArchived = repository.cache.archiveDate(of: reference.id) != nil
        let isChanged = state.withLock { state in
            guard state.operation == operation, isArchived || state.row.row == nil else { return false }
            // A stored order may be stale, so the page shows at once that it is not confirmed.
            state.row = state.row.row.map { .stale($0, error) } ?? .retrying(error)
            return true
        }
        if isChanged { publish() }
    }

    private func didFinish(_ operation: BackendOperation<Order>, _ result: Result<Order, any Error>) {
        let (isChanged, failure) = state.withLock { state -> (Bool, (any Error)?) in
            guard state.operation == operation else { return (false, nil) }
            state.operation = nil
            switch result {
            case .success(let order):
                state.row = .loaded(order)
                state.itemFailure = order.items.lazy.filter { $0.item == nil }.compactMap(\.id).compactMap(repository.catalog.failure).first
                return (true, state.itemFailure)
            case .failure(let error):
                state.row = state.row.row.map { .stale($0, error) } ?? .failed(error)
                return (true, error)
            }
        }
        // Updates the order in the list as well; its items are stored by the catalog.
        if case .success(let order) = result { repository.cache.store(order.withoutItems, for: reference.id) }
        if isChanged { publish() }
        if let failure { repository.client.reachability?.reportFailure(failure) }
        finishedLoadingContinuation.finish()
    }

    private func publish() {
        state.withLock { $0.version += 1 }
        eventBuffer.record { $0.recordScreenChange() }
    }
}

extension Order {
    /// The URLs of the images of its items.
    fileprivate var imageURLs: [URL] { items.compactMap { $0.item?.imageURL } }

    /// The order without its items, as in its document.
    fileprivate var withoutItems: Order {
        var order = self
        for index in order.items.indices { order.items[index].item = nil }
        return order
    }
}
