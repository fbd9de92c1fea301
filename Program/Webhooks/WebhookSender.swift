package import Foundation
import HTTPTypes
package import LadingHTTP
import LadingOperations
package import LadingOutbox
package import Logging
package import OrderAPI
import OrderLifecycle
import OrderStorage
import ServiceLifecycle

/// A sender of every change of the orders to a URL: at least once, those of one order in their order, until the receiver accepts them.
///
/// Changes are read from the change feed into an outbox, whose journal contains the position that was reached: that of the latest event. The URL is not
/// in the journal, so that it can change while events wait, and may contain a secret.
package struct WebhookSender: Sendable {
    /// The URL in the journal, in place of the real one.
    private static let placeholder = URL(string: "https://webhook.invalid/")!
    /// The only status that ends an event: the receiver is gone. After all others the event is sent again.
    private static let rejectionStatuses: Set<Int> = [410]
    /// The maximum number of events that wait in the outbox; further ones wait in the change feed. There are as many receipts, so that one of them or a
    /// waiting event always has the latest position.
    private static let capacity = 1_000
    /// The maximum size of an event: that of an order with many missing items, in bytes.
    private static let eventSize = 1 << 20
    /// The maximum size of a response, which is not read, in bytes.
    private static let responseSize = 4 << 20
    /// The number of changes read at once.
    private static let pageSize = 100
    private static let retryDelay = Duration.seconds(1)
    /// The interval at which a full outbox is tried again.
    private static let capacityInterval = Duration.milliseconds(100)

    private let feed: OrderFeed
    private let outbox: Outbox
    private let monitor: WebhookMonitor
    private let logger: Logger
    private let now: @Sendable () -> Timestamp
    /// The position in the change feed that the journal contains.
    private let start: ChangePosition
    /// The event of a start without a known position, or after events may have been lost. It is added again, because the outbox may have had no room.
    private let startEvent: WebhookEvent?

    /// Creates a sender, and stores the position at which it begins: changes from now on are sent.
    ///
    /// - Parameters:
    ///   - age: The age at which an event is abandoned.
    ///   - executor: The executor that sends.
    ///   - journal: The journal of the outbox, which nobody else uses.
    ///   - mayHaveLostEvents: Whether the journal was damaged, so that the receiver must read the orders.
    package init(
        _ feed: OrderFeed, to url: URL, secret: WebhookSecret, age: Duration, executor: any BackendExecutor, journal: any OutboxJournal,
        mayHaveLostEvents: Bool = false, monitor: WebhookMonitor, logger: Logger, now: @escaping @Sendable () -> Date
    ) async throws {
        let client = BackendClient(executor: executor, interceptors: [WebhookSigning(secret: secret) { Timestamp(now()) }])
        let limits = OutboxLimits(
            entries: Self.capacity, requestSize: Self.eventSize, responseSize: Self.responseSize, receipts: Self.capacity, age: age,
            redirects: 0,
            rejectionStatuses: Self.rejectionStatuses)
        outbox = try await Outbox(
            client: client, queue: BackendQueue(), journal: journal, limits: limits, now: now, resolveURL: { _ in url })
        (self.feed, self.monitor, self.logger) = (feed, monitor, logger)
        self.now = { Timestamp(now()) }
        let current = try await feed.position()
        let known = outbox.entries.map(\.id) + outbox.receipts.map(\.id)
        let reached = known.compactMap { WebhookEvent.position(ofID: $0.rawValue) }.filter { $0.epoch == current.epoch }
        start = reached.max { $0.isBefore($1) } ?? current
        for entry in outbox.entries { monitor.recordWaiting(entry.id.rawValue, since: Timestamp(entry.actionDate)) }
        for receipt in outbox.receipts { monitor.record(receipt) }
        startEvent = reached.isEmpty || mayHaveLostEvents ? WebhookEvent(startingAt: current, at: self.now()) : nil
        if let startEvent {
            // On a full disk it is added later, as when the outbox has no room.
            do { _ = try await addIfPossible(startEvent) } catch OutboxError.diskFull {}
        }
    }

    /// Sends until graceful shutdown.
    package func run() async {
        let (events, signals) = (outbox.events(), feed.signals())
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { tasks in
                tasks.addTask { await outbox.run() }
                tasks.addTask { for await event in events { record(event) } }
                tasks.addTask { await addChanges(after: start, signals) }
            }
        }
    }
}

// MARK: - From the change feed to the outbox

extension WebhookSender {
    /// Adds changes to the outbox until the task is cancelled.
    private func addChanges(after start: ChangePosition, _ signals: AsyncStream<Void>) async {
        var (position, startEvent, isFailing) = (start, startEvent, false)
        for await _ in signals {
            do {
                if let event = startEvent { try await add(event) }
                startEvent = nil
                try await addChanges(after: &position)
                isFailing = false
            } catch is CancellationError {
                return
            } catch {
                // A full disk fails each attempt, for hours.
                if !isFailing { logger.error("Changes cannot be sent to the webhook yet.", metadata: ["error": "\(error)"]) }
                isFailing = true
                try? await Task.sleep(for: Self.retryDelay)
            }
        }
    }

    /// Adds the changes after a position, which follows them: a change that was added is not added again after a failure.
    private func addChanges(after position: inout ChangePosition) async throws {
        do {
            while true {
                let page = try await feed.changes(after: position, limit: Self.pageSize)
                let ids = try await feed.externalIDs(of: Set(page.changes.map(\.order)))
                for change in page.changes {
                    try await add(WebhookEvent(change, externalID: ids[change.order]))
                    position = change.position
                }
                position = page.position
                guard page.hasMore else { return }
            }
        } catch OrderStoreError.positionExpired(let current) {
            // The database was replaced, or the changes are not stored any more.
            try await add(WebhookEvent(startingAt: current, at: now()))
            position = current
        }
    }

    /// Adds an event to the outbox, as soon as there is room.
    private func add(_ event: WebhookEvent) async throws {
        while try await !addIfPossible(event) { try await Task.sleep(for: Self.capacityInterval) }
    }

    /// Adds an event to the outbox, and returns whether there was room.
    private func addIfPossible(_ event: WebhookEvent) async throws -> Bool {
        guard let key = IdempotencyKey(rawValue: event.id) else { preconditionFailure("a position is a valid key") }
        let request = OutboxRequest(
            method: .post, url: Self.placeholder, headers: [.contentType: "application/json", .webhookID: event.id], body: event.body)
        if outbox.status(of: key) != nil { return true }
        do {
            monitor.recordWaiting(event.id, since: event.time)
            try await outbox.add(request, changing: event.subject, at: event.time.date, key: key)
            return true
        } catch OutboxError.full {
            monitor.removeWaiting(event.id)
            return false
        } catch {
            monitor.removeWaiting(event.id)
            throw error
        }
    }
}

// MARK: - Reports

extension WebhookSender {
    private func record(_ event: OutboxEvent) {
        switch event.change {
        case .waiting(.retry(let error, _)): recordFailure(error, of: event.entry)
        case .waiting, .sending: break
        case .ended(.sent):
            if monitor.recordSuccess(of: event.entry.id.rawValue, at: now()) { logger.warning("The webhook is reached again.") }
        case .ended(.refused(let error)): recordAbandoned(event.entry, "\(error)")
        case .ended(.expired), .ended(.superseded): recordAbandoned(event.entry, event.entry.lastFailure ?? "it was too old")
        }
    }

    private func recordFailure(_ error: any Error, of entry: OutboxEntry) {
        guard monitor.recordFailure("\(error)", .init(error), of: entry.id.rawValue, at: now()) else { return }
        logger.warning(
            "The webhook fails. Events are sent again until they are accepted.", metadata: ["event": "\(entry.id)", "error": "\(error)"])
    }

    private func recordAbandoned(_ entry: OutboxEntry, _ reason: String) {
        monitor.record(
            WebhookMonitor.AbandonedEvent(
                id: entry.id.rawValue, order: WebhookEvent.order(ofSubject: entry.subject), reason: reason, time: now()))
        logger.error(
            "An event is not sent to the webhook any more: read the order, whose history contains it.",
            metadata: ["event": "\(entry.id)", "subject": "\(entry.subject)", "error": "\(reason)"])
    }
}

extension WebhookMonitor {
    /// Records the event of a receipt: it was accepted, or abandoned.
    fileprivate func record(_ receipt: OutboxReceipt) {
        let time = Timestamp(receipt.ended)
        if receipt.outcome == .sent {
            recordSuccess(of: receipt.id.rawValue, at: time)
        } else {
            record(
                AbandonedEvent(
                    id: receipt.id.rawValue, order: WebhookEvent.order(ofSubject: receipt.subject),
                    reason: receipt.reason ?? "\(receipt.outcome.rawValue)", time: time))
        }
    }
}

extension WebhookMonitor.Failure.Cause {
    fileprivate init(_ error: any Error) {
        self =
            switch OperationError.rootCause(of: error) as? BackendError {
            case .status(let code, _, _): .status(code)
            case .unreachable: .unreachable
            case .timedOut: .timedOut
            case .interrupted: .interrupted
            default: .other
            }
    }
}
