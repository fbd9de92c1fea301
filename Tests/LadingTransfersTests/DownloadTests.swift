import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import LadingTransfers
import ScriptedServers
import Testing

/// Downloads over real sockets to real files.
@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    let bytes = TransferFixture.sample

    func withServer(_ settings: FileServer.Settings, _ test: (FileServer) async throws -> Void) async throws {
        let server = try FileServer(settings)
        defer { server.stop() }
        try await test(server)
    }

    func withServer(_ test: (FileServer) async throws -> Void) async throws {
        try await withServer(FileServer.Settings(bytes: bytes), test)
    }

    // MARK: Whole files

    @Test func `A finished download leaves only the target file`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture()

            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let transfer = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes)
            #expect(fixture.fileNames == ["big.bin"])
            #expect(transfer.status == .finished && transfer.completed == bytes.count && transfer.total == bytes.count)
            #expect(transfer.isResumable == true)
            #expect(try await fixture.journal.record(of: id)?.status == .finished)
            #expect(server.requests.first?["Accept-Encoding"] == "identity")
        }
    }

    @Test func `An empty file is downloaded`() async throws {
        try await withServer(FileServer.Settings(bytes: [])) { server in
            let fixture = try TransferFixture()

            _ = try await fixture.transfers.completion(of: fixture.transfers.download(server.url, to: fixture.target))

            #expect(fixture.bytes() == [] && fixture.fileNames == ["big.bin"])
        }
    }

    @Test func `Transfers run in a lane of their own, apart from other requests to the same server`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            let lanes = fixture.queue.lanes.filter { $0.running > 0 }.map(\.lane)
            await fixture.transfers.shutDown()

            let host = try #require(server.url.host())
            let port = try #require(server.url.port)
            #expect(lanes == [.network("\(host):\(port) transfers")])
        }
    }

    // MARK: Resuming

    @Test func `After a broken connection a download resumes at the last byte received`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, hangUpOffsets: [1_000_000, 500_000, 0])) { server in
            let fixture = try TransferFixture()

            _ = try await fixture.transfers.completion(of: fixture.transfers.download(server.url, to: fixture.target))

            #expect(fixture.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1500000-", "bytes=1500000-"])
            #expect(server.requests[1]["If-Range"] == "\"one\"")
        }
    }

    @Test func `A paused download retains its partial file and resumes from it`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try await fixture.transfers.pause(id)
            let paused = await fixture.firstUpdate(of: id) { $0.status == .paused }
            let names = fixture.fileNames
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(paused?.completed == 2_000_000 && paused?.isResumable == true)
            #expect(names == [".big.bin.\(id).part"])
            #expect(fixture.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `Another process resumes a download from the part file`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            // A killed process leaves the journal as it is at this moment.
            let left = MemoryTransferJournal(try await fixture.journal.records())

            let next = try TransferFixture(journal: left, folder: fixture.folder)
            await fixture.transfers.shutDown()
            try await next.transfers.restore()
            _ = try await next.transfers.completion(of: id)

            #expect(next.bytes() == bytes)
            #expect(next.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `After a reboot a download resumes from the synced bytes only`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try await fixture.journal.wait(for: id) { $0.completed > 0 }
            await fixture.transfers.shutDown()
            var record = try #require(try await fixture.journal.record(of: id))
            record.completed = 1_000_000
            let left = MemoryTransferJournal([record])

            let next = try TransferFixture(journal: left, folder: fixture.folder, bootID: "another")
            try await next.transfers.restore()
            _ = try await next.transfers.completion(of: id)

            #expect(next.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test func `A published file is not downloaded again when the process was killed before it saved the status`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = try await fixture.transfers.completion(of: id)
            var record = try #require(try await fixture.journal.record(of: id))
            record.status = .running

            let next = try TransferFixture(journal: MemoryTransferJournal([record]), folder: fixture.folder)
            try await next.transfers.restore()
            let transfer = try await next.transfers.completion(of: id)

            #expect(transfer.status == .finished)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `A download restarts when the file on the server has changed`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, hangUpOffsets: [1_000_000])) { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.status == .pending && $0.completed == 1_000_000 }
            let other = TransferFixture.sample(2_000_000, seed: 2)
            server.change {
                $0.bytes = other
                $0.tag = "\"two\""
            }

            _ = await clock.nextTimer()
            clock.advance(by: .seconds(60))
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == other)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test(arguments: [("\"one\"", false), ("W/\"one\"", true), (String?.none, true)])
    func `Without ranges or a strong validator a download restarts, and isResumable is false beforehand`(tag: String?, takesRanges: Bool)
        async throws
    {
        try await withServer(FileServer.Settings(bytes: bytes, tag: tag, supportsRanges: takesRanges, pauses: [2_000_000])) { server in
            if !takesRanges { server.change { $0.fields = ["Accept-Ranges: none"] } }
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let running = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try await fixture.transfers.pause(id)
            _ = await fixture.firstUpdate(of: id) { $0.status == .paused }
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(running?.isResumable == false)
            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `An expired URL is refreshed without losing bytes`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, hangUpOffsets: [1_000_000])) { server in
            let refreshed = server.url.appending(queryItems: [URLQueryItem(name: "signature", value: "new")])
            let fixture = try TransferFixture { _ in refreshed }
            server.change { $0.hangUpOffsets = [1_000_000] }
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 1_000_000 }
            server.change { $0.statuses = [403] }

            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes)
            #expect(server.ranges.last == "bytes=1000000-" || server.requests.count == 2)
            #expect(server.requests.last?.target.hasSuffix("signature=new") == true || server.requests.count == 2)
        }
    }

    @Test(arguments: [400, 401, 403, 404, 410]) func `A URL that has expired before the first byte is refreshed`(status: Int) async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [status])) { server in
            let refreshed = server.url.appending(queryItems: [URLQueryItem(name: "signature", value: "new")])
            let fixture = try TransferFixture { _ in refreshed }

            _ = try await fixture.transfers.completion(of: fixture.transfers.download(server.url, to: fixture.target))

            #expect(fixture.bytes() == bytes)
            #expect(server.requests.map(\.target) == ["/files/big", "/files/big?signature=new"])
        }
    }

    @Test func `An expired URL can be replaced when the transfer is resumed`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [1_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 1_000_000 }
            try await fixture.transfers.pause(id)
            _ = await fixture.firstUpdate(of: id) { $0.status == .paused }
            server.change { $0.statuses = [410] }
            try await fixture.transfers.resume(id)
            let failed = await fixture.firstUpdate(of: id) { $0.status == .failed }

            try await fixture.transfers.resume(id, at: server.url.appending(path: "again"))
            _ = try await fixture.transfers.completion(of: id)

            guard case TransferError.expired(_, 410)? = failed?.error else { throw failed?.error ?? CancellationError() }
            #expect(fixture.bytes() == bytes)
            #expect(server.requests.map(\.target) == ["/files/big", "/files/big", "/files/big/again"])
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1000000-"])
        }
    }

    @Test func `Another version of the file at another URL is downloaded whole`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [1_000_000])) { server in
            let newer = TransferFixture.sample(2_000_000, seed: 2)
            try await withServer(FileServer.Settings(bytes: newer, tag: "\"two\"")) { other in
                let fixture = try TransferFixture()
                let id = try await fixture.transfers.download(server.url, to: fixture.target)
                _ = await fixture.firstUpdate(of: id) { $0.completed == 1_000_000 }
                try await fixture.transfers.pause(id)
                _ = await fixture.firstUpdate(of: id) { $0.status == .paused }

                try await fixture.transfers.resume(id, at: other.url)
                _ = try await fixture.transfers.completion(of: id)

                #expect(fixture.bytes() == newer)
                #expect(other.ranges == ["bytes=1000000-"] && other.requests.first?["If-Range"] == "\"one\"")
            }
        }
    }

    @Test func `A token rejected during a download is refreshed, and the download resumes`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, hangUpOffsets: [1_000_000])) { server in
            let token = BearerTokenInterceptor(for: [server.url], token: "old") { _ in "new" }
            let fixture = try TransferFixture(
                client: BackendClient(executor: URLSessionExecutor(), interceptors: [token]), clock: ManualClock())
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.status == .pending && $0.completed == 1_000_000 }
            server.change { $0.statuses = [401] }

            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes)
            #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer old", "Bearer new"])
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1000000-"])
        }
    }

    @Test func `While the circuit is open a transfer waits and reports the reason`() async throws {
        try await withServer { server in
            let clock = ManualClock()
            let control = RetryControl(circuit: CircuitLimits(minimumOutcomes: 1, openDuration: .seconds(20)), clock: clock)
            control.end(try control.admit(RequestMessage(url: server.url)), with: .success(.badGateway))
            let fixture = try TransferFixture(client: BackendClient(executor: URLSessionExecutor(), retries: control), clock: clock)
            let start = clock.now

            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let waiting = await fixture.firstUpdate(of: id) { $0.reason != nil }
            let timer = await clock.nextTimer()
            #expect(start.duration(to: timer) == .seconds(20) && server.requests.isEmpty)
            clock.advance(by: .seconds(20))
            _ = try await fixture.transfers.completion(of: id)

            #expect(waiting?.status == .pending && waiting?.reason?.contains("paused after repeated failures") == true)
            #expect(fixture.bytes() == bytes)
        }
    }
}
