package import OrderLifecycle
import Synchronization

/// The state of the webhook, which its sender changes and dispatchers read.
package final class WebhookMonitor: Sendable {
    package struct Status: Hashable, Sendable {
        /// The URL, without its secrets.
        package var url: String
        /// The number of events that are waiting to be sent.
        package var pending = 0
        /// The time of the oldest waiting event; nil if none waits.
        package var pendingSince: Timestamp?
        /// The last failure; nil once every event that failed was accepted or abandoned.
        package var failure: Failure?
        /// The time at which the last event was accepted; nil if none is known.
        package var lastSuccess: Timestamp?
        /// The latest events that will not be sent any more, oldest first.
        package var abandoned: [AbandonedEvent] = []
    }

    /// The failed attempts at events that are neither accepted nor abandoned yet.
    package struct Failure: Hashable, Sendable {
        /// The kind of a failed attempt.
        package enum Cause: Hashable, Sendable {
            /// The receiver answered with this status.
            case status(Int)
            case unreachable
            case timedOut
            case interrupted
            case other
        }

        package let reason: String
        package let cause: Cause
        /// The time of the first failure since no event had failed.
        package let since: Timestamp

        package init(reason: String, cause: Cause, since: Timestamp) {
            self.reason = reason
            self.cause = cause
            self.since = since
        }
    }

    /// An event that the receiver has refused permanently, or has not accepted in time.
    package struct AbandonedEvent: Hashable, Sendable {
        /// The id of the event, which is its position in the change feed.
        package let id: String
        /// The order whose change it was; nil for an event of the feed.
        package let order: Int?
        package let reason: String
        package let time: Timestamp

        package init(id: String, order: Int?, reason: String, time: Timestamp) {
            self.id = id
            self.order = order
            self.reason = reason
            self.time = time
        }
    }

    /// The maximum number of abandoned events in a status.
    private static let abandonedLimit = 100

    fileprivate struct State {
        var status: Status
        /// The times of the waiting events by their ids. The outbox bounds their number.
        var waiting: [String: Timestamp] = [:]
        /// The ids of the waiting events that have failed.
        var failed: Set<String> = []
    }

    private let state: Mutex<State>

    /// - Parameter url: The URL, without its secrets.
    package init(url: String) {
        state = Mutex(State(status: Status(url: url)))
    }

    package var status: Status {
        state.withLock { state in
            var status = state.status
            (status.pending, status.pendingSince) = (state.waiting.count, state.waiting.values.min())
            return status
        }
    }

    /// Records that an event waits.
    ///
    /// - Parameter time: The time of its change.
    package func recordWaiting(_ event: String, since time: Timestamp) { state.withLock { $0.waiting[event] = time } }

    /// Records that an event does not wait after all, because it could not be stored.
    package func removeWaiting(_ event: String) { state.withLock { _ = $0.waiting.removeValue(forKey: event) } }

    /// Records that an event was accepted.
    ///
    /// - Returns: Whether it is the last of the events that had failed.
    @discardableResult
    package func recordSuccess(of event: String, at time: Timestamp) -> Bool {
        state.withLock { state in
            state.status.lastSuccess = max(state.status.lastSuccess ?? time, time)
            return state.remove(event)
        }
    }

    /// Records a failed attempt.
    ///
    /// - Returns: Whether no other event had failed.
    @discardableResult
    package func recordFailure(_ reason: String, _ cause: Failure.Cause, of event: String, at time: Timestamp) -> Bool {
        state.withLock { state in
            state.failed.insert(event)
            let first = state.status.failure
            state.status.failure = Failure(reason: reason, cause: cause, since: first?.since ?? time)
            return first == nil
        }
    }

    package func record(_ event: AbandonedEvent) {
        state.withLock { state in
            _ = state.remove(event.id)
            state.status.abandoned.append(event)
            if state.status.abandoned.count > Self.abandonedLimit { state.status.abandoned.removeFirst() }
        }
    }
}

extension WebhookMonitor.State {
    /// Removes an event that has ended, and returns whether it was the last of those that had failed.
    fileprivate mutating func remove(_ event: String) -> Bool {
        waiting[event] = nil
        guard failed.remove(event) != nil, failed.isEmpty else { return false }
        status.failure = nil
        return true
    }
}
