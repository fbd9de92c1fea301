import Synchronization

/// Puts together how far an exchange has come, and tells it; parts of it are heard from different tasks.
final class ExchangeMeter: Sendable {
    private let progress = Mutex(ExchangeProgress())
    private let tell: @Sendable (ExchangeProgress) -> Void

    init(_ tell: @escaping @Sendable (ExchangeProgress) -> Void) {
        self.tell = tell
    }

    /// The message as it is to be sent, for the first time or again, so that its sending is heard of.
    func begin(_ message: RequestMessage) -> RequestMessage {
        progress.withLock { $0 = ExchangeProgress() }
        guard !message.body.isEmpty else { return message }
        note { $0.toSend = message.body.length }
        var metered = message
        metered.body = message.body.reporting { sent in self.note { $0.sent = sent } }
        return metered
    }

    func received(_ count: Int, of expected: Int?) {
        note { ($0.received, $0.toReceive) = (count, expected) }
    }

    private func note(_ change: (inout ExchangeProgress) -> Void) {
        let progress = progress.withLock { progress in
            change(&progress)
            return progress
        }
        tell(progress)
    }
}
