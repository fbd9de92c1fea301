import ErrorDescriptions
import Foundation
import LadingHTTP
import LadingOperations
import Synchronization
import Timing

/// A running transfer, which performs the effects of its `TransferStateMachine`, one event at a time.
final class TransferTask: Sendable {
    /// An event, and the sender that waits until it was handled, and for whether it was accepted.
    private struct QueuedEvent: Sendable {
        var event: TransferStateMachine.Event
        var continuation: CheckedContinuation<Bool, Never>?
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

    init(
        _ tracker: TransferTracker, _ context: TransferContext, queue: BackendQueue,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) {
        self.tracker = tracker
        self.context = context
        self.queue = queue
        self.refreshURL = refreshURL
        // The stream is bounded: each sender waits until its event was handled, and an attempt sends two.
        (events, eventContinuation) = AsyncStream.makeStream()
    }

    /// Starts handling events, until the transfer has ended and that is in the journal, or until `close`.
    ///
    /// - Parameter onEnd: Called at the end of the transfer, before its observers are notified.
    func start(
        retryPolicy: TransferRetryPolicy, jitter: @escaping @Sendable () -> Double, onEnd: @escaping @Sendable () async -> Void
    ) {
        let machine = TransferStateMachine(tracker.record.status, retryPolicy: retryPolicy, jitter: jitter)
        eventTask.withLock { $0 = Task { await processEvents(with: machine, onEnd) } }
    }

    /// Sends an event and waits until it was handled.
    ///
    /// - Returns: Whether it was accepted: a command during or after `close` has no effect.
    @discardableResult
    func send(_ event: TransferStateMachine.Event) async -> Bool {
        await withCheckedContinuation { continuation in
            if case .terminated = eventContinuation.yield(QueuedEvent(event: event, continuation: continuation)) {
                continuation.resume(returning: tracker.transfer.status.isFinal)
            }
        }
    }

    /// Resumes the transfer, at another URL if one is given.
    ///
    /// - Returns: As `send`.
    @discardableResult
    func resume(at url: URL?) async -> Bool {
        guard let url else { return await send(.resume) }
        switch tracker.record.direction {
        case .download:
            tracker.update { $0.changeURL(to: url) }
            tracker.setPendingChanges()
            return await send(.resume)
        case .upload:
            // An attempt in progress sends to the former URL.
            return await send(tracker.setPendingURL(url) ? .restart : .resume)
        }
    }

    /// Sets whether a file at the target may be replaced, also for an attempt in progress.
    ///
    /// - Returns: As `send`.
    func setReplacesTarget(_ replaces: Bool) async -> Bool {
        tracker.setReplacesTarget(replaces)
        return await send(.recordChanged)
    }

    /// Stops the attempt and releases the transfer for another program or a later start.
    func close() async {
        await send(.release)
        for await transfer in tracker.updates() where transfer.status != .running { break }
        eventContinuation.finish()
        await eventTask.withLock { $0 }?.value
        if tracker.hasPendingChanges { await savePendingChanges() }
        tracker.close()
    }

    private func processEvents(with machine: TransferStateMachine, _ onEnd: @Sendable () async -> Void) async {
        var machine = machine
        var effects: [TransferStateMachine.Effect] = []
        var hasEnded = false
        for await queued in events {
            let isAccepted = machine.acceptsCommands
            machine.handle(queued.event, effects: &effects)
            await tracker.batchUpdates {
                updateStatus(from: machine, after: queued.event)
                tracker.setInterrupted(machine.state == .interrupted)
                for effect in effects { await perform(effect) }
                if effects.isEmpty, tracker.hasPendingChanges { await savePendingChanges() }
                if machine.status.isFinal, !tracker.hasPendingChanges, !hasEnded {
                    hasEnded = true
                    await onEnd()
                }
            }
            effects.removeAll()
            queued.continuation?.resume(returning: isAccepted)
            // Events that were sent already are still handled.
            if hasEnded { eventContinuation.finish() }
        }
    }

    private func updateStatus(from machine: TransferStateMachine, after event: TransferStateMachine.Event) {
        let error: (any Error)? = if case .failed(let failure, _, _) = event { failure.error } else { nil }
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
        case .run(let mayRefreshURL):
            applyPendingURL()
            if tracker.hasPendingChanges { await save() }
            run(mayRefreshURL: mayRefreshURL)
        case .stop, .cancelRetry: work.withLock { $0.take() }?.stop()
        case .scheduleRetry(let delay): scheduleRetry(after: delay)
        case .discard: discard()
        case .save:
            applyPendingURL()
            await save()
        }
    }

    /// Changes to the pending URL. The former server is requested to remove its part of an upload.
    private func applyPendingURL() {
        if let former = tracker.applyPendingURL() { removeUpload(former) }
    }

    /// Requests that a server remove its part of an upload. The journal does not wait for the response: if the process ended meanwhile, the upload
    /// would continue in the next one.
    private func removeUpload(_ record: TransferRecord) {
        guard record.resource != nil else { return }
        context.uploadRemovals.begin { [context] in await UploadAttempt.discard(record, context) }
    }

    private func save() async {
        do {
            try await tracker.save()
        } catch {
            tracker.update { $0.reason = "cannot write the journal".appending(cause: error) }
        }
    }

    /// Writes changes that were requested without an event, or that could not be written before.
    private func savePendingChanges() async {
        // The error of the journal was the reason.
        let hasReason = [.pending, .failed].contains(tracker.record.status)
        if tracker.journalError != nil, !hasReason { tracker.update { $0.reason = nil } }
        await save()
    }

    private func discard() {
        let record = tracker.record
        switch record.direction {
        case .download:
            PartFile(of: record.file, id: record.id).remove()
            tracker.update {
                ($0.version, $0.total, $0.digest, $0.fingerprint) = (nil, nil, nil, nil)
            }
            tracker.resetProgress()
        case .upload:
            removeUpload(record)
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
    private func run(mayRefreshURL: Bool) {
        let record = tracker.record
        let start = AttemptStart()
        let operation = BackendOperation(
            "\(record.direction.rawValue) \(record.remote.redacted)",
            lane: .network("\(record.remote.authority ?? "") transfers")
        ) { [self] in
            guard start.tryStart() else { throw CancellationError() }
            post(.started)
            post(await attempt(mayRefreshURL: mayRefreshURL))
        }
        // An attempt that never started does not report that it stopped.
        operation.onResult { [self] _ in if start.tryStart() { post(.stopped) } }
        work.withLock { $0 = Work { operation.cancel() } }
        queue.submit(operation, priority: .background)
    }

    /// Performs an attempt and returns the event of its end.
    private func attempt(mayRefreshURL: Bool) async -> TransferStateMachine.Event {
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
            var failure = AttemptFailure(error)
            let isRefused = (mayRefreshURL || madeProgress) && isRefusal(failure.error)
            let hasNewURL = if isRefused || isExpiry(failure.error) { await replaceURL() } else { false }
            // With another URL the next attempt may succeed.
            if hasNewURL { failure = .transient(failure.error) }
            failure.retainsPartialData = failure.retainsPartialData && tracker.transfer.completed > 0
            return .failed(failure, madeProgress: madeProgress, refreshedURL: isRefused && hasNewURL)
        }
    }

    /// The number of bytes that count as progress: written to disk, or acknowledged by the server.
    private var completedBytes: Int {
        tracker.record.direction == .download ? tracker.transfer.completed : tracker.record.completed
    }

    /// Replaces the URL by a new one, and returns whether there is one.
    private func replaceURL() async -> Bool {
        guard let url = try? await refreshURL(tracker.transfer) else { return false }
        tracker.update { $0.changeURL(to: url) }
        return true
    }

    private func isExpiry(_ error: any Error) -> Bool {
        if case TransferError.expired = error { true } else { false }
    }

    /// Whether a server has refused a download without a received byte, and the URL may have expired. The file may as well be missing.
    private func isRefusal(_ error: any Error) -> Bool {
        guard case BackendError.status(let status, let url, _) = error else { return false }
        let record = tracker.record
        return record.direction == .download && record.remote == url && DownloadExchange.expiryStatuses.contains(status)
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
