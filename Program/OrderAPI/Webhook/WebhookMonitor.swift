package import OrderLifecycle
import Synchronization

/// The state of the webhook, which its sender changes and dispatchers read.
package final class WebhookMonitor: Sendable {
    package struct Status: Hashable, Sendable {
        /// The URL, without its secrets.
        package var url: String
        /// The number of events that are waiting to be sent.
        package var pending = 0
        /// The last failure; nil once every event that failed was accepted or abandoned.
        package var failure: Failure?
        /// The latest events that will not be sent any more, oldest first.
        package var abandoned: [AbandonedEvent] = []
    }

    package struct Failure: Hashable, Sendable {
        package let reason: String
        /// The time of the first of the failures in a row.
        package let since: Timestamp

        package init(reason: String, since: Timestamp) {
            self.reason = reason
            self.since = since
        }
    }

    /// An event that the receiver has refused permanently, or has not accepted in time.
    package struct AbandonedEvent: Hashable, Sendable {
        /// The id of the event, which is its position in the change feed.
        package let id: String
        package let reason: String
        package let time: Timestamp

        package init(id: String, reason: String, time: Timestamp) {
            self.id = id
            self.reason = reason
            self.time = time
        }
    }

    /// The maximum number of abandoned events in a status.
    private static let abandonedLimit = 100

    fileprivate struct State {
        var status: Status
        /// The ids of the waiting events that have failed.
        var failed: Set<String> = []
    }

    private let state: Mutex<State>

    /// - Parameter url: The URL, without its secrets.
    package init(url: String) {
        state = Mutex(State(status: Status(url: url)))
    }

    package var status: Status { state.withLock { $0.status } }

    package func add(pending count: Int) { state.withLock { $0.status.pending += count } }

    /// Records that an event was accepted.
    ///
    /// - Returns: Whether it is the last of the events that had failed.
    @discardableResult
    package func recordSuccess(of event: String) -> Bool { state.withLock { $0.removeFailed(event) } }

    /// Records a failed attempt.
    ///
    /// - Returns: Whether no other event had failed.
    @discardableResult
    package func recordFailure(_ reason: String, of event: String, at time: Timestamp) -> Bool {
        state.withLock { state in
            state.failed.insert(event)
            let first = state.status.failure
            state.status.failure = Failure(reason: reason, since: first?.since ?? time)
            return first == nil
        }
    }

    package func record(_ event: AbandonedEvent) {
        state.withLock { state in
            _ = state.removeFailed(event.id)
            state.status.abandoned.append(event)
            if state.status.abandoned.count > Self.abandonedLimit { state.status.abandoned.removeFirst() }
        }
    }
}

extension WebhookMonitor.State {
    /// Returns whether the event was the last of those that had failed.
    fileprivate mutating func removeFailed(_ event: String) -> Bool {
        guard failed.remove(event) != nil, failed.isEmpty else { return false }
        status.failure = nil
        return true
    }
}
