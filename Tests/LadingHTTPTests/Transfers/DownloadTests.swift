import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// Downloads over real sockets to real files.
@Suite(.timeLimit(.minutes(10))) struct DownloadTests {
    let bytes = TransferStage.sample

    func serving(_ settings: FileServer.Settings, _ test: (FileServer) async throws -> Void) async throws {
        let server = try FileServer(settings)
        defer { server.stop() }
        try await test(server)
    }

    func serving(_ test: (FileServer) async throws -> Void) async throws {
        try await serving(FileServer.Settings(bytes: bytes), test)
    }

    // MARK: Whole files

    @Test func `A file comes whole, and nothing lies beside it`() async throws {
        try await serving { server in
            let stage = try TransferStage()

            let id = try await stage.transfers.download(server.url, to: stage.target)
            let transfer = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes)
            #expect(stage.names == ["big.bin"])
            #expect(transfer.status == .finished && transfer.completed == bytes.count && transfer.total == bytes.count)
            #expect(transfer.isResumable == true)
            #expect(try await stage.journal.record(of: id)?.status == .finished)
            #expect(server.requests.first?["Accept-Encoding"] == "identity")
        }
    }

    @Test func `An empty file comes, too`() async throws {
        try await serving(FileServer.Settings(bytes: [])) { server in
            let stage = try TransferStage()

            _ = try await stage.transfers.finish(of: stage.transfers.download(server.url, to: stage.target))

            #expect(stage.bytes() == [] && stage.names == ["big.bin"])
        }
    }

    @Test func `A file is transferred beside the lane of the documents of its server`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            let lanes = stage.queue.lanes.filter { $0.running > 0 }.map(\.lane)
            await stage.transfers.shutdown()

            let host = try #require(server.url.host())
            let port = try #require(server.url.port)
            #expect(lanes == [.network("\(host):\(port) transfers")])
        }
    }

    // MARK: Going on

    @Test func `A connection that breaks costs nothing that has arrived`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, cuts: [1_000_000, 500_000, 0])) { server in
            let stage = try TransferStage()

            _ = try await stage.transfers.finish(of: stage.transfers.download(server.url, to: stage.target))

            #expect(stage.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1500000-", "bytes=1500000-"])
            #expect(server.requests[1]["If-Range"] == "\"one\"")
        }
    }

    @Test func `Paused it stays as it is, resumed it goes on`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            try await stage.transfers.pause(id)
            let paused = await stage.until(id) { $0.status == .paused }
            let names = stage.names
            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(paused?.completed == 2_000_000 && paused?.isResumable == true)
            #expect(names == [".big.bin.\(id).part"])
            #expect(stage.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `Another process goes on from what is in the file`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            // What the journal says at this moment is what a killed process leaves.
            let left = ManualJournal(try await stage.journal.records())

            let next = try TransferStage(journal: left, folder: stage.folder)
            await stage.transfers.shutdown()
            try await next.transfers.restore()
            _ = try await next.transfers.finish(of: id)

            #expect(next.bytes() == bytes)
            #expect(next.names == ["big.bin"])
            #expect(server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `After a new start of the machine only what was synced counts`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            try await stage.journal.until(id) { $0.completed > 0 }
            await stage.transfers.shutdown()
            var record = try #require(try await stage.journal.record(of: id))
            record.completed = 1_000_000
            let left = ManualJournal([record])

            let next = try TransferStage(journal: left, folder: stage.folder, boot: "another")
            try await next.transfers.restore()
            _ = try await next.transfers.finish(of: id)

            #expect(next.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test func `A file that was named before the process could write so is not fetched again`() async throws {
        try await serving { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = try await stage.transfers.finish(of: id)
            var record = try #require(try await stage.journal.record(of: id))
            record.status = .running

            let next = try TransferStage(journal: ManualJournal([record]), folder: stage.folder)
            try await next.transfers.restore()
            let transfer = try await next.transfers.finish(of: id)

            #expect(transfer.status == .finished)
            #expect(server.requests.count == 1)
        }
    }

    @Test func `A file that has changed begins again`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, cuts: [1_000_000])) { server in
            let clock = ManualClock()
            let stage = try TransferStage(clock: clock)
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.status == .pending && $0.completed == 1_000_000 }
            let other = TransferStage.sample(2_000_000, seed: 2)
            server.change {
                $0.bytes = other
                $0.tag = "\"two\""
            }

            _ = await clock.nextTimer()
            clock.advance(by: .seconds(60))
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == other)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test(arguments: [("\"one\"", false), ("W/\"one\"", true), (String?.none, true)])
    func `Without ranges or a strong validator it begins again, and says so before`(tag: String?, takesRanges: Bool) async throws {
        try await serving(FileServer.Settings(bytes: bytes, tag: tag, takesRanges: takesRanges, pauses: [2_000_000])) { server in
            if !takesRanges { server.change { $0.fields = ["Accept-Ranges: none"] } }
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            let running = await stage.until(id) { $0.completed == 2_000_000 }

            try await stage.transfers.pause(id)
            _ = await stage.until(id) { $0.status == .paused }
            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(running?.isResumable == false)
            #expect(stage.bytes() == bytes && stage.names == ["big.bin"])
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `An address that has expired is renewed without losing bytes`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, cuts: [1_000_000])) { server in
            let renewed = server.url.appending(queryItems: [URLQueryItem(name: "signature", value: "new")])
            let stage = try TransferStage { _ in renewed }
            server.change { $0.cuts = [1_000_000] }
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 1_000_000 }
            server.change { $0.statuses = [403] }

            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes)
            #expect(server.ranges.last == "bytes=1000000-" || server.requests.count == 2)
            #expect(server.requests.last?.target.hasSuffix("signature=new") == true || server.requests.count == 2)
        }
    }

    @Test func `An address that has expired can be replaced when the transfer is resumed`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [1_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 1_000_000 }
            try await stage.transfers.pause(id)
            _ = await stage.until(id) { $0.status == .paused }
            server.change { $0.statuses = [410] }
            try await stage.transfers.resume(id)
            let failed = await stage.until(id) { $0.status == .failed }

            try await stage.transfers.resume(id, at: server.url.appending(path: "again"))
            _ = try await stage.transfers.finish(of: id)

            guard case TransferError.expired(_, 410)? = failed?.error else { throw failed?.error ?? CancellationError() }
            #expect(stage.bytes() == bytes)
            #expect(server.requests.map(\.target) == ["/files/big", "/files/big", "/files/big/again"])
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1000000-"])
        }
    }

    @Test func `At another address another version of the file comes whole`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [1_000_000])) { server in
            let newer = TransferStage.sample(2_000_000, seed: 2)
            try await serving(FileServer.Settings(bytes: newer, tag: "\"two\"")) { other in
                let stage = try TransferStage()
                let id = try await stage.transfers.download(server.url, to: stage.target)
                _ = await stage.until(id) { $0.completed == 1_000_000 }
                try await stage.transfers.pause(id)
                _ = await stage.until(id) { $0.status == .paused }

                try await stage.transfers.resume(id, at: other.url)
                _ = try await stage.transfers.finish(of: id)

                #expect(stage.bytes() == newer)
                #expect(other.ranges == ["bytes=1000000-"] && other.requests.first?["If-Range"] == "\"one\"")
            }
        }
    }

    @Test func `A token that is refused in the middle is renewed, and the download goes on`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, cuts: [1_000_000])) { server in
            let token = BearerTokenInterceptor(for: [server.url], token: "old") { _ in "new" }
            let stage = try TransferStage(
                client: BackendClient(executor: URLSessionExecutor(), interceptors: [token]), clock: ManualClock())
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.status == .pending && $0.completed == 1_000_000 }
            server.change { $0.statuses = [401] }

            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes)
            #expect(server.requests.map { $0["Authorization"] } == ["Bearer old", "Bearer old", "Bearer new"])
            #expect(server.ranges == ["-", "bytes=1000000-", "bytes=1000000-"])
        }
    }

    @Test func `While its server is left alone a transfer waits, and says so`() async throws {
        try await serving { server in
            let clock = ManualClock()
            let control = RetryControl(circuit: CircuitLimits(leastCount: 1, pause: .seconds(20)), clock: clock)
            control.end(try control.admit(RequestMessage(url: server.url)), with: .success(.badGateway))
            let stage = try TransferStage(client: BackendClient(executor: URLSessionExecutor(), retries: control), clock: clock)
            let start = clock.now

            let id = try await stage.transfers.download(server.url, to: stage.target)
            let waiting = await stage.until(id) { $0.reason != nil }
            let timer = await clock.nextTimer()
            #expect(start.duration(to: timer) == .seconds(20) && server.requests.isEmpty)
            clock.advance(by: .seconds(20))
            _ = try await stage.transfers.finish(of: id)

            #expect(waiting?.status == .pending && waiting?.reason?.contains("left alone") == true)
            #expect(stage.bytes() == bytes)
        }
    }
}
