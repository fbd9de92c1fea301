import LadingOperations
import Synchronization

/// A reporter of the progress of one exchange, which combines sent and received bytes. Updates arrive from different tasks.
final class ExchangeProgressReporter: Sendable {
    private struct Counts {
        /// The sent bytes of the message body; the count restarts when the message is sent again.
        var sent = 0
        /// The received bytes of the response body, after content codings are decoded.
        var received = 0
        /// The length of the response body; nil before the head, and when the server does not announce it.
        var toReceive: Int?
    }

    private let counts = Mutex(Counts())
    private let progress: OperationProgress?
    private let upload: OperationProgress?

    /// Creates a reporter; nil when nothing observes the exchange.
    init?(progress: OperationProgress?, upload: OperationProgress?) {
        guard progress != nil || upload != nil else { return nil }
        self.progress = progress
        self.upload = upload
    }

    /// Resets the progress and returns the message with a body that reports its sending, for a first or repeated attempt.
    func tracking(_ message: RequestMessage) -> RequestMessage {
        counts.withLock { $0 = Counts() }
        guard !message.body.isEmpty else { return message }
        let length = message.body.length
        reportSent(0, of: length)
        var metered = message
        metered.body = message.body.reportingSentBytes { sent in self.reportSent(sent, of: length) }
        return metered
    }

    func reportReceived(_ count: Int, of expected: Int?) {
        report { ($0.received, $0.toReceive) = (count, expected) }
    }

    /// Finishes the progress of a caller at the end of the exchange.
    func finish(isComplete: Bool) {
        progress?.finishUnlessOfOperation(isComplete: isComplete)
        // A server may respond without reading the whole body.
        upload?.finishUnlessOfOperation(isComplete: false)
    }

    private func reportSent(_ count: Int, of length: Int?) {
        upload?.report(completed: count, total: length)
        report { $0.sent = count }
    }

    private func report(_ change: (inout Counts) -> Void) {
        let counts = counts.withLock { counts in
            change(&counts)
            return counts
        }
        // The total is unknown until the response begins: a queue would otherwise complete an abandoned exchange whose body is sent.
        progress?.report(completed: counts.sent + counts.received, total: counts.toReceive.map { counts.sent + $0 })
    }
}
