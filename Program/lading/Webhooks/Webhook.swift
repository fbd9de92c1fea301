import DiskSpace
import Foundation
import LadingHTTP
import LadingJournals
import LadingNIO
import Logging
import OrderAPI
import OrderLifecycle
import ServiceLifecycle
import Webhooks

/// The webhook of an origin, between its options and its service.
struct Webhook {
    /// The name of the journal of waiting events in the data directory.
    static let journalName = "webhook.sqlite"
    /// The maximum duration of silence of a receiver.
    private static let readTimeout = Duration.seconds(20)

    private let options: WebhookOptions
    private let url: URL
    private let directory: URL
    /// The state of the webhook, which the API of the origin shows.
    let monitor: WebhookMonitor

    /// Creates the webhook of the options; nil without a URL, or without a data directory.
    init?(_ options: WebhookOptions, in directory: URL?) {
        guard let url = options.webhook?.url, let directory else { return nil }
        (self.options, self.url, self.directory) = (options, url, directory)
        monitor = WebhookMonitor(url: SecretRedaction.standard.redacted(url.absoluteString))
    }

    /// Opens the journal in the locked data directory, and returns the service that sends the changes of an origin.
    ///
    /// Returns nil, and reports that, if a file is missing and a full disk has no room for it: the origin then runs without the webhook.
    func service(_ feed: OrderFeed, logger: Logger) async throws -> (any Service)? {
        let file = directory.appending(path: Self.journalName)
        guard let secret = try secret(), let journal = try FullDisk.opening({ try SQLiteOutboxJournal(at: file) }) else {
            reportFullDisk()
            return nil
        }
        if let damaged = journal.quarantinedFile {
            Terminal.error.write(
                """
                lading: the file of events for the webhook was damaged: moved it to \(damaged.path) and created a new one. \
                Recovered events, which will be sent: \(journal.recoveredCount); others may be lost, so a start of the feed follows.

                """)
        }
        let executor = AsyncHTTPClientExecutor(connectionsPerHost: 1, readTimeout: Self.readTimeout)
        let sender = try await WebhookSender(
            feed, to: url, secret: secret, age: options.age, executor: executor, journal: journal,
            mayHaveLostEvents: journal.quarantinedFile != nil, monitor: monitor, logger: logger, now: { Date() })
        return WebhookService(sender: sender, executor: executor, journal: journal)
    }

    /// Returns nil if there is no secret, and the disk has no room for one.
    private func secret() throws -> WebhookSecret? {
        do {
            return try options.webhookSecretFile.map { try WebhookSecret(in: URL(filePath: $0)) }
                ?? WebhookSecret.stored(in: directory.appending(path: WebhookOptions.secretName))
        } catch  where FullDisk.isCause(of: error) {
            return nil
        }
    }

    private func reportFullDisk() {
        Terminal.error.reportFullDisk(directory, lost: "changes are not sent to the webhook")
        monitor.recordFailure("the disk is full", .other, of: Self.journalName, at: Timestamp(Date()))
    }
}

/// The sender, and what it alone uses.
private struct WebhookService: Service {
    let sender: WebhookSender
    let executor: AsyncHTTPClientExecutor
    let journal: SQLiteOutboxJournal

    func run() async throws {
        await sender.run()
        try? await executor.shutdown()
        try? journal.close()
    }
}
