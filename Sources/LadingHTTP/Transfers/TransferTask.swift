import Foundation
import LadingOperations
import Synchronization

/// A transfer that this program carries: does what its `TransferStateMachine` decides, one event after the other.
final class TransferTask: Sendable {
    /// An event, and who waits until it has been dealt with.
    private struct QueuedEvent: Sendable {
        var event: TransferStateMachine.Event
        var continuation: CheckedContinuation<Void, Never>?
    }

    /// What is under way: the attempt, or the wait for the next.
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
    /// Removes what a former server has of an upload that moved.
    private let removalTask = Mutex<Task<Void, Never>?>(nil)

    init(
        _ ledger: TransferTracker, _ tools: TransferContext, queue: BackendQueue,
        refreshURL: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) {
        self.tracker = ledger
        self.context = tools
        self.queue = queue
        self.refreshURL = refreshURL
        // Whoever sends waits until the letter has been read; the attempt sends two.
        (events, eventContinuation) = AsyncStream.makeStream()
    }

    /// Begins to read letters; `close` ends it.
    func start(retryPolicy: TransferRetryPolicy, jitter: @escaping @Sendable () -> Double) {
        let machine = TransferStateMachine(tracker.record.status, retryPolicy: retryPolicy, jitter: jitter)
        eventTask.withLock { $0 = Task { await processEvents(with: machine) } }
    }

    /// Tells an event, and waits until it has been dealt with.
    func send(_ event: TransferStateMachine.Event) async {
        await withCheckedContinuation { continuation in
            if case .terminated = eventContinuation.yield(QueuedEvent(event: event, continuation: continuation)) { continuation.resume() }
        }
    }

    /// Goes on, at another address if one is given.
    func resume(at url: URL?) async {
        guard let url else { return await send(.resume) }
        switch tracker.record.direction {
        case .download:
            tracker.update { $0.changeURL(to: url) }
            await send(.resume)
        case .upload:
            // What an attempt under way sends goes to the former address.
            await send(tracker.setPendingURL(url) ? .restart : .resume)
        }
    }

    /// Leaves the transfer as it is: the attempt stops, and another program, or another day, goes on with it.
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
        for await letter in events {
            machine.handle(letter.event, effects: &effects)
            await tracker.batchUpdates {
                updateStatus(from: machine, after: letter.event)
                for effect in effects { await perform(effect) }
            }
            effects.removeAll()
            letter.continuation?.resume()
        }
    }

    private func updateStatus(from machine: TransferStateMachine, after event: TransferStateMachine.Event) {
        let error: (any Error)? = if case .failed(let trouble, _) = event { trouble.error } else { nil }
        let status = machine.status
        guard tracker.transfer.status != status || error != nil else { return }
        tracker.update(error: status == .failed ? error : nil) { record in
            record.status = status
            switch status {
            case .running, .finished, .cancelled, .paused: record.reason = nil
            case .pending, .failed: record.reason = error.map(Self.description)
            }
        }
    }

    private static func description(of error: any Error) -> String { (error as? any LocalizedError)?.errorDescription ?? "\(error)" }

    private func perform(_ effect: TransferStateMachine.Effect) async {
        switch effect {
        case .run:
            applyPendingURL()
            if tracker.hasUnsavedChanges { await save() }
            run()
        case .stop, .cancelRetry: work.withLock { $0.take() }?.stop()
        case .scheduleRetry(let delay): scheduleRetry(after: delay)
        case .discard: await discard()
        case .save:
            applyPendingURL()
            await save()
        }
    }

    /// Moves to the address that was asked for. The former server is asked to remove what it has of an upload, and nothing waits for its answer: it forgets
    /// unfinished uploads by itself, sooner or later.
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
            tracker.update { $0.reason = "cannot write the journal: \(Self.description(of: error))" }
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

    /// Lets the queue begin an attempt.
    ///
    /// Files have a lane of their own beside that of their server: the documents of the server do not wait for a long transfer.
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
        // An attempt that never began does not tell that it stopped.
        operation.onResult { [self] _ in if start.tryStart() { post(.stopped) } }
        work.withLock { $0 = Work { operation.cancel() } }
        queue.submit(operation, priority: .background)
    }

    private func attempt() async -> TransferStateMachine.Event {
        let before = transferredBytes
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
            var trouble = await refreshingExpiredURL(after: AttemptFailure(error))
            trouble.retainsPartialData = trouble.retainsPartialData && tracker.transfer.completed > 0
            return .failed(trouble, madeProgress: transferredBytes > before)
        }
    }

    /// What counts as brought: what was written here, or acknowledged there.
    private var transferredBytes: Int {
        tracker.record.direction == .download ? tracker.transfer.completed : tracker.record.completed
    }

    /// A URL that has expired is renewed by who knows how; then another attempt follows.
    private func refreshingExpiredURL(after failure: AttemptFailure) async -> AttemptFailure {
        guard case TransferError.expired = failure.error, let url = try? await refreshURL(tracker.transfer) else { return failure }
        tracker.update { $0.changeURL(to: url) }
        return .transient(failure.error)
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

/// Whether an attempt has begun: it begins once, or it is found out once that it never will.
private final class AttemptStart: Sendable {
    private let hasStarted = Atomic(false)

    /// Says whether the caller was the first.
    func tryStart() -> Bool { !hasStarted.exchange(true, ordering: .relaxed) }
}
