package import OrderLifecycle
import Synchronization

/// The state of the webhook, which its sender changes and dispatchers read.
package final class WebhookMonitor: Sendable {
    package struct Status: Hashable, Sendable {
        /// The URL, without its secrets.
        package var url: String
        /// The number of events that are waiting to be sent.
        package var pending = 0
        /// The failure of the last attempt; nil after one that succeeded.
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

    private let state: Mutex<Status>

    /// - Parameter url: The URL, without its secrets.
    package init(url: String) {
        state = Mutex(Status(url: url))
    }

    package var status: Status { state.withLock { $0 } }

    package func add(pending count: Int) { state.withLock { $0.pending += count } }

    /// Records that an attempt was accepted.
    ///
    /// - Returns: Whether the attempts before it had failed.
    @discardableResult
    package func recordSuccess() -> Bool {
        state.withLock { status in
            defer { status.failure = nil }
            return status.failure != nil
        }
    }

    /// Records a failed attempt.
    ///
    /// - Returns: Whether it is the first failure in a row.
    @discardableResult
    package func recordFailure(_ reason: String, at time: Timestamp) -> Bool {
        state.withLock { status in
            let first = status.failure
            status.failure = Failure(reason: reason, since: first?.since ?? time)
            return first == nil
        }
    }

    package func record(_ event: AbandonedEvent) {
        state.withLock { status in
            status.abandoned.append(event)
            if status.abandoned.count > Self.abandonedLimit { status.abandoned.removeFirst() }
        }
    }
}
