import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import ScriptedServers
import Synchronization
import Testing

// Observers, shutdown, and commands of other processes.
extension DownloadTests {
    @Test func `The progress of a transfer counts bytes and ends with the transfer`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let progress = fixture.transfers.progress(of: id)

            for await update in progress.updates(every: .zero) where update.completed == 2_000_000 { break }
            #expect(progress.snapshot == .init(completed: 2_000_000, total: bytes.count))
            server.proceed()
            for await _ in progress.updates(every: .zero) {}

            #expect(progress.snapshot == .init(completed: bytes.count, total: bytes.count))
            #expect(fixture.transfers.progress(of: id) === progress)
        }
    }

    @Test func `The progress of a transfer ends without completing when it is cancelled, and with shutdown`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000, 2_000_000])) { server in
            let fixture = try TransferFixture()
            let cancelled = try await fixture.transfers.download(server.url, to: fixture.target)
            let released = try await fixture.transfers.download(server.url, to: fixture.folder.appending(path: "other.bin"))
            let progress = [cancelled, released].map { fixture.transfers.progress(of: $0) }

            try await fixture.transfers.cancel(cancelled)
            for await _ in progress[0].updates(every: .zero) {}
            await fixture.transfers.shutDown()
            for await _ in progress[1].updates(every: .zero) {}

            #expect(progress.allSatisfy { $0.snapshot.fraction != 1 })
            let late = fixture.transfers.progress(of: released)
            for await _ in late.updates(every: .zero) {}
        }
    }

    @Test func `The progress of a finished or unknown transfer has ended`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = try await fixture.transfers.completion(of: id)

            let finished = fixture.transfers.progress(of: id)
            for await _ in finished.updates(every: .zero) {}
            for await _ in fixture.transfers.progress(of: try #require(TransferID(rawValue: "aaaaaaaa"))).updates(every: .zero) {}

            #expect(finished.snapshot == .init(completed: bytes.count, total: bytes.count))
        }
    }

    @Test func `Cancelling a download removes its files and finishes all update streams`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let observers = [fixture.transfers.updates(of: id), fixture.transfers.updates(of: id)]
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try await fixture.transfers.cancel(id)

            for observer in observers {
                var last: TransferStatus?
                for await transfer in observer { last = transfer.status }
                #expect(last == .cancelled)
            }
            #expect(fixture.fileNames == [])
            #expect(try await fixture.journal.record(of: id)?.status == .cancelled)
        }
    }

    @Test func `After a shutdown a download is pending in the journal`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            await fixture.transfers.shutDown()

            let record = try await fixture.journal.record(of: id)
            #expect(record?.status == .pending && record?.completed == 2_000_000)
        }
    }

    @Test func `A download whose queue is cancelled ends its completion, and can be resumed`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            fixture.queue.cancelAll()
            await #expect(throws: CancellationError.self) { try await fixture.transfers.completion(of: id) }
            let record = try await fixture.journal.record(of: id)
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(record?.status == .pending && record?.completed == 2_000_000)
            #expect(fixture.bytes() == bytes && server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `A shutdown in a cancelled task owns the journal until the attempt has ended`() async throws {
        try await withServer { server in
            let executor = UncancellableExecutor()
            let fixture = try TransferFixture(client: BackendClient(executor: executor))
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            await executor.gate.waitForWaiters(count: 1)

            let shutdown = Task { await fixture.transfers.shutDown() }
            shutdown.cancel()
            try await executor.cancelled.wait()
            // A whole download takes longer than a shutdown that does not wait.
            let other = try TransferFixture()
            _ = try await other.transfers.completion(of: other.transfers.download(server.url, to: other.target))

            #expect(throws: TransferError.self) { try fixture.journal.acquireOwnership() }
            executor.gate.open()
            await shutdown.value
            #expect(try await fixture.journal.record(of: id)?.status == .pending)
            #expect(throws: Never.self) { try fixture.journal.acquireOwnership() }
        }
    }

    @Test func `A command during a shutdown starts no further attempt`() async throws {
        let executor = UncancellableExecutor()
        let fixture = try TransferFixture(client: BackendClient(executor: executor))
        let id = try await fixture.transfers.download(try #require(URL(string: "http://a.org/big.bin")), to: fixture.target)
        await executor.gate.waitForWaiters(count: 1)

        let shutdown = Task { await fixture.transfers.shutDown() }
        try await executor.cancelled.wait()
        try await fixture.transfers.resume(id)
        executor.gate.open()
        await shutdown.value
        await fixture.queue.waitUntilIdle()

        #expect(executor.exchangeCount == 1)
        #expect(try await fixture.journal.record(of: id)?.status == .pending)
    }

    @Test func `A command of another program during a shutdown waits for the next owner`() async throws {
        let (executor, clock) = (UncancellableExecutor(), ManualClock())
        let fixture = try TransferFixture(client: BackendClient(executor: executor), clock: clock)
        let id = try await fixture.transfers.download(try #require(URL(string: "http://a.org/big.bin")), to: fixture.target)
        await executor.gate.waitForWaiters(count: 1)
        let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
        _ = await clock.nextTimer()

        let shutdown = Task { await fixture.transfers.shutDown() }
        try await executor.cancelled.wait()
        try await fixture.journal.post(TransferCommand(.cancel, id))
        clock.advance(by: .seconds(60))
        try await commandTask.value
        executor.gate.open()
        await shutdown.value

        #expect(try await fixture.journal.consumeCommands().map(\.kind) == [.cancel])
    }

    @Test func `Commands that a shutdown does not accept are posted again for the next owner`() async throws {
        let (executor, journal, fixture) = (UncancellableExecutor(), GatedTransferJournal(), try TransferFixture())
        let transfers = FileTransfers(
            client: BackendClient(executor: executor), queue: BackendQueue(), journal: journal, clock: ManualClock())
        let id = try await transfers.download(try #require(URL(string: "http://a.org/big.bin")), to: fixture.target)
        await executor.gate.waitForWaiters(count: 1)
        let commands = [TransferCommand(.pause, id), TransferCommand(.cancel, id)]
        for command in commands { try await journal.post(command) }
        let commandTask = Task { try await transfers.runQueuedCommands() }
        await journal.gate.waitForWaiters(count: 1)

        let shutdown = Task { await transfers.shutDown() }
        try await executor.cancelled.wait()
        journal.gate.open()
        executor.gate.open()
        await shutdown.value
        commandTask.cancel()

        #expect(try await journal.base.consumeCommands() == commands)
        #expect(try await journal.base.record(of: id)?.status == .pending)
    }

    @Test func `A performed command is not in the journal after a shutdown, although its task was cancelled`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture(clock: ManualClock())
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try await fixture.journal.post(TransferCommand(.pause, id))

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            _ = await fixture.firstUpdate(of: id) { $0.status == .paused }
            commandTask.cancel()
            await fixture.transfers.shutDown()

            #expect(try await fixture.journal.consumeCommands() == [])
            #expect(try await fixture.journal.record(of: id)?.status == .paused)
        }
    }

    @Test func `A command whose effect cannot be written to the journal is performed again later`() async throws {
        var record = TransferRecord(
            id: try #require(TransferID(rawValue: "aaaaaaaa")), direction: .download, remote: try #require(URL(string: "http://a.org/")),
            file: URL(filePath: "/none/a"), created: Date(timeIntervalSince1970: 0))
        record.status = .paused
        let journal = MemoryTransferJournal([record])
        let fixture = try TransferFixture(journal: journal, clock: ManualClock())
        try await fixture.transfers.restore()
        try await journal.post(TransferCommand(.cancel, record.id))

        journal.fail(with: CocoaError(.fileWriteOutOfSpace))
        await #expect(throws: CocoaError.self) { try await fixture.transfers.runQueuedCommands() }
        #expect(try await journal.record(of: record.id)?.status == .paused)
        journal.fail(with: nil)
        let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
        try await journal.wait(for: record.id) { $0.status == .cancelled }
        commandTask.cancel()
        await fixture.transfers.shutDown()

        #expect(try await journal.consumeCommands() == [])
    }

    @Test func `The owner of the journal runs commands from other processes`() async throws {
        try await withServer { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            var random = SeededRandom(seed: 7)
            let record = TransferRecord(
                id: TransferID(using: &random), direction: .download, remote: server.url, file: fixture.target,
                created: Date(timeIntervalSince1970: 0))
            try await fixture.journal.save(record)
            try await fixture.journal.post(TransferCommand(.resume, record.id))

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            _ = try await fixture.transfers.completion(of: record.id)
            commandTask.cancel()

            #expect(fixture.bytes() == bytes)
            #expect(try await fixture.journal.consumeCommands() == [])
        }
    }

    @Test(arguments: [true, false]) func `The last command decides whether the target is replaced`(replaces: Bool) async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            let id = try await fixture.transfers.download(server.url, to: fixture.target, replacing: !replaces)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try Data("mine".utf8).write(to: fixture.target)
            try await fixture.journal.post(TransferCommand(replaces ? .replaceTarget : .retainTarget, id))

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            server.proceed()
            let transfer = await fixture.firstUpdate(of: id) { [.finished, .failed].contains($0.status) }
            commandTask.cancel()

            let (status, content): (TransferStatus, [UInt8]) = replaces ? (.finished, bytes) : (.failed, Array("mine".utf8))
            #expect(transfer?.status == status && fixture.bytes() == content)
            #expect(try await fixture.journal.record(of: id)?.replacesTarget == replaces)
        }
    }

    @Test(arguments: [[.resume], [.replaceTarget, .resume]] as [[TransferCommand.Kind]])
    func `A command is saved to the journal before the next attempt`(kinds: [TransferCommand.Kind]) async throws {
        try await withSilentServer { server in
            let fixture = try TransferFixture(clock: ManualClock())
            let id = try await pausedDownload(server.url(), fixture)
            for kind in kinds { try await fixture.journal.post(TransferCommand(kind, id)) }

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            try await server.wait { !$0.requests.isEmpty }
            let written = try await fixture.journal.record(of: id)
            commandTask.cancel()
            await fixture.transfers.shutDown()

            #expect(written?.replacesTarget == kinds.contains(.replaceTarget) && written?.status == .pending)
        }
    }

    @Test(arguments: [false, true])
    func `The permission to replace the target is in the journal when its command is not any more`(isRunning: Bool) async throws {
        try await withSilentServer { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            let id = try await pausedDownload(server.url(), fixture)
            if isRunning {
                try await fixture.transfers.resume(id)
                try await server.wait { !$0.requests.isEmpty }
            }
            try await fixture.journal.post(TransferCommand(.replaceTarget, id))

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            let (written, left) = (try await fixture.journal.record(of: id), try await fixture.journal.consumeCommands())
            commandTask.cancel()
            await fixture.transfers.shutDown()

            #expect(written?.replacesTarget == true && left == [])
        }
    }

    @Test func `A new URL is in the journal when its command is not any more, although an attempt uses the former one`() async throws {
        try await withSilentServer { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            let id = try await pausedDownload(server.url(), fixture)
            try await fixture.transfers.resume(id)
            try await server.wait { !$0.requests.isEmpty }
            try await fixture.journal.post(TransferCommand(.resume, id, at: server.url("/moved")))

            let commandTask = Task { try await fixture.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            let (written, left) = (try await fixture.journal.record(of: id), try await fixture.journal.consumeCommands())
            commandTask.cancel()
            await fixture.transfers.shutDown()

            #expect(written?.remote == server.url("/moved") && left == [])
        }
    }

    /// Runs a test with a server that never responds: an attempt writes nothing to the journal.
    private func withSilentServer(_ test: (ScriptedServer) async throws -> Void) async throws {
        let server = try ScriptedServer { _ in [.pause] }
        defer { server.stop() }
        try await test(server)
    }

    /// Restores a paused download to the target of the fixture; returns its id.
    private func pausedDownload(_ url: URL, _ fixture: TransferFixture) async throws -> TransferID {
        var random = SeededRandom(seed: 7)
        var record = TransferRecord(
            id: TransferID(using: &random), direction: .download, remote: url, file: fixture.target,
            created: Date(timeIntervalSince1970: 0))
        record.status = .paused
        try await fixture.journal.save(record)
        try await fixture.transfers.restore()
        return record.id
    }

    @Test func `Pausing an unknown transfer throws, and its update stream is empty`() async throws {
        let fixture = try TransferFixture()
        let id = try #require(TransferID(rawValue: "abcdefgh"))

        await #expect(throws: TransferError.self) { try await fixture.transfers.pause(id) }
        for await _ in fixture.transfers.updates(of: id) { Issue.record("an update of nothing") }
        #expect(TransferID(rawValue: "../../../a") == nil && TransferID(rawValue: "abcdefgl") == nil)
    }
}

/// An executor that ends a cancelled exchange only when its gate is opened.
private final class UncancellableExecutor: BackendExecutor {
    let gate = Gate()
    /// Opened when an exchange is cancelled.
    let cancelled = Gate()
    private let exchanges = Mutex(0)

    var exchangeCount: Int { exchanges.withLock { $0 } }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        exchanges.withLock { $0 += 1 }
        await withTaskCancellationHandler {
            _ = await Task { [gate] in try? await gate.wait() }.value
        } onCancel: {
            cancelled.open()
        }
        throw CancellationError()
    }
}
