import LadingHTTP
import Orders
import Synchronization

/// A page with one content, which is read again after the changes that concern it. While it has a stream, the change feed keeps it current.
///
/// One read runs at a time; changes during it, and during the pause after it, cause one more.
final class LiveScreen<Content: Sendable>: WindowScreen {
    typealias RowID = OrderID

    /// The reads of a page.
    struct Source: Sendable {
        /// Reads the content; nil if the person may not see it any more.
        let read: @Sendable () async throws -> Content?
        /// Returns whether a change affects the page; nil if all do.
        var isAffected: (@Sendable (APIChange) -> Bool)?
        /// The age at which the content is read again without a change; nil for never.
        var maximumAge: Duration?
        /// Changes the content that the person may not see any more.
        var leave: @Sendable (inout Content) -> Void = { _ in }

        fileprivate func isAffected(by event: OrderService.FeedEvent) -> Bool {
            guard event.isChange else { return false }
            guard let isAffected else { return true }
            return event.change.map(isAffected) ?? false
        }
    }

    /// The state that a page shows.
    struct Current: Sendable {
        var content: Content
        var version = 0
        /// The error of the last read; nil after a successful one.
        var failure: (any Error)?
    }

    private struct State {
        var current: Current
        /// The position of the change feed up to which the content is current.
        var position: String
        var isReading = false
        /// Whether a change has come after the last read had begun.
        var isStale = false
        var isSignedOut = false
        var isStreaming = false
        var following: Task<Void, Never>?
        var aging: Task<Void, Never>?
    }

    /// The pause after a read, so that many changes cause few reads.
    private static var pause: Duration { .milliseconds(50) }

    let eventBuffer = EventBuffer<OrderID>()
    private let source: Source
    private let render: @Sendable (Current) -> DetailEvent
    private let service: OrderService
    private let clock: any Clock<Duration>
    private let state: Mutex<State>

    /// - Parameters:
    ///   - position: A position of the change feed before the content was read.
    ///   - render: Returns the event that shows a content.
    init(
        _ content: Content, at position: String, from source: Source, _ service: OrderService, clock: any Clock<Duration>,
        render: @escaping @Sendable (Current) -> DetailEvent
    ) {
        (self.source, self.service, self.clock, self.render) = (source, service, clock, render)
        state = Mutex(State(current: Current(content: content), position: position))
    }

    var current: Current { state.withLock { $0.current } }

    func invalidateAll() { publish() }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (current, isSignedOut) = state.withLock { ($0.current, $0.isSignedOut) }
        return [isSignedOut ? WindowEvent(name: "signedOut", data: "{}") : .detail(render(current))]
    }

    func setVisible(_ isVisible: Bool) {
        state.withLock { $0.isStreaming = isVisible }
        stop()
        guard isVisible else { return }
        follow()
        if let age = source.maximumAge { readEvery(age) }
    }

    func setViewport(_ report: ViewportReport) {}

    func setQuery(_ query: RequestedQuery) {}

    func retry(_ row: OrderID?) { refresh() }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if state.withLock({ $0.current.failure.map(isRetried) ?? false }) { refresh() }
    }

    func stop() {
        let tasks = state.withLock { [$0.following.take(), $0.aging.take()] }
        for task in tasks { task?.cancel() }
    }

    func refresh() {
        let begins = state.withLock { state in
            state.isStale = true
            defer { state.isReading = true }
            return !state.isReading
        }
        if begins { Task { [weak self] in await self?.readWhileStale() } }
    }

    private func readWhileStale() async {
        while beginRead() {
            let result: Result<Content?, any Error>
            do { result = .success(try await source.read()) } catch { result = .failure(error) }
            state.withLock { state in
                switch result {
                case .success(let content?): (state.current.content, state.current.failure) = (content, nil)
                case .success(nil): source.leave(&state.current.content)
                case .failure(let error): state.current.failure = error
                }
            }
            publish()
            try? await clock.sleep(for: Self.pause)
        }
    }

    private func beginRead() -> Bool {
        state.withLock { state in
            state.isReading = state.isStale
            state.isStale = false
            return state.isReading
        }
    }

    // MARK: - Changes

    private func follow() {
        state.withLock { state in
            guard state.isStreaming else { return }
            state.following = Task { [weak self, service, clock, source, position = state.position] in
                let end = await service.followChanges(after: position, on: clock) { event in
                    self?.state.withLock { $0.position = event.position }
                    if source.isAffected(by: event) { self?.refresh() }
                }
                await self?.finishFollowing(end)
            }
        }
    }

    private func readEvery(_ age: Duration) {
        let task = Task { [weak self, clock] in
            while (try? await clock.sleep(for: age)) != nil { self?.refresh() }
        }
        state.withLock { $0.aging = task }
    }

    private func finishFollowing(_ end: OrderService.FeedEnd?) async {
        switch end {
        case .positionExpired:
            // The position is read first: a change between the requests is received again.
            guard let position = try? await service.position() else { return }
            state.withLock { $0.position = position }
            refresh()
            follow()
        case .signedOut:
            state.withLock { $0.isSignedOut = true }
            publish()
        case nil: break
        }
    }

    private func publish() {
        state.withLock { $0.current.version += 1 }
        eventBuffer.record { $0.recordScreenChange() }
    }
}
