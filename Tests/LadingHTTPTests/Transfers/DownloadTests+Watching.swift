import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import Testing

// Transfers that several watch, shut down or wish for.
extension DownloadTests {
    @Test func `Cancelled it leaves nothing, and everybody who watches is told`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            let watchers = [stage.transfers.updates(of: id), stage.transfers.updates(of: id)]
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            try await stage.transfers.cancel(id)

            for watcher in watchers {
                var last: TransferStatus?
                for await transfer in watcher { last = transfer.status }
                #expect(last == .cancelled)
            }
            #expect(stage.names == [])
            #expect(try await stage.journal.record(of: id)?.status == .cancelled)
        }
    }

    @Test func `Shut down it is left to the next program`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            await stage.transfers.shutdown()

            let record = try await stage.journal.record(of: id)
            #expect(record?.status == .pending && record?.completed == 2_000_000)
        }
    }

    @Test func `Shut down from a cancelled task it owns the journal until the attempt has ended`() async throws {
        try await serving { server in
            let executor = UncancellableExecutor()
            let stage = try TransferStage(client: BackendClient(executor: executor))
            let id = try await stage.transfers.download(server.url, to: stage.target)
            await executor.gate.waiting(for: 1)

            let shutdown = Task { await stage.transfers.shutdown() }
            shutdown.cancel()
            try await executor.cancelled.pass()
            // A whole download takes longer than a shutdown that waits for nothing.
            let other = try TransferStage()
            _ = try await other.transfers.finish(of: other.transfers.download(server.url, to: other.target))

            #expect(throws: TransferError.self) { try stage.journal.acquireOwnership() }
            executor.gate.open()
            await shutdown.value
            #expect(try await stage.journal.record(of: id)?.status == .pending)
            #expect(throws: Never.self) { try stage.journal.acquireOwnership() }
        }
    }

    @Test func `Wishes of other programs are granted`() async throws {
        try await serving { server in
            let clock = ManualClock()
            let stage = try TransferStage(clock: clock)
            var random = SeededRandom(seed: 7)
            let record = TransferRecord(
                id: TransferID(using: &random), direction: .download, remote: server.url, file: stage.target,
                created: Date(timeIntervalSince1970: 0))
            try await stage.journal.save(record)
            try await stage.journal.post(TransferWish(.resume, record.id))

            let attending = Task { try await stage.transfers.attend() }
            _ = await clock.nextTimer()
            _ = try await stage.transfers.finish(of: record.id)
            attending.cancel()

            #expect(stage.bytes() == bytes)
            #expect(try await stage.journal.takeWishes() == [])
        }
    }

    @Test(arguments: [true, false]) func `Whether a file is replaced is as it was wished last`(replaces: Bool) async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let clock = ManualClock()
            let stage = try TransferStage(clock: clock)
            let id = try await stage.transfers.download(server.url, to: stage.target, replacing: !replaces)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            try Data("mine".utf8).write(to: stage.target)
            try await stage.journal.post(TransferWish(replaces ? .replace : .keep, id))

            let attending = Task { try await stage.transfers.attend() }
            _ = await clock.nextTimer()
            server.proceed()
            let transfer = await stage.until(id) { [.finished, .failed].contains($0.status) }
            attending.cancel()

            let (status, content): (TransferStatus, [UInt8]) = replaces ? (.finished, bytes) : (.failed, Array("mine".utf8))
            #expect(transfer?.status == status && stage.bytes() == content)
            #expect(try await stage.journal.record(of: id)?.replaces == replaces)
        }
    }

    @Test func `A wish is in the journal before the next attempt`() async throws {
        // An attempt that gets no answer writes nothing.
        let server = try ScriptedServer { _ in [.pause] }
        defer { server.stop() }
        let stage = try TransferStage(clock: ManualClock())
        var random = SeededRandom(seed: 7)
        var record = TransferRecord(
            id: TransferID(using: &random), direction: .download, remote: server.url(), file: stage.target,
            created: Date(timeIntervalSince1970: 0))
        record.status = .paused
        try await stage.journal.save(record)
        for kind in [TransferWish.Kind.replace, .resume] { try await stage.journal.post(TransferWish(kind, record.id)) }

        let attending = Task { try await stage.transfers.attend() }
        try await server.until { !$0.requests.isEmpty }
        let written = try await stage.journal.record(of: record.id)
        attending.cancel()
        await stage.transfers.shutdown()

        #expect(written?.replaces == true && written?.status == .pending)
    }

    @Test func `Nobody can be told about a transfer that is not there`() async throws {
        let stage = try TransferStage()
        let id = try #require(TransferID(rawValue: "abcdefgh"))

        await #expect(throws: TransferError.self) { try await stage.transfers.pause(id) }
        for await _ in stage.transfers.updates(of: id) { Issue.record("an update of nothing") }
        #expect(TransferID(rawValue: "../../../a") == nil && TransferID(rawValue: "abcdefgl") == nil)
    }
}

/// Ends a cancelled exchange only when its gate is opened.
private struct UncancellableExecutor: BackendExecutor {
    let gate = Gate()
    /// Opened when an exchange is cancelled.
    let cancelled = Gate()

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        await withTaskCancellationHandler {
            _ = await Task { try? await gate.pass() }.value
        } onCancel: {
            cancelled.open()
        }
        throw CancellationError()
    }
}
