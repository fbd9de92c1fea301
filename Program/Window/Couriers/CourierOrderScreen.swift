import Foundation
import LadingHTTP
import LadingOperations
import Orders
import Synchronization

/// The page on which a courier carries an order out. While it has a stream, the change feed keeps it current.
final class CourierOrderScreen: WindowScreen {
    /// The content of the page.
    struct Content: Sendable {
        var order: CourierOrder
        /// Whether the order is not open any more, and was never the courier's.
        var hasLeft = false
        /// Whether the order is somebody else's now, of which a courier sees only the own steps.
        var isGone = false
        var history: CourierHistory?
        /// The position of the change feed up to which the content is current.
        var position: String?
    }

    private struct State {
        var content: Content
        var version = 0
        /// The number of reloads that have begun, and the number of the latest one that has ended.
        var reloads = 0
        var lastReload = 0
        var failure: (any Error)?
        var isSignedOut = false
        var isStreaming = false
        var following: Task<Void, Never>?
    }

    let person: AccountService.Person
    let service: CourierOrderService
    private let contexts: CourierContexts
    private let renderer: PageRenderer
    private let clock: any Clock<Duration>
    let eventBuffer = EventBuffer<OrderID>()
    private let state: Mutex<State>

    init(
        _ content: Content, of person: AccountService.Person, _ service: CourierOrderService, _ contexts: CourierContexts,
        _ renderer: PageRenderer, clock: any Clock<Duration>
    ) {
        (self.person, self.service, self.contexts, self.renderer, self.clock) = (person, service, contexts, renderer, clock)
        state = Mutex(State(content: content))
    }

    /// Loads an order; nil if the person may not see it and has never had it.
    static func content(of id: Int, _ service: CourierOrderService) async throws -> Content? {
        // The position is read first: a change between the requests is received again.
        let position = try await service.position()
        let (order, history) = (try await service.order(id), try await service.history(of: id))
        guard order != nil || history != nil else { return nil }
        return Content(order: order ?? .withoutContent(id: id), isGone: order == nil, history: history, position: position)
    }

    /// The current content of the page and its version.
    var content: (content: Content, version: Int) { state.withLock { ($0.content, $0.version) } }

    func invalidateAll() { publish() }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (content, version, failure, isSignedOut) = state.withLock { ($0.content, $0.version, $0.failure, $0.isSignedOut) }
        if isSignedOut { return [WindowEvent(name: "signedOut", data: "{}")] }
        let context = contexts.page(content, failure: failure, version: version, sessionID: "")
        return [.detail(DetailEvent(version: version, state: context.order.state, html: renderer.fragment(.courierDetail, context)))]
    }

    func setVisible(_ isVisible: Bool) {
        let earlier = state.withLock { state in
            state.isStreaming = isVisible
            return state.following.take()
        }
        earlier?.cancel()
        if isVisible { follow() }
    }

    func setViewport(_ report: ViewportReport) {}

    func setQuery(_ query: RequestedQuery) {}

    func retry(_ row: OrderID?) { refresh() }

    func refresh() { Task { [weak self] in await self?.reload() } }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if state.withLock({ $0.failure.map(isRetried) ?? false }) { refresh() }
    }

    func stop() { state.withLock { $0.following.take() }?.cancel() }

    // MARK: - Changes

    private func follow() {
        state.withLock { state in
            guard state.isStreaming, let position = state.content.position else { return }
            state.following = Task { [weak self, service, clock, id = state.content.order.id] in
                let end = await service.followChanges(after: position, on: clock) { position, change in
                    self?.state.withLock { $0.content.position = position }
                    if change?.order == id { self?.refresh() }
                }
                switch end {
                case .positionExpired:
                    await self?.reload()
                    self?.follow()
                case .signedOut:
                    self?.state.withLock { $0.isSignedOut = true }
                    self?.publish()
                case nil: break
                }
            }
        }
    }

    /// Loads the order again, unless a later call has ended before.
    private func reload() async {
        let (id, number) = state.withLock { state in
            state.reloads += 1
            return (state.content.order.id, state.reloads)
        }
        let result: Result<Content?, any Error>
        do { result = .success(try await Self.content(of: id, service)) } catch { result = .failure(error) }
        let isCurrent = state.withLock { state in
            guard number > state.lastReload else { return false }
            state.lastReload = number
            switch result {
            case .success(let content?): (state.content, state.failure) = (content, nil)
            case .success(nil): state.content.hasLeft = true
            case .failure(let error): state.failure = error
            }
            return true
        }
        if isCurrent { publish() }
    }

    private func publish() {
        state.withLock { $0.version += 1 }
        eventBuffer.record { $0.recordScreenChange() }
    }
}
