import Foundation
import LadingHTTP
import LadingOperations
import LadingRecords
import Orders
import Synchronization

/// The list of open orders, or of a courier's own ones, on one page.
///
/// Pages are loaded as the viewport nears their end. While the page has a stream, the change feed keeps the rows current: an order that is not open
/// any more says so in its row, and new orders are announced. Nothing moves until the reader asks for it.
final class CourierListScreen: ListScreen {
    struct State {
        var list: CourierList
        var watchedRows = WatchedRows()
        var seq = 0
        /// The version of the last row that was sent; it only increases.
        var version = 0
        var visible: Range<Int>
        var query: RequestedQuery
        /// Whether the page has reported rows of the list.
        var isAcknowledged = false
        /// The position of the reader in a list that the page has not acknowledged; nil for the top.
        var anchor: ListEvent.Anchor?
        /// The reason of the last load.
        var lastLoad = LoadReason.refresh
        /// The time of the last refresh, in milliseconds since 1970.
        var fetchedAt: Int?
        var isStreaming = false
        /// Whether the page is closed, so that no task begins any more.
        var isStopped = false
        var changedOrders = ChangedOrders()
        var loading: Task<Void, Never>?
        var following: Task<Void, Never>?
        /// The task that reads changed orders; nil if none has changed.
        var readingChanges: Task<Void, Never>?
    }

    /// The number of rows before the end at which the next page is loaded.
    private static let prefetchDistance = 30
    /// The number of rows from which on no more are loaded.
    static let rowLimit = 1_000

    let scope: OrderService.Scope
    let person: AccountService.Person
    let service: OrderService
    let contexts: CourierContexts
    let renderer: PageRenderer
    let repository: OrderRepository
    let eventBuffer = EventBuffer<OrderID>()
    let state: Mutex<State>
    private let reads: JoinedReads<Int, APIOrder?>
    private let clock: any Clock<Duration>

    /// - Parameters:
    ///   - reads: The reads of open orders that all lists share.
    ///   - first: The rows in view until the page reports its viewport.
    ///   - topRow: The order at the top of a reopened page.
    init(
        _ scope: OrderService.Scope, of person: AccountService.Person, _ service: OrderService,
        sharing reads: JoinedReads<Int, APIOrder?>, _ repository: OrderRepository, _ contexts: CourierContexts, _ renderer: PageRenderer,
        first: Range<Int>, topRow: Int? = nil, query: RequestedQuery, clock: any Clock<Duration>
    ) {
        (self.scope, self.person, self.service, self.reads, self.repository) = (scope, person, service, reads, repository)
        (self.contexts, self.renderer, self.clock) = (contexts, renderer, clock)
        let anchor = first.lowerBound > 0 ? ListEvent.Anchor(row: topRow.map { "\($0)" }, index: first.lowerBound) : nil
        state = Mutex(State(list: CourierList(scope, of: person.id), visible: first, query: query, anchor: anchor))
        load(.refresh)
    }

    func stop() {
        let tasks = state.withLock { state in
            state.isStopped = true
            return [state.loading.take(), state.following.take(), state.readingChanges.take()]
        }
        for task in tasks { task?.cancel() }
    }

    func invalidateAll() {
        state.withLock { state in
            state.watchedRows = WatchedRows()
            if state.isAcknowledged { state.anchor = state.viewportAnchor }
            state.isAcknowledged = false
        }
        eventBuffer.record { $0.recordScreenChange() }
    }

    var token: String? { service.token }

    var isLoading: Bool { state.withLock { $0.list.isLoading } }

    var fetchedAt: Int? { state.withLock { $0.fetchedAt } }

    // MARK: - Reports of the page

    func setVisible(_ isVisible: Bool) {
        let isChanged = state.withLock { state in
            defer { state.isStreaming = isVisible }
            return state.isStreaming != isVisible
        }
        guard isChanged else { return }
        if isVisible { follow() } else { state.withLock { $0.following.take() }?.cancel() }
    }

    func setViewport(_ report: ViewportReport) {
        let missing = state.withLock { state -> [OrderID]? in
            guard report.seq > state.seq, state.list.position != nil, report.list == "\(state.list.revision)" else { return nil }
            state.seq = report.seq
            state.visible = report.visible
            state.isAcknowledged = true
            return state.missingRows()
        }
        guard let missing else { return }
        eventBuffer.record { $0.record(missing) }
        loadAheadOfViewport()
    }

    func setQuery(_ query: RequestedQuery) {
        let reason = state.withLock { state -> LoadReason? in
            defer { state.query = query }
            guard state.query != query else { return nil }
            return query.hasSameSearchAndSort(as: state.query) ? .position : .query
        }
        if let reason { load(reason) }
    }

    func retry() { load(state.withLock { $0.list.failure == nil ? .refresh : $0.lastLoad }) }

    func refresh() { load(.refresh) }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if state.withLock({ $0.list.failure.map(isRetried) ?? false }) { retry() }
    }
}

// MARK: - Loading

extension CourierListScreen {
    /// The reason for reading orders, the most important last: a read that has not succeeded is repeated instead of a less important one.
    enum LoadReason: Comparable {
        /// The viewport is near the end of the rows.
        case next
        /// Changes were missed, and the reader has requested nothing: no row moves.
        case update
        /// The reader has requested it: the rows are replaced, and the first one in view stays in place.
        case refresh
        /// Distances are measured from another position: the rows are replaced, and the reader stays at the same index.
        case position
        /// Another search or sort: the rows are replaced, and the reader is at the top.
        case query
    }

    private func load(_ reason: LoadReason) {
        let earlier = state.withLock { state -> Task<Void, Never>? in
            guard !state.isStopped else { return nil }
            let reason = state.beginLoad(for: reason)
            let (count, cursor) = (state.orderCount(for: reason), reason == .next ? state.list.next : nil)
            let query = BoardQuery(state.query, defaultPlace: repository.near?.description)
            let task = Task { [weak self, service, scope] in
                do {
                    let page = try await service.orders(count, in: scope, query, after: cursor)
                    self?.finish(page, reason)
                } catch {
                    self?.fail(error)
                }
            }
            defer { state.loading = task }
            return state.loading
        }
        earlier?.cancel()
        eventBuffer.record { $0.recordScreenChange() }
    }

    private func loadAheadOfViewport() {
        let isNeeded = state.withLock { state in
            let list = state.list
            return !list.isLoading && list.next != nil && list.failure == nil && list.orders.count < Self.rowLimit
                && state.visible.upperBound + Self.prefetchDistance > list.orders.count
        }
        if isNeeded { load(.next) }
    }

    private func finish(_ page: APIOrderPage, _ reason: LoadReason) {
        guard !Task.isCancelled else { return }
        let missing = state.withLock { state in
            state.apply(page, for: reason)
            if reason != .next { state.fetchedAt = repository.now().millisecondsSince1970 }
            return state.missingRows()
        }
        eventBuffer.record { log in
            log.recordScreenChange()
            log.record(missing)
        }
        if reason != .next { follow() }
        // The page reports its viewport again only if the list was replaced.
        if reason == .update { loadAheadOfViewport() }
    }

    private func fail(_ error: any Error) {
        guard !Task.isCancelled else { return }
        state.withLock { state in
            state.list.isLoading = false
            state.list.failure = error
        }
        eventBuffer.record { $0.recordScreenChange() }
        repository.client.reachability?.reportFailure(error)
    }
}

// MARK: - The change feed

extension CourierListScreen {
    /// Follows the changes after the position of the list, while the page has a stream.
    private func follow() {
        let earlier = state.withLock { state -> Task<Void, Never>? in
            guard state.isStreaming, !state.isStopped, let position = state.list.position else { return nil }
            let task = Task { [weak self, service, clock] in
                let end = await service.followChanges(after: position, on: clock) { self?.apply($0) }
                switch end {
                case .positionExpired: self?.load(.update)
                case .signedOut: self?.signedOut()
                case nil: break
                }
            }
            defer { state.following = task }
            return state.following
        }
        earlier?.cancel()
    }

    private func apply(_ event: OrderService.FeedEvent) {
        let change = event.change
        let effect = state.withLock { state -> CourierList.Effect in
            state.list.position = event.position
            return change.map { state.list.apply($0) } ?? .none
        }
        perform(effect)
    }

    private func perform(_ effect: CourierList.Effect) {
        switch effect {
        case .none: break
        case .row(let order): eventBuffer.record { $0.record([order]) }
        case .screen: eventBuffer.record { $0.recordScreenChange() }
        case .reload(let order): reload(order)
        }
    }

    private func display(_ order: APIOrder) {
        perform(state.withLock { $0.list.update(order) })
    }

    private func signedOut() {
        state.withLock { state in state.list.isSignedOut = true }
        eventBuffer.record { $0.recordScreenChange() }
    }
}

// MARK: - Changed orders

extension CourierListScreen {
    private func reload(_ order: ChangedOrders.Order) {
        state.withLock { state in
            guard !state.isStopped else { return }
            state.changedOrders.insert(order)
            if state.readingChanges == nil { state.readingChanges = readChanges() }
        }
    }

    /// Reads the orders that have changed, until there are no more.
    private func readChanges() -> Task<Void, Never> {
        Task { [weak self, clock] in
            while let round = self?.nextRound() {
                await self?.read(round)
                guard (try? await clock.sleep(for: OrderService.readPause)) != nil else { return }
            }
        }
    }

    private func nextRound() -> ChangedOrders.Round? {
        state.withLock { state in
            let round = state.changedOrders.nextRound()
            if round == nil { state.readingChanges = nil }
            return round
        }
    }

    /// Reads the orders of a round; after a failure and a delay the whole list, which shows the reason and is repeated, and then the rest of the own
    /// orders.
    private func read(_ round: ChangedOrders.Round) async {
        guard case .orders(let orders) = round else { return await reloadList() }
        var unread = orders[...]
        do {
            while let order = unread.popFirst() {
                // A read that others share does not end when the page is closed.
                try Task.checkCancellation()
                if let order = try await service.order(order, sharing: reads) { display(order) }
            }
            state.withLock { $0.changedOrders.recordSuccess() }
        } catch {
            let delay = state.withLock { $0.changedOrders.recordFailure(unread: unread) }
            guard (try? await clock.sleep(for: delay)) != nil else { return }
            await reloadList()
        }
    }

    /// Reads the whole list, with all open orders that have changed so far. The next round waits for it, because a failure would begin it again.
    private func reloadList() async {
        state.withLock { $0.changedOrders.removeOpen() }
        load(.update)
        await state.withLock { $0.loading }?.value
    }
}
