import Synchronization

/// A reporter of the progress of one exchange, which combines sent and received bytes. Updates arrive from different tasks.
final class ExchangeProgressReporter: Sendable {
    private let progress = Mutex(ExchangeProgress())
    private let report: @Sendable (ExchangeProgress) -> Void

    init(_ report: @escaping @Sendable (ExchangeProgress) -> Void) {
        self.report = report
    }

    /// Resets the progress and returns the message with a body that reports its sending, for a first or repeated attempt.
    func tracking(_ message: RequestMessage) -> RequestMessage {
        progress.withLock { $0 = ExchangeProgress() }
        guard !message.body.isEmpty else { return message }
        update { $0.toSend = message.body.length }
        var metered = message
        metered.body = message.body.reportingSentBytes { sent in self.update { $0.sent = sent } }
        return metered
    }

    func received(_ count: Int, of expected: Int?) {
        update { ($0.received, $0.toReceive) = (count, expected) }
    }

    private func update(_ change: (inout ExchangeProgress) -> Void) {
        let progress = progress.withLock { progress in
            change(&progress)
            return progress
        }
        report(progress)
    }
}
