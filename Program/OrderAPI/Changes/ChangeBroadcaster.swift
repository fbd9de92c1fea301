import Logging
import Observers
import OrderLifecycle
import OrderStorage
import Synchronization

/// A registered stream.
struct ChangeSubscription: Sendable {
    /// The changes, and heartbeats between them.
    let batches: AsyncStream<ChangeBatch>
    fileprivate let continuation: AsyncStream<ChangeBatch>.Continuation

    /// Ends the stream after the batches that were sent.
    func end() { continuation.finish() }
}

/// The distribution of changes to open streams.
///
/// It reads each change once. A stream that is `capacity` batches behind is ended; its client continues at its last position.
package final class ChangeBroadcaster: Sendable {
    /// The maximum number of batches that wait for one stream.
    static let capacity = 250
    /// The maximum number of changes read at once.
    static let pageSize = 500

    /// The pause after changes were sent, so that those of many commands share a write to each stream.
    private static let pause = Duration.milliseconds(40)
    /// The pause under load: after many changes, because a write to each stream costs more than they do, and while some stored changes cannot be read yet.
    private static let loadPause = Duration.milliseconds(80)
    /// The number of changes that are many: 1,250 in a second.
    private static let manyChanges = 50
    private static let heartbeatInterval = Duration.seconds(15)
    /// The longest pause while stored changes cannot be read yet; each reading without a new one doubles it.
    private static let maximumPause = Duration.milliseconds(640)

    private struct Subscriber {
        let token: SecretHash
        let continuation: AsyncStream<ChangeBatch>.Continuation
    }

    private struct State {
        var subscribers: [Int: Subscriber] = [:]
        var lastID = 0
        var position: ChangePosition?
    }

    private let store: any OrderStore
    private let state = Mutex(State())
    private let signalObservers = Observers<Void>()
    private let wakeups = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

    private let now: @Sendable () -> Timestamp

    init(_ store: any OrderStore, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.now = now
    }

    /// Reports that there may be a change.
    func notify() {
        wakeups.continuation.yield()
        signalObservers.send(())
    }

    /// Returns an element at once, and one for each report of a possible change. Elements that nobody awaits are merged.
    func signals() -> AsyncStream<Void> {
        signalObservers.add(bufferingPolicy: .bufferingNewest(1), first: ())
    }

    /// Registers a stream. It contains all changes that are committed after the method has returned, and some before.
    ///
    /// It ends when its token does, also by a request to another program, when a new epoch begins, and when it is too slow.
    ///
    /// - Parameter token: The token of the person who receives the stream.
    func subscribe(with token: SecretHash) async throws -> ChangeSubscription {
        let (stream, continuation) = AsyncStream.makeStream(of: ChangeBatch.self, bufferingPolicy: .bufferingOldest(Self.capacity))
        let id = state.withLock { state in
            state.lastID += 1
            state.subscribers[state.lastID] = Subscriber(token: token, continuation: continuation)
            return state.lastID
        }
        continuation.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.subscribers.removeValue(forKey: id) } }
        try await findStartPosition()
        return ChangeSubscription(batches: stream, continuation: continuation)
    }

    /// Determines the position after which changes are sent, unless it is known. Streams read the changes before it themselves.
    ///
    /// Only `subscribe` calls this: a position read by `sendChanges` in the meantime could lie after the changes that the new stream reads
    /// itself.
    private func findStartPosition() async throws {
        guard state.withLock({ $0.position == nil }) else { return }
        let position = try await store.position()
        state.withLock { state in
            if state.position == nil { state.position = position }
        }
    }

    /// Sends changes and heartbeats until its task is cancelled. Changes of other processes are found within an interval.
    func run(clock: some Clock<Duration>, logger: Logger, interval: Duration = .seconds(1)) async {
        await withDiscardingTaskGroup { tasks in
            tasks.addTask {
                while (try? await clock.sleep(for: interval)) != nil {
                    await self.endStreamsWithoutToken()
                    self.notify()
                }
            }
            tasks.addTask { await self.sendHeartbeats(on: clock) }
            tasks.addTask {
                var pause = Self.pause
                for await _ in self.wakeups.stream {
                    let reading = await self.sendChanges(logger)
                    pause =
                        switch reading {
                        case .complete(areMany: false): Self.pause
                        case .complete(areMany: true), .heldBack(isEmpty: false): Self.loadPause
                        case .heldBack(isEmpty: true): min(pause * 2, Self.maximumPause)
                        }
                    try? await clock.sleep(for: pause)
                    if case .heldBack = reading { self.wakeups.continuation.yield() }
                }
            }
        }
        endAllStreams()
    }

    /// Sends heartbeats until its task is cancelled.
    func sendHeartbeats(on clock: some Clock<Duration>) async {
        while (try? await clock.sleep(for: Self.heartbeatInterval)) != nil { send(.heartbeat) }
    }

    /// The result of a reading of changes.
    enum Reading: Equatable {
        /// All changes were sent.
        case complete(areMany: Bool)
        /// Some stored changes can be read only later.
        case heldBack(isEmpty: Bool)
    }

    /// Reads and sends the changes since the last call. Without a registered stream nothing is read.
    ///
    /// A change that cannot be read ends the streams, so that their clients read the orders again. The next ones begin after it.
    ///
    /// - Parameter logger: Reports a change that cannot be read; nil for no report.
    @discardableResult
    func sendChanges(_ logger: Logger? = nil) async -> Reading {
        let start = state.withLock { state in
            if state.subscribers.isEmpty { state.position = nil }
            return state.position
        }
        guard var position = start else { return .complete(areMany: false) }
        do {
            var count = 0
            while true {
                let page = try await store.changes(after: position, limit: Self.pageSize)
                position = page.position
                state.withLock { $0.position = page.position }
                if !page.changes.isEmpty { send(ChangeBatch(page.changes)) }
                count += page.changes.count
                guard page.hasMore else {
                    return page.isHeldBack ? .heldBack(isEmpty: count == 0) : .complete(areMany: count >= Self.manyChanges)
                }
            }
        } catch is OrderStoreError {
            endAllStreams()
        } catch let error where (error as? any UnavailableStoreError)?.isUnavailable == true || error is CancellationError {
            // The read is repeated at the next change or interval.
        } catch {
            logger?.error("A change cannot be read; the streams end.", metadata: ["error": "\(error)"])
            endAllStreams()
        }
        return .complete(areMany: false)
    }

    private func send(_ batch: ChangeBatch) {
        let subscribers = state.withLock { Array($0.subscribers.values) }
        for subscriber in subscribers {
            if case .dropped = subscriber.continuation.yield(batch) { subscriber.continuation.finish() }
        }
    }

    /// Ends the streams whose token was removed or revoked, by this program or another one, or has expired.
    func endStreamsWithoutToken() async {
        let tokens = Set(state.withLock { $0.subscribers.values.map(\.token) })
        guard !tokens.isEmpty, let valid = try? await store.validTokens(tokens, at: now()) else { return }
        endStreams { !valid.contains($0.token) && tokens.contains($0.token) }
    }

    func endStreams(withToken token: SecretHash) { endStreams { $0.token == token } }

    private func endStreams(where isEnded: (Subscriber) -> Bool) {
        let ended = state.withLock { $0.subscribers.values.filter(isEnded) }
        for subscriber in ended { subscriber.continuation.finish() }
    }

    /// Ends all streams, and begins with a new position when there is one again. A stream that is registered meanwhile begins there.
    private func endAllStreams() {
        let ended = state.withLock { state in
            defer { (state.subscribers, state.position) = ([:], nil) }
            return Array(state.subscribers.values)
        }
        for subscriber in ended { subscriber.continuation.finish() }
    }
}
