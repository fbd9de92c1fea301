import LadingHTTP
import LadingOperations
import NIOCore
import Observers
import Synchronization

/// The updates of open pages of operations, read from the queue and encoded once for all pages that have received the same decisions.
final class OperationFeed: Sendable {
    /// The interval of updates.
    static let interval = Duration.milliseconds(100)
    /// The maximum time without an update.
    static let heartbeatInterval = Duration.seconds(15)
    /// The maximum number of updates that wait for a page. A slower page reads what it missed from the queue.
    static let bufferLimit = 4

    /// An update in the form of an event.
    struct Update: Sendable {
        /// The numbers of its decisions, and of missing ones before them; empty if it contains the state of the lanes only.
        let numbers: Range<Int>
        let event: ByteBuffer
    }

    private struct State {
        /// The number of the first decision that is in no update.
        var next = 0
        /// The number of open pages.
        var pageCount = 0
        /// The task that sends updates; nil without an open page.
        var producer: Task<Void, Never>?
    }

    private let queue: BackendQueue
    private let clock: any Clock<Duration>
    private let encode: @Sendable (OperationUpdate) -> String
    private let state = Mutex(State())
    private let observers = Observers<Update>()

    /// - Parameter encode: Returns an update as JSON.
    init(
        _ queue: BackendQueue, clock: any Clock<Duration>,
        encode: @escaping @Sendable (OperationUpdate) -> String = { JSONText(encoding: $0).text }
    ) {
        (self.queue, self.clock, self.encode) = (queue, clock, encode)
    }

    /// Opens a page; `closePage` must follow.
    ///
    /// - Returns: The updates from now on, and the number of their first decision. `update(from:before:)` returns earlier decisions.
    func openPage() -> (updates: AsyncStream<Update>, next: Int) {
        let latest = queue.trace().last?.number ?? -1
        return state.withLock { state in
            if state.pageCount == 0 {
                state.next = max(state.next, latest + 1)
                state.producer = Task { await sendUpdates() }
            }
            state.pageCount += 1
            return (observers.add(bufferingPolicy: .bufferingNewest(Self.bufferLimit)), state.next)
        }
    }

    func closePage() {
        let producer = state.withLock { state -> Task<Void, Never>? in
            state.pageCount -= 1
            return state.pageCount == 0 ? state.producer.take() : nil
        }
        producer?.cancel()
    }

    /// Returns an update for one page, with the decisions of a range, or the first of them if they are many.
    func update(from next: Int, before end: Int) -> Update {
        let decisions = queue.trace(from: next).prefix { $0.number < end }.prefix(OperationUpdate.limit)
        return update(decisions, from: next, before: decisions.last.map { $0.number + 1 } ?? end)
    }

    private func update(_ decisions: ArraySlice<TracedDecision>, from next: Int, before end: Int) -> Update {
        let update = OperationUpdate(decisions, missing: (decisions.first?.number ?? end) - next, lanes: queue.lanes)
        let event = EventStreamText.event(data: encode(update), id: next < end ? "\(end - 1)" : nil)
        return Update(numbers: next..<end, event: ByteBuffer(string: event))
    }
}

// MARK: - Sending

extension OperationFeed {
    /// Sends updates until its task is cancelled.
    private func sendUpdates() async {
        var idleTime = Duration.zero
        while (try? await clock.sleep(for: Self.interval)) != nil {
            idleTime += Self.interval
            let next = state.withLock { $0.next }
            let decisions = queue.trace(from: next).prefix(OperationUpdate.limit)
            guard !decisions.isEmpty || idleTime >= Self.heartbeatInterval else { continue }
            send(update(decisions, from: next, before: decisions.last.map { $0.number + 1 } ?? next))
            idleTime = .zero
        }
    }

    /// Sends an update to all pages, unless its decisions were sent by the next producer, because this one is cancelled.
    private func send(_ update: Update) {
        state.withLock { state in
            guard state.next == update.numbers.lowerBound else { return }
            state.next = update.numbers.upperBound
            observers.append(update)
        }
        observers.deliver()
    }
}
