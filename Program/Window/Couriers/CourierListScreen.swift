import Foundation
import LadingHTTP
import LadingOperations
import LadingRecords
import Orders
import Synchronization

/// The list of open orders, or of a courier's own ones, on one page.
///
/// Pages are loaded as the viewport nears their end. While the page has a stream, the change feed keeps the rows current: an order that is not open
/// any more says so in its row, and orders that became open are announced. Nothing moves until the reader asks for it.
final class CourierListScreen: WindowScreen {
    struct State {
        var list = CourierList()
        var watchedRows = WatchedRows()
        var seq = 0
        /// The version of the last row that was sent; it only increases.
        var version = 0
        var visible: Range<Int>
        var query: RequestedQuery
        /// Whether the page has reported rows of the last list that it was sent.
        var isAcknowledged = true
        /// The position of the reader in a list that the page has not received yet; nil for the top.
        var anchor: ListEvent.Anchor?
        /// The time of the last refresh, in milliseconds since 1970.
        var fetchedAt: Int?
        var isStreaming = false
        var loading: Task<Void, Never>?
        var following: Task<Void, Never>?
    }

    /// The number of rows before the end at which the next page is loaded.
    private static let prefetchDistance = 30
    /// The maximum number of rows on one page.
    private static let rowLimit = 1_000

    let scope: OrderService.Scope
    let person: AccountService.Person
    let service: OrderService
    let contexts: CourierContexts
    let renderer: PageRenderer
    let repository: OrderRepository
    let eventBuffer = EventBuffer<OrderID>()
    let state: Mutex<State>
    private let clock: any Clock<Duration>

    init(
        _ scope: OrderService.Scope, of person: AccountService.Person, _ service: OrderService, _ repository: OrderRepository,
        _ contexts: CourierContexts, _ renderer: PageRenderer, first: Range<Int>, query: RequestedQuery, clock: any Clock<Duration>
    ) {
        (self.scope, self.person, self.service, self.repository) = (scope, person, service, repository)
        (self.contexts, self.renderer, self.clock) = (contexts, renderer, clock)
        state = Mutex(State(visible: first, query: query))
        load(.refresh)
    }

    func stop() {
        let tasks = state.withLock { [$0.loading.take(), $0.following.take()] }
        for task in tasks { task?.cancel() }
    }

    func invalidateAll() {
        state.withLock { state in
            state.watchedRows = WatchedRows()
            state.isAcknowledged = false
            state.anchor = state.viewportAnchor
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
            guard report.seq > state.seq, report.list == "\(state.list.revision)" else { return nil }
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
        let isChanged = state.withLock { state in
            defer { state.query = query }
            return state.query != query
        }
        if isChanged { load(.query) }
    }

    func retry(_ row: OrderID?) { load(.refresh) }

    func refresh() { load(.refresh) }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if state.withLock({ $0.list.failure.map(isRetried) ?? false }) { load(.refresh) }
    }
}

// MARK: - Loading

extension CourierListScreen {
    /// The reason for loading a page.
    private enum Reason {
        /// The first page replaces all rows; the reader stays where the rows are the same.
        case refresh
        /// The first page of another search or sort.
        case query
        /// The page after the last row.
        case next
    }

    private func load(_ reason: Reason) {
        let (cursor, query) = state.withLock { ($0.list.next, $0.query) }
        let task = Task { [weak self] in
            guard let self else { return }
            do {
                let boardQuery = BoardQuery(query, defaultPlace: repository.near?.description)
                let page = try await service.page(scope, boardQuery, after: reason == .next ? cursor : nil)
                finish(page, reason)
            } catch {
                fail(error)
            }
        }
        let earlier = state.withLock { state in
            state.list.isLoading = true
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

    private func finish(_ page: APIOrderPage, _ reason: Reason) {
        guard !Task.isCancelled else { return }
        let missing = state.withLock { state -> [OrderID] in
            if reason == .next {
                state.list.append(page)
                return state.missingRows()
            }
            let anchor = reason == .query ? nil : state.viewportAnchor
            state.list.replace(with: page)
            state.fetchedAt = repository.now().millisecondsSince1970
            state.watchedRows = WatchedRows()
            state.isAcknowledged = false
            state.anchor = anchor
            return []
        }
        eventBuffer.record { log in
            log.recordScreenChange()
            log.record(missing)
        }
        if reason != .next { follow() }
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
            guard state.isStreaming, let position = state.list.position else { return nil }
            let task = Task { [weak self, service, clock] in
                let end = await service.followChanges(after: position, on: clock) { self?.apply($0) }
                switch end {
                case .positionExpired: self?.load(.refresh)
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
            return change.map { state.list.apply($0, scope) } ?? .none
        }
        switch effect {
        case .none: break
        case .row(let order): eventBuffer.record { $0.record([order]) }
        case .screen: eventBuffer.record { $0.recordScreenChange() }
        case .reload(let order): reload(order)
        }
    }

    /// Reads an order that has changed; after a failure the whole list, which shows the reason and is repeated.
    private func reload(_ id: Int) {
        Task { [weak self, service] in
            do {
                if let order = try await service.order(id) { self?.display(order) }
            } catch {
                self?.load(.refresh)
            }
        }
    }

    private func display(_ order: APIOrder) {
        let isShown = state.withLock { state in state.list.update(order) }
        if isShown { eventBuffer.record { $0.record([order.orderID]) } } else if scope != .open { refresh() }
    }

    private func signedOut() {
        state.withLock { state in state.list.isSignedOut = true }
        eventBuffer.record { $0.recordScreenChange() }
    }
}

extension CourierListScreen.State {
    /// The position of the reader.
    fileprivate var viewportAnchor: ListEvent.Anchor? {
        guard visible.lowerBound > 0 else { return nil }
        let row = list.orders.indices.contains(visible.lowerBound) ? "\(list.orders[visible.lowerBound].id)" : nil
        return ListEvent.Anchor(row: row, index: visible.lowerBound)
    }

    /// Returns the rows around the viewport that the page does not have.
    mutating func missingRows() -> [OrderID] {
        guard isAcknowledged else { return [] }
        let missing = watchedRows.missing(around: visible, of: list.orders.count, latest: version) { _ in 0 }
        return missing.map { list.orders[$0].orderID }
    }
}
