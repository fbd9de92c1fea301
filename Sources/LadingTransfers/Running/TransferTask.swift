import ErrorDescriptions
import Foundation
import LadingHTTP
import LadingOperations
import Synchronization
import Timing

/// A running transfer, which performs the effects of its `TransferStateMachine`, one event at a time.
final class TransferTask: Sendable {
    /// An event, and the sender that waits until it was handled.
    private struct QueuedEvent: Sendable {
        var event: TransferStateMachine.Event
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// The work in progress: an attempt, or the delay before the next one.
    private struct Work {
        var stop: @Sendable () -> Void
    }

    let tracker: TransferTracker
    private let context: TransferContext
    private let queue: BackendQueue
    private let refreshURL: @Sendable (FileTransfer) async throws -> URL?
    private let eventContinuation: AsyncStream<QueuedEvent>.Continuation
    private let events: AsyncStream<QueuedEvent>
    private let work = Mutex<Work?>(nil)
    private let eventTask = Mutex<Task<Void, Never>?>(nil)
    /// Whether the URL of a file without a received byte was refreshed since the transfer was started or made progress.
    private let hasRefreshedURL = Atomic(false)
    /// The removal of an upload at its former server.
    private let removalTask = Mutex<Task<Void, Never>?>(nil)

    init(
        _ ledger: TransferTracker, _ context: TransferContext, queue: BackendQueue,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) {
        self.tracker = ledger
        self.context = context
        self.queue = queue
        self.refreshURL = refreshURL
        // The stream is bounded: each sender waits until its event was handled, and an attempt sends two.
        (events, eventContinuation) = AsyncStream.makeStream()
    }

    /// Starts handling events, until `close`.
    func start(retryPolicy: TransferRetryPolicy, jitter: @escaping @Sendable () -> Double) {
        let machine = TransferStateMachine(tracker.record.status, retryPolicy: retryPolicy, jitter: jitter)
        eventTask.withLock { $0 = Task { await processEvents(with: machine) } }
    }

    /// Sends an event and waits until it was handled.
    func send(_ event: TransferStateMachine.Event) async {
        await withCheckedContinuation { continuation in
            if case .terminated = eventContinuation.yield(QueuedEvent(event: event, continuation: continuation)) { continuation.resume() }
        }
    }

    /// Resumes the transfer, at another URL if one is given.
    func resume(at url: URL?) async {
        guard let url else { return await send(.resume) }
        switch tracker.record.direction {
        case .download:
            tracker.update { $0.changeURL(to: url) }
            await send(.resume)
        case .upload:
            // An attempt in progress sends to the former URL.
            await send(tracker.setPendingURL(url) ? .restart : .resume)
        }
    }

    /// Stops the attempt and releases the transfer for another program or a later start.
    func close() async {
        await send(.release)
        for await transfer in tracker.updates() where transfer.status != .running { break }
        eventContinuation.finish()
        await eventTask.withLock { $0 }?.value
        removalTask.withLock { $0 }?.cancel()
        tracker.close()
    }

    private func processEvents(with machine: TransferStateMachine) async {
        var machine = machine
        var effects: [TransferStateMachine.Effect] = []
        for await queued in events {
            machine.handle(queued.event, effects: &effects)
            // A command starts the first attempt of a series.
            if machine.failures == 0, effects.contains(.run) { hasRefreshedURL.store(false, ordering: .relaxed) }
            await tracker.batchUpdates {
                updateStatus(from: machine, after: queued.event)
                tracker.setInterrupted(machine.state == .interrupted)
                for effect in effects { await perform(effect) }
            }
            effects.removeAll()
            queued.continuation?.resume()
        }
    }

    private func updateStatus(from machine: TransferStateMachine, after event: TransferStateMachine.Event) {
        let error: (any Error)? = if case .failed(let failure, _) = event { failure.error } else { nil }
        let status = machine.status
        guard tracker.transfer.status != status || error != nil else { return }
        tracker.update(error: status == .failed ? error : nil) { record in
            record.status = status
            switch status {
            case .running, .finished, .cancelled, .paused: record.reason = nil
            case .pending, .failed: record.reason = error.flatMap(Self.description)
            }
        }
    }

    private static func description(of error: any Error) -> String? { error.plainDescription?.redactingSecrets }

    private func perform(_ effect: TransferStateMachine.Effect) async {
        switch effect {
        case .run:
            applyPendingURL()
            if tracker.hasPendingChanges { await save() }
            run()
        case .stop, .cancelRetry: work.withLock { $0.take() }?.stop()
        case .scheduleRetry(let delay): scheduleRetry(after: delay)
        case .discard: await discard()
        case .save:
            applyPendingURL()
            await save()
        }
    }

    /// Changes to the pending URL. The former server is requested to remove its part of an upload, without waiting for the response: servers discard
    /// unfinished uploads sooner or later.
    private func applyPendingURL() {
        guard let former = tracker.applyPendingURL() else { return }
        let task = Task { [context] in await UploadAttempt.discard(former, context) }
        removalTask.withLock { previous in
            previous?.cancel()
            previous = task
        }
    }

    private func save() async {
        do {
            try await tracker.save()
        } catch {
            tracker.update { $0.reason = "cannot write the journal".appending(cause: error) }
        }
    }

    private func discard() async {
        let record = tracker.record
        switch record.direction {
        case .download:
            PartFile(of: record.file, id: record.id).remove()
            tracker.update {
                ($0.version, $0.total, $0.digest, $0.fingerprint) = (nil, nil, nil, nil)
            }
            tracker.resetProgress()
        case .upload:
            await UploadAttempt.discard(record, context)
            tracker.update { ($0.resource, $0.fingerprint) = (nil, nil) }
            tracker.resetProgress()
        }
    }
}

// MARK: - Attempts

extension TransferTask {
    private func post(_ event: TransferStateMachine.Event) { eventContinuation.yield(QueuedEvent(event: event)) }

    /// Submits an attempt to the queue.
    ///
    /// Transfers have a lane separate from that of their server, so that its documents do not wait for a long transfer.
    private func run() {
        let record = tracker.record
        let start = AttemptStart()
        let operation = BackendOperation(
            "\(record.direction.rawValue) \(record.remote.redacted)",
            lane: .network("\(record.remote.authority ?? "") transfers")
        ) { [self] in
            guard start.tryStart() else { throw CancellationError() }
            post(.started)
            post(await attempt())
        }
        // An attempt that never started does not report that it stopped.
        operation.onResult { [self] _ in if start.tryStart() { post(.stopped) } }
        work.withLock { $0 = Work { operation.cancel() } }
        queue.submit(operation, priority: .background)
    }

    private func attempt() async -> TransferStateMachine.Event {
        let before = completedBytes
        do {
            switch tracker.record.direction {
            case .download:
                if DownloadAttempt.isPublished(tracker.record) { return .done }
                var attempt = try DownloadAttempt(tracker, context)
                try await attempt.run()
            case .upload:
                var attempt = try UploadAttempt(tracker, context)
                try await attempt.run()
            }
            return .done
        } catch {
            if error is CancellationError || Task.isCancelled { return .stopped }
            let madeProgress = completedBytes > before
            if madeProgress { hasRefreshedURL.store(false, ordering: .relaxed) }
            var failure = await refreshingExpiredURL(after: AttemptFailure(error))
            failure.retainsPartialData = failure.retainsPartialData && tracker.transfer.completed > 0
            return .failed(failure, madeProgress: madeProgress)
        }
    }

    /// The number of bytes that count as progress: written to disk, or acknowledged by the server.
    private var completedBytes: Int {
        tracker.record.direction == .download ? tracker.transfer.completed : tracker.record.completed
    }

    /// Replaces an expired URL, if there is a new one, and makes the failure transient.
    private func refreshingExpiredURL(after failure: AttemptFailure) async -> AttemptFailure {
        let isRefused = isRefusal(failure.error)
        guard isRefused || isExpiry(failure.error), let url = try? await refreshURL(tracker.transfer) else { return failure }
        if isRefused { hasRefreshedURL.store(true, ordering: .relaxed) }
        tracker.update { $0.changeURL(to: url) }
        return .transient(failure.error)
    }

    private func isExpiry(_ error: any Error) -> Bool {
        if case TransferError.expired = error { true } else { false }
    }

    /// Whether a server has refused a download without a received byte, and the URL may have expired. The file may as well be missing, so the URL is
    /// refreshed only once.
    private func isRefusal(_ error: any Error) -> Bool {
        guard case BackendError.status(let status, let url, _) = error else { return false }
        let record = tracker.record
        return record.direction == .download && record.remote == url && DownloadExchange.expiryStatuses.contains(status)
            && !hasRefreshedURL.load(ordering: .relaxed)
    }

    private func scheduleRetry(after delay: Duration) {
        let stopwatch = context.startStopwatch()
        let timer = Task { [self] in
            guard (try? await stopwatch.sleep(delay)) != nil else { return }
            post(.retryDue)
        }
        work.withLock { $0 = Work { timer.cancel() } }
    }
}

/// The start of an attempt: either it starts once, or it is known once that it never will.
private final class AttemptStart: Sendable {
    private let hasStarted = Atomic(false)

    /// Returns whether the caller was the first.
    func tryStart() -> Bool { !hasStarted.exchange(true, ordering: .relaxed) }
}
