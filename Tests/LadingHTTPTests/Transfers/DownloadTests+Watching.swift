import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

// Observers, shutdown, and commands of other processes.
extension DownloadTests {
    @Test func `Cancelling a download removes its files and finishes all update streams`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferFixture()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            let watchers = [stage.transfers.updates(of: id), stage.transfers.updates(of: id)]
            _ = await stage.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try await stage.transfers.cancel(id)

            for watcher in watchers {
                var last: TransferStatus?
                for await transfer in watcher { last = transfer.status }
                #expect(last == .cancelled)
            }
            #expect(stage.fileNames == [])
            #expect(try await stage.journal.record(of: id)?.status == .cancelled)
        }
    }

    @Test func `After a shutdown a download is pending in the journal`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferFixture()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.firstUpdate(of: id) { $0.completed == 2_000_000 }

            await stage.transfers.shutdown()

            let record = try await stage.journal.record(of: id)
            #expect(record?.status == .pending && record?.completed == 2_000_000)
        }
    }

    @Test func `A shutdown in a cancelled task owns the journal until the attempt has ended`() async throws {
        try await withServer { server in
            let executor = UncancellableExecutor()
            let stage = try TransferFixture(client: BackendClient(executor: executor))
            let id = try await stage.transfers.download(server.url, to: stage.target)
            await executor.gate.waitForWaiters(count: 1)

            let shutdown = Task { await stage.transfers.shutdown() }
            shutdown.cancel()
            try await executor.cancelled.wait()
            // A whole download takes longer than a shutdown that does not wait.
            let other = try TransferFixture()
            _ = try await other.transfers.completion(of: other.transfers.download(server.url, to: other.target))

            #expect(throws: TransferError.self) { try stage.journal.acquireOwnership() }
            executor.gate.open()
            await shutdown.value
            #expect(try await stage.journal.record(of: id)?.status == .pending)
            #expect(throws: Never.self) { try stage.journal.acquireOwnership() }
        }
    }

    @Test func `The owner of the journal runs commands from other processes`() async throws {
        try await withServer { server in
            let clock = ManualClock()
            let stage = try TransferFixture(clock: clock)
            var random = SeededRandom(seed: 7)
            let record = TransferRecord(
                id: TransferID(using: &random), direction: .download, remote: server.url, file: stage.target,
                created: Date(timeIntervalSince1970: 0))
            try await stage.journal.save(record)
            try await stage.journal.post(TransferCommand(.resume, record.id))

            let attending = Task { try await stage.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            _ = try await stage.transfers.completion(of: record.id)
            attending.cancel()

            #expect(stage.bytes() == bytes)
            #expect(try await stage.journal.consumeCommands() == [])
        }
    }

    @Test(arguments: [true, false]) func `The last command decides whether the target is replaced`(replaces: Bool) async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let clock = ManualClock()
            let stage = try TransferFixture(clock: clock)
            let id = try await stage.transfers.download(server.url, to: stage.target, replacing: !replaces)
            _ = await stage.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try Data("mine".utf8).write(to: stage.target)
            try await stage.journal.post(TransferCommand(replaces ? .replaceTarget : .preserveTarget, id))

            let attending = Task { try await stage.transfers.runQueuedCommands() }
            _ = await clock.nextTimer()
            server.proceed()
            let transfer = await stage.firstUpdate(of: id) { [.finished, .failed].contains($0.status) }
            attending.cancel()

            let (status, content): (TransferStatus, [UInt8]) = replaces ? (.finished, bytes) : (.failed, Array("mine".utf8))
            #expect(transfer?.status == status && stage.bytes() == content)
            #expect(try await stage.journal.record(of: id)?.replacesTarget == replaces)
        }
    }

    @Test func `A command is saved to the journal before the next attempt`() async throws {
        // An attempt without a response writes nothing.
        let server = try ScriptedServer { _ in [.pause] }
        defer { server.stop() }
        let stage = try TransferFixture(clock: ManualClock())
        var random = SeededRandom(seed: 7)
        var record = TransferRecord(
            id: TransferID(using: &random), direction: .download, remote: server.url(), file: stage.target,
            created: Date(timeIntervalSince1970: 0))
        record.status = .paused
        try await stage.journal.save(record)
        for kind in [TransferCommand.Kind.replaceTarget, .resume] { try await stage.journal.post(TransferCommand(kind, record.id)) }

        let attending = Task { try await stage.transfers.runQueuedCommands() }
        try await server.wait { !$0.requests.isEmpty }
        let written = try await stage.journal.record(of: record.id)
        attending.cancel()
        await stage.transfers.shutdown()

        #expect(written?.replacesTarget == true && written?.status == .pending)
    }

    @Test func `Pausing an unknown transfer throws, and its update stream is empty`() async throws {
        let stage = try TransferFixture()
        let id = try #require(TransferID(rawValue: "abcdefgh"))

        await #expect(throws: TransferError.self) { try await stage.transfers.pause(id) }
        for await _ in stage.transfers.updates(of: id) { Issue.record("an update of nothing") }
        #expect(TransferID(rawValue: "../../../a") == nil && TransferID(rawValue: "abcdefgl") == nil)
    }
}

/// An executor that ends a cancelled exchange only when its gate is opened.
private struct UncancellableExecutor: BackendExecutor {
    let gate = Gate()
    /// Opened when an exchange is cancelled.
    let cancelled = Gate()

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        await withTaskCancellationHandler {
            _ = await Task { try? await gate.wait() }.value
        } onCancel: {
            cancelled.open()
        }
        throw CancellationError()
    }
}
