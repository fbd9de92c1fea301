import LadingHTTP
import Orders
import Synchronization

/// A page with one content, which is read again after the changes that concern it. While it has a stream, the change feed keeps it current.
///
/// One read runs at a time; changes during it, and during the pause after it, cause one more.
final class LiveScreen<Content: Sendable>: WindowScreen {
    typealias RowID = OrderID

    /// The reason for which the content is read again.
    enum ReadReason: Sendable {
        /// A change of the feed, which ends when the token is no longer valid.
        case change
        /// The age of the content, or a request of the page: the token may have been removed since the last read.
        case request
    }

    /// The reads of a page.
    struct Source: Sendable {
        /// Reads the content; nil if the person may not see it any more.
        let read: @Sendable (ReadReason) async throws -> Content?
        /// Returns whether a change affects the page; nil if all do.
        var isAffected: (@Sendable (APIChange) -> Bool)?
        /// The age at which the content is read again without a change; nil for never.
        var maximumAge: Duration?
        /// Changes the content that the person may not see any more.
        var redact: @Sendable (inout Content) -> Void = { _ in }

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
        /// The reason for another read, which came after the last one had begun; nil for none.
        var nextRead: ReadReason?
        var isSignedOut = false
        var following: Task<Void, Never>?
        var aging: Task<Void, Never>?
    }

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

    var token: String? { service.token }

    var current: Current { state.withLock { $0.current } }

    func invalidateAll() { publish() }

    func events(for changes: ChangeLog<OrderID>.Changes) -> [WindowEvent] {
        guard changes.isScreenChanged else { return [] }
        let (current, isSignedOut) = state.withLock { ($0.current, $0.isSignedOut) }
        return [isSignedOut ? WindowEvent(name: "signedOut", data: "{}") : .detail(render(current))]
    }

    func setVisible(_ isVisible: Bool) {
        replaceTasks { state in
            guard isVisible else { return }
            state.following = follow(after: state.position)
            state.aging = source.maximumAge.map(readEvery)
        }
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if state.withLock({ $0.current.failure.map(isRetried) ?? false }) { refresh() }
    }

    func stop() { replaceTasks { _ in } }

    /// Cancels the tasks of the page after others were started, under the same lock, so that none is lost.
    private func replaceTasks(_ start: (inout State) -> Void) {
        let replaced = state.withLock { state in
            let tasks = [state.following.take(), state.aging.take()]
            start(&state)
            return tasks
        }
        for task in replaced { task?.cancel() }
    }

    func refresh() { read(for: .request) }

    private func read(for reason: ReadReason) {
        let begins = state.withLock { state in
            guard !state.isSignedOut else { return false }
            if state.nextRead != .request { state.nextRead = reason }
            defer { state.isReading = true }
            return !state.isReading
        }
        if begins { Task { [weak self] in await self?.readWhileStale() } }
    }

    private func readWhileStale() async {
        while let reason = beginRead() {
            let result: Result<Content?, any Error>
            do { result = .success(try await source.read(reason)) } catch { result = .failure(error) }
            state.withLock { state in
                switch result {
                case .success(let content?): (state.current.content, state.current.failure) = (content, nil)
                case .success(nil): source.redact(&state.current.content)
                case .failure(let error): state.current.failure = error
                }
            }
            publish()
            try? await clock.sleep(for: OrderService.readPause)
        }
    }

    /// Returns the reason for the next read; nil if there is none, or nobody is signed in any more.
    private func beginRead() -> ReadReason? {
        state.withLock { state in
            let reason = state.nextRead.take().flatMap { state.isSignedOut ? nil : $0 }
            state.isReading = reason != nil
            return reason
        }
    }

    // MARK: - Changes

    /// Follows the changes after a position, and after the present one when it has expired, until the task is cancelled or nobody is signed in.
    private func follow(after start: String) -> Task<Void, Never> {
        Task { [weak self, service, clock, source] in
            var (position, failures) = (start, 0)
            while true {
                let end = await service.followChanges(after: position, on: clock) { event in
                    self?.state.withLock { $0.position = event.position }
                    if source.isAffected(by: event) { self?.read(for: .change) }
                }
                guard end == .positionExpired else {
                    if end == .signedOut { self?.signOut() }
                    return
                }
                do {
                    // The position is read first: a change between the requests is received again.
                    position = try await service.position()
                    failures = 0
                    self?.restart(at: position)
                } catch {
                    try? await clock.sleep(for: OrderService.reconnectDelay(after: failures))
                    failures += 1
                }
            }
        }
    }

    private func readEvery(_ age: Duration) -> Task<Void, Never> {
        Task { [weak self, clock] in
            while (try? await clock.sleep(for: age)) != nil {
                guard let self else { return }
                refresh()
            }
        }
    }

    /// Reads everything again after an expired position.
    private func restart(at position: String) {
        state.withLock { $0.position = position }
        read(for: .change)
    }

    private func signOut() {
        state.withLock { $0.isSignedOut = true }
        publish()
    }

    private func publish() {
        state.withLock { $0.current.version += 1 }
        eventBuffer.record { $0.recordScreenChange() }
    }
}
