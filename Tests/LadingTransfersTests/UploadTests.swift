import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import LadingTransfers
import ScriptedServers
import Testing

/// Uploads over real sockets from real files.
@Suite(.timeLimit(.minutes(10))) struct UploadTests {
    private let bytes = TransferFixture.sample

    private func withServer(
        _ setUp: (inout UploadServer.State) -> Void = { _ in }, _ test: (UploadServer, TransferFixture) async throws -> Void
    ) async throws {
        let server = try UploadServer(setUp)
        defer { server.stop() }
        let fixture = try TransferFixture()
        try Data(bytes).write(to: fixture.target)
        try await test(server, fixture)
    }

    @Test func `A file is uploaded in parts`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            let transfer = try await fixture.transfers.completion(of: id)

            #expect(server.seen.finished == bytes)
            #expect(server.methods.prefix(3) == ["OPTIONS", "POST", "PATCH"] && server.seen.patches > 1)
            #expect(transfer.completed == bytes.count && transfer.total == bytes.count && transfer.isResumable == true)
            #expect(server.requests.allSatisfy { $0["Upload-Draft-Interop-Version"] == "8" })
            #expect(server.requests[1]["Upload-Length"] == "\(bytes.count)")
        }
    }

    @Test func `An empty file is uploaded`() async throws {
        try await withServer { server, fixture in
            try Data().write(to: fixture.target)

            _ = try await fixture.transfers.completion(of: fixture.transfers.upload(fixture.target, to: server.url))

            #expect(server.seen.finished == [])
        }
    }

    @Test func `After a broken connection an upload resumes at the last byte received`() async throws {
        try await withServer({ $0.interruptedPatches = [1, 3] }) { server, fixture in
            _ = try await fixture.transfers.completion(of: fixture.transfers.upload(fixture.target, to: server.url))

            #expect(server.seen.finished == bytes)
            #expect(server.methods.count { $0 == "HEAD" } == 2 && server.seen.created == 1)
            let sent = server.requests.filter { $0.method == "PATCH" }.map(\.body.count).reduce(0, +)
            #expect(sent < bytes.count + 2 << 20)
        }
    }

    /// Starts an upload whose second part the server holds until the semaphore is signalled.
    private func uploadPausedMidway(_ server: UploadServer, _ fixture: TransferFixture) async throws -> (TransferID, DispatchSemaphore) {
        let (patched, report) = AsyncStream<Int>.makeStream()
        let gate = DispatchSemaphore(value: 0)
        server.change {
            $0.onPatch = { number in
                report.yield(number)
                if number == 2 { gate.wait() }
            }
        }
        let id = try await fixture.transfers.upload(fixture.target, to: server.url)
        for await number in patched where number == 2 { break }
        return (id, gate)
    }

    @Test func `Another process resumes an upload at the offset of the server`() async throws {
        try await withServer { server, fixture in
            let (id, gate) = try await uploadPausedMidway(server, fixture)
            let left = MemoryTransferJournal(try await fixture.journal.records())
            server.change { $0.onPatch = { _ in } }

            let next = try TransferFixture(journal: left, folder: fixture.folder)
            gate.signal()
            await fixture.transfers.shutDown()
            try await next.transfers.restore()
            _ = try await next.transfers.completion(of: id)

            #expect(server.seen.finished == bytes && server.seen.created == 1)
        }
    }

    @Test func `An upload that the server has lost is restarted`() async throws {
        try await withServer { server, fixture in
            server.change {
                $0.onPatch = { [weak server] number in
                    if number == 2 { server?.change { $0.parts = [:] } }
                }
            }

            _ = try await fixture.transfers.completion(of: fixture.transfers.upload(fixture.target, to: server.url))

            #expect(server.seen.finished == bytes && server.seen.created == 2)
        }
    }

    @Test func `A source that changes during the upload fails it, and the upload resource is deleted`() async throws {
        try await withServer { server, fixture in
            let file = fixture.target
            server.change {
                $0.onPatch = { number in
                    guard number == 2, let handle = try? FileHandle(forWritingTo: file) else { return }
                    _ = try? handle.seekToEnd()
                    try? handle.write(contentsOf: Data("more".utf8))
                    try? handle.close()
                }
            }
            let id = try await fixture.transfers.upload(file, to: server.url)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.sourceChanged = error { true } else { false }
            }
            #expect(server.seen.finished == nil)
            try await server.until { $0.requests.contains { $0.method == "DELETE" } }
        }
    }

    @Test func `A source that changed while the upload was paused fails it`() async throws {
        try await withServer { server, fixture in
            server.change { $0.interruptedPatches = [2] }
            let clock = ManualClock()
            let fixture = try TransferFixture(folder: fixture.folder, clock: clock)
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }
            try await fixture.transfers.pause(id)
            try Data("other".utf8).write(to: fixture.target)
            try await fixture.transfers.resume(id)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.sourceChanged = error { true } else { false }
            }
        }
    }

    @Test func `A server without resumable uploads receives the whole file, and isResumable is false`() async throws {
        try await withServer({ $0.isResumable = false }) { server, fixture in
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            let transfer = try await fixture.transfers.completion(of: id)

            #expect(server.seen.finished == bytes && server.methods == ["OPTIONS", "PUT"])
            #expect(transfer.isResumable == false)
        }
    }

    /// Starts the upload of a small file to `http://a.org/big` through an executor.
    private func smallUpload(through executor: ScriptedExecutor) async throws -> (TransferFixture, TransferID) {
        let fixture = try TransferFixture(client: BackendClient(executor: executor))
        try Data("bytes".utf8).write(to: fixture.target)
        return (fixture, try await fixture.transfers.upload(fixture.target, to: try #require(URL(string: "http://a.org/big"))))
    }

    @Test func `A file that is redirected to another path is not taken for uploaded`() async throws {
        let executor = ScriptedExecutor()
        executor.script("http://a.org/big", .response(status: .found, headers: [.location: "/login"]))
        executor.script("http://a.org/login", .response(text: "Sign in"))
        let (fixture, id) = try await smallUpload(through: executor)

        await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
            if case BackendError.status(302, _, _) = error { true } else { false }
        }
        #expect(executor.requests.map(\.method) == [.options, .put])
        #expect(Set(executor.requestedURLs) == ["http://a.org/big"])
    }

    @Test func `A resumable upload is redirected from http to https`() async throws {
        let executor = ScriptedExecutor()
        let (acceptedTypes, isComplete) = (try #require(HTTPField.Name("Accept-Patch")), try #require(HTTPField.Name("Upload-Complete")))
        executor.script("http://a.org/big", .response(status: .movedPermanently, headers: [.location: "https://a.org/big"]))
        executor.script(
            "https://a.org/big", .response(status: .noContent, headers: [acceptedTypes: "application/partial-upload"]),
            .response(status: .created, headers: [.location: "/parts/1"]))
        executor.script("https://a.org/parts/1", .response(status: .created, headers: [isComplete: "?1"]))
        let (fixture, id) = try await smallUpload(through: executor)

        _ = try await fixture.transfers.completion(of: id)

        #expect(executor.requests.map(\.method) == [.options, .options, .post, .post, .patch])
        #expect(executor.requests.last?.body.bytes == Array("bytes".utf8))
    }

    @Test func `An upload whose discovery was refused for its credentials is resumable afterwards`() async throws {
        try await withServer({ $0.refusals = ["401 Unauthorized"] }) { server, fixture in
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case BackendError.status(401, _, _) = error { true } else { false }
            }

            try await fixture.transfers.resume(id)
            let transfer = try await fixture.transfers.completion(of: id)

            #expect(server.seen.finished == bytes && transfer.isResumable == true)
            #expect(server.methods.prefix(4) == ["OPTIONS", "OPTIONS", "POST", "PATCH"])
        }
    }

    @Test func `A file larger than the limit of the server is refused before it is sent`() async throws {
        try await withServer({ $0.limit = "max-size=1000" }) { server, fixture in
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.tooLarge(_, limit: 1_000?) = error { true } else { false }
            }
            #expect(server.methods == ["OPTIONS"])
        }
    }

    @Test func `Cancelling an upload deletes the upload resource`() async throws {
        try await withServer({ $0.interruptedPatches = [2] }) { server, fixture in
            let clock = ManualClock()
            let fixture = try TransferFixture(folder: fixture.folder, clock: clock)
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }

            try await fixture.transfers.cancel(id)
            await fixture.transfers.shutDown()

            #expect(server.seen.deleted == ["/parts/1"] && server.seen.parts.isEmpty)
            #expect(fixture.bytes() == bytes)
        }
    }

    /// Returns the restored transfers of a paused upload whose server does not respond until the gate is opened.
    private func pausedUpload(
        at executor: ScriptedExecutor, behind gate: Gate, _ clock: ManualClock
    ) async throws -> (TransferFixture, TransferID) {
        let resource = try #require(URL(string: "http://a.org/parts/1"))
        executor.script(resource.absoluteString, .response(status: .noContent), behind: gate)
        var record = TransferRecord(
            id: try #require(TransferID(rawValue: "aaaaaaaa")), direction: .upload, remote: try #require(URL(string: "http://a.org/big")),
            file: URL(filePath: "/none/big.bin"), created: Date(timeIntervalSince1970: 0))
        (record.status, record.resource) = (.paused, resource)
        let fixture = try TransferFixture(
            journal: MemoryTransferJournal([record]), client: BackendClient(executor: executor), clock: clock)
        try await fixture.transfers.restore()
        return (fixture, record.id)
    }

    @Test func `A cancelled upload is cancelled in the journal before its server responds`() async throws {
        let (executor, gate) = (ScriptedExecutor(), Gate())
        let (fixture, id) = try await pausedUpload(at: executor, behind: gate, ManualClock())

        try await fixture.transfers.cancel(id)

        #expect(try await fixture.journal.record(of: id)?.status == .cancelled)
        await gate.waitForWaiters(count: 1)
        gate.open()
        await fixture.transfers.shutDown()
        #expect(executor.requests.map(\.method) == [.delete])
    }

    @Test func `A shutdown releases the journal, and waits for the server of a cancelled upload for a limited time only`() async throws {
        let (executor, gate, clock) = (ScriptedExecutor(), Gate(), ManualClock())
        let (fixture, id) = try await pausedUpload(at: executor, behind: gate, clock)
        try await fixture.transfers.cancel(id)
        await gate.waitForWaiters(count: 1)
        let start = clock.now

        let shutdown = Task { await fixture.transfers.shutDown() }
        let timer = await clock.nextTimer()
        #expect(throws: Never.self) { try fixture.journal.acquireOwnership() }
        clock.advance(by: FileTransfers.removalTimeLimit)
        await shutdown.value

        #expect(start.duration(to: timer) == FileTransfers.removalTimeLimit)
    }

    // MARK: Another URL

    @Test(arguments: [true, false]) func `An upload resumed at another URL restarts`(isResumable: Bool) async throws {
        try await withServer({ $0.interruptedPatches = [2] }) { server, fixture in
            let other = try UploadServer { $0.isResumable = isResumable }
            defer { other.stop() }
            let fixture = try TransferFixture(folder: fixture.folder, clock: ManualClock())
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }
            let request = server.requests.count

            try await fixture.transfers.resume(id, at: other.url)
            let transfer = try await fixture.transfers.completion(of: id)

            #expect(other.seen.finished == bytes && other.methods.first == "OPTIONS")
            #expect(server.seen.finished == nil && server.methods.count { $0 != "DELETE" } == request)
            #expect(transfer.remote == other.url && transfer.isResumable == isResumable && transfer.completed == bytes.count)
        }
    }

    @Test func `An upload resumed at the same URL continues`() async throws {
        try await withServer({ $0.interruptedPatches = [2] }) { server, fixture in
            let fixture = try TransferFixture(folder: fixture.folder, clock: ManualClock())
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }

            try await fixture.transfers.resume(id, at: server.url)
            _ = try await fixture.transfers.completion(of: id)

            #expect(server.seen.finished == bytes && server.seen.created == 1)
        }
    }

    @Test func `Moving an upload to another URL deletes the upload resource on the former server`() async throws {
        try await withServer({ $0.interruptedPatches = [2] }) { server, fixture in
            let other = try UploadServer()
            defer { other.stop() }
            let fixture = try TransferFixture(folder: fixture.folder, clock: ManualClock())
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }
            let resource = try #require(try await fixture.journal.record(of: id)?.resource)

            try await fixture.transfers.resume(id, at: other.url)
            _ = try await fixture.transfers.completion(of: id)
            try await server.until { $0.requests.last?.method == "DELETE" }

            #expect(server.requests.last?.target == resource.path && server.requests.last?["Upload-Draft-Interop-Version"] == "8")
            #expect(other.seen.finished == bytes && !other.methods.contains("DELETE"))
        }
    }

    @Test func `An upload moves to another URL although the former server is unreachable`() async throws {
        try await withServer({ $0.interruptedPatches = [2] }) { server, fixture in
            let other = try UploadServer()
            defer { other.stop() }
            let fixture = try TransferFixture(folder: fixture.folder, clock: ManualClock())
            let id = try await fixture.transfers.upload(fixture.target, to: server.url)
            _ = await fixture.firstUpdate(of: id) { $0.reason != nil }
            server.stop()

            try await fixture.transfers.resume(id, at: other.url)
            _ = try await fixture.transfers.completion(of: id)

            #expect(other.seen.finished == bytes)
        }
    }

    @Test func `Moving a running upload stops it and restarts it at the other URL`() async throws {
        try await withServer { server, fixture in
            let other = try UploadServer()
            defer { other.stop() }
            let (id, gate) = try await uploadPausedMidway(server, fixture)
            defer { gate.signal() }

            try await fixture.transfers.resume(id, at: other.url)
            let transfer = try await fixture.transfers.completion(of: id)

            let record = try await fixture.journal.record(of: id)
            #expect(other.seen.finished == bytes && server.seen.finished == nil)
            #expect(transfer.remote == other.url && record?.remote == other.url && record?.resource?.port == other.url.port)
        }
    }

    @Test func `A missing source fails the upload before any request`() async throws {
        try await withServer { server, fixture in
            for file in [fixture.folder.appending(path: "none"), fixture.folder] {
                let id = try await fixture.transfers.upload(file, to: server.url)

                await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                    if case TransferError.sourceUnreadable = error { true } else { false }
                }
            }
            #expect(server.requests.isEmpty)
        }
    }
}
