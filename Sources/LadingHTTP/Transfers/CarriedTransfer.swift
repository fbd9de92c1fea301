import Foundation
import LadingOperations
import Synchronization

/// A transfer that this program carries: does what its `TransferMachine` decides, one event after the other.
final class CarriedTransfer: Sendable {
    /// An event, and who waits until it has been dealt with.
    private struct Letter: Sendable {
        var event: TransferMachine.Event
        var dealtWith: CheckedContinuation<Void, Never>?
    }

    /// What is under way: the attempt, or the wait for the next.
    private struct Work {
        var stop: @Sendable () -> Void
    }

    let ledger: TransferLedger
    private let tools: TransferTools
    private let queue: BackendQueue
    private let renew: @Sendable (FileTransfer) async throws -> URL?
    private let mailbox: AsyncStream<Letter>.Continuation
    private let letters: AsyncStream<Letter>
    private let work = Mutex<Work?>(nil)
    private let reader = Mutex<Task<Void, Never>?>(nil)
    /// Removes what a former server has of an upload that moved.
    private let removal = Mutex<Task<Void, Never>?>(nil)

    init(
        _ ledger: TransferLedger, _ tools: TransferTools, queue: BackendQueue,
        renew: @escaping @Sendable (FileTransfer) async throws -> URL?
    ) {
        self.ledger = ledger
        self.tools = tools
        self.queue = queue
        self.renew = renew
        // Whoever sends waits until the letter has been read; the attempt sends two.
        (letters, mailbox) = AsyncStream.makeStream()
    }

    /// Begins to read letters; `close` ends it.
    func open(patience: TransferPatience, luck: @escaping @Sendable () -> Double) {
        let machine = TransferMachine(ledger.record.status, patience: patience, luck: luck)
        reader.withLock { $0 = Task { await read(machine) } }
    }

    /// Tells an event, and waits until it has been dealt with.
    func send(_ event: TransferMachine.Event) async {
        await withCheckedContinuation { continuation in
            if case .terminated = mailbox.yield(Letter(event: event, dealtWith: continuation)) { continuation.resume() }
        }
    }

    /// Goes on, at another address if one is given.
    func resume(at url: URL?) async {
        guard let url else { return await send(.resume) }
        switch ledger.record.direction {
        case .download:
            ledger.update { $0.move(to: url) }
            await send(.resume)
        case .upload:
            // What an attempt under way sends goes to the former address.
            await send(ledger.redirect(to: url) ? .restart : .resume)
        }
    }

    /// Leaves the transfer as it is: the attempt stops, and another program, or another day, goes on with it.
    func close() async {
        await send(.release)
        for await transfer in ledger.updates() where transfer.status != .running { break }
        mailbox.finish()
        await reader.withLock { $0 }?.value
        removal.withLock { $0 }?.cancel()
        ledger.close()
    }

    private func read(_ machine: TransferMachine) async {
        var machine = machine
        var effects: [TransferMachine.Effect] = []
        for await letter in letters {
            machine.handle(letter.event, effects: &effects)
            await ledger.together {
                show(machine, after: letter.event)
                for effect in effects { await perform(effect) }
            }
            effects.removeAll()
            letter.dealtWith?.resume()
        }
    }

    private func show(_ machine: TransferMachine, after event: TransferMachine.Event) {
        let error: (any Error)? = if case .broke(let trouble, _) = event { trouble.error } else { nil }
        let status = machine.status
        guard ledger.transfer.status != status || error != nil else { return }
        ledger.update(error: status == .failed ? error : nil) { record in
            record.status = status
            switch status {
            case .running, .finished, .cancelled, .paused: record.reason = nil
            case .pending, .failed: record.reason = error.map(Self.text)
            }
        }
    }

    private static func text(_ error: any Error) -> String { (error as? any LocalizedError)?.errorDescription ?? "\(error)" }

    private func perform(_ effect: TransferMachine.Effect) async {
        switch effect {
        case .run:
            settleAddress()
            if ledger.isOwed { await note() }
            run()
        case .stop, .stopWaiting: work.withLock { $0.take() }?.stop()
        case .wait(let delay): wait(delay)
        case .discard: await discard()
        case .note:
            settleAddress()
            await note()
        }
    }

    /// Moves to the address that was asked for. The former server is asked to remove what it has of an upload, and nothing waits for its answer: it forgets
    /// unfinished uploads by itself, sooner or later.
    private func settleAddress() {
        guard let former = ledger.settleAddress() else { return }
        let task = Task { [tools] in await UploadAttempt.discard(former, tools) }
        removal.withLock { previous in
            previous?.cancel()
            previous = task
        }
    }

    private func note() async {
        do {
            try await ledger.note()
        } catch {
            ledger.update { $0.reason = "cannot write the journal: \(Self.text(error))" }
        }
    }

    private func discard() async {
        let record = ledger.record
        switch record.direction {
        case .download:
            PartFile(of: record.file, id: record.id).remove()
            ledger.update {
                ($0.version, $0.total, $0.digest, $0.stamp) = (nil, nil, nil, nil)
            }
            ledger.reset()
        case .upload:
            await UploadAttempt.discard(record, tools)
            ledger.update { ($0.resource, $0.stamp) = (nil, nil) }
            ledger.reset()
        }
    }
}

// MARK: - Attempts

extension CarriedTransfer {
    private func post(_ event: TransferMachine.Event) { mailbox.yield(Letter(event: event)) }

    /// Lets the queue begin an attempt.
    ///
    /// Files have a lane of their own beside that of their server: the documents of the server do not wait for a long transfer.
    private func run() {
        let record = ledger.record
        let start = AttemptStart()
        let operation = BackendOperation(
            "\(record.direction.rawValue) \(record.remote.redacted)",
            lane: .network("\(record.remote.authority ?? "") transfers")
        ) { [self] in
            guard start.begin() else { throw CancellationError() }
            post(.began)
            post(await attempt())
        }
        // An attempt that never began does not tell that it stopped.
        operation.onResult { [self] _ in if start.begin() { post(.stopped) } }
        work.withLock { $0 = Work { operation.cancel() } }
        queue.submit(operation, priority: .background)
    }

    private func attempt() async -> TransferMachine.Event {
        let before = gained
        do {
            switch ledger.record.direction {
            case .download:
                if DownloadAttempt.isPublished(ledger.record) { return .done }
                var attempt = try DownloadAttempt(ledger, tools)
                try await attempt.run()
            case .upload:
                var attempt = try UploadAttempt(ledger, tools)
                try await attempt.run()
            }
            return .done
        } catch {
            if error is CancellationError || Task.isCancelled { return .stopped }
            var trouble = await renewed(TransferTrouble(error))
            trouble.keepsBytes = trouble.keepsBytes && ledger.transfer.completed > 0
            return .broke(trouble, moved: gained > before)
        }
    }

    /// What counts as brought: what was written here, or acknowledged there.
    private var gained: Int {
        ledger.record.direction == .download ? ledger.transfer.completed : ledger.record.completed
    }

    /// A URL that has expired is renewed by who knows how; then another attempt follows.
    private func renewed(_ trouble: TransferTrouble) async -> TransferTrouble {
        guard case TransferError.expired = trouble.error, let url = try? await renew(ledger.transfer) else { return trouble }
        ledger.update { $0.move(to: url) }
        return .passing(trouble.error)
    }

    private func wait(_ delay: Duration) {
        let stopwatch = tools.startStopwatch()
        let timer = Task { [self] in
            guard (try? await stopwatch.sleep(delay)) != nil else { return }
            post(.due)
        }
        work.withLock { $0 = Work { timer.cancel() } }
    }
}

/// Whether an attempt has begun: it begins once, or it is found out once that it never will.
private final class AttemptStart: Sendable {
    private let hasBegun = Atomic(false)

    /// Says whether the caller was the first.
    func begin() -> Bool { !hasBegun.exchange(true, ordering: .relaxed) }
}
