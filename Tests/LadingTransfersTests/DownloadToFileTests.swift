import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingOperations
import LadingTesting
import ScriptedServers
import Testing

@testable import LadingTransfers

/// Downloads of one call over real sockets to real files.
@Suite(.timeLimit(.minutes(10))) struct DownloadToFileTests {
    private let bytes = TransferFixture.sample
    private let client = BackendClient()
    private let fixture: TransferFixture

    init() throws {
        fixture = try TransferFixture()
    }

    private var target: URL { fixture.target }
    private var partFile: URL { fixture.folder.appending(path: ".big.bin.transfer.part") }
    private var journalFile: URL { fixture.folder.appending(path: ".big.bin.transfer.json") }

    private func withServer(_ settings: FileServer.Settings, _ test: (FileServer) async throws -> Void) async throws {
        let server = try FileServer(settings)
        defer { server.stop() }
        try await test(server)
    }

    /// Downloads the file in a task until a number of bytes has arrived, and cancels the task.
    private func interruptDownload(from server: FileServer, after count: Int) async {
        let progress = OperationProgress()
        let download = Task { [client, target] in try await client.download(server.url, to: target, progress: progress) }
        for await update in progress.updates(every: .zero) where update.completed == count { break }
        download.cancel()
        await #expect(throws: CancellationError.self) { try await download.value }
    }

    @Test func `A finished download leaves only its file`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes)) { server in
            let progress = OperationProgress()

            try await client.download(server.url, to: target, headers: [.accept: "a/b"], progress: progress)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
            #expect(progress.snapshot == .init(completed: bytes.count, total: bytes.count))
            #expect(server.requests.map { $0["Accept"] } == ["a/b"])
        }
    }

    @Test func `A second call resumes a cancelled download`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            await interruptDownload(from: server, after: 2_000_000)
            #expect(fixture.fileNames == [".big.bin.transfer.json", ".big.bin.transfer.part"])

            try await client.download(server.url, to: target)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "bytes=2000000-"])
            #expect(server.requests.last?["If-Range"] == "\"one\"")
        }
    }

    @Test func `A download throws when its queue is cancelled, and retains its files`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let (queue, progress) = (BackendQueue(), OperationProgress())
            async let cancellation: Void = {
                for await update in progress.updates(every: .zero) where update.completed == 2_000_000 { break }
                queue.cancelAll()
            }()

            await #expect(throws: CancellationError.self) {
                try await client.download(server.url, to: target, in: queue, progress: progress)
            }
            await cancellation

            #expect(fixture.fileNames == [".big.bin.transfer.json", ".big.bin.transfer.part"])
        }
    }

    @Test func `A connection that breaks is replaced by another one`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, hangUpOffsets: [1_000_000])) { server in
            try await client.download(server.url, to: target, retryPolicy: TransferRetryPolicy(base: .milliseconds(1)))

            #expect(fixture.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test func `The journal can be read only by its owner`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            await interruptDownload(from: server, after: 2_000_000)

            let attributes = try FileManager.default.attributesOfItem(atPath: journalFile.path)

            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
    }

    @Test(arguments: ["", "{", #"{"url": 7}"#, String(repeating: " ", count: 70_000)])
    func `A damaged journal is replaced, and the download starts over`(content: String) async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            await interruptDownload(from: server, after: 2_000_000)
            try Data(content.utf8).write(to: journalFile)

            try await client.download(server.url, to: target)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `Another URL starts over`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            await interruptDownload(from: server, after: 2_000_000)

            try await client.download(server.url.appending(queryItems: [URLQueryItem(name: "v", value: "2")]), to: target)

            #expect(fixture.bytes() == bytes)
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `After a reboot only synced bytes are resumed`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            await interruptDownload(from: server, after: 2_000_000)
            // The journal counts fewer bytes than the part file has, and is of no known boot.
            var text = try String(contentsOf: journalFile, encoding: .utf8)
            #expect(!text.contains("bootID"))
            text.replace("\"completed\":2000000", with: "\"completed\":1000000")
            try Data(text.utf8).write(to: journalFile)

            try await client.download(server.url, to: target)

            #expect(fixture.bytes() == bytes)
            #expect(server.ranges == ["-", "bytes=1000000-"])
        }
    }

    @Test func `A file that was published by a process that ended before it recorded that is not downloaded again`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes)) { server in
            try Data(bytes).write(to: target)
            let journal = DownloadJournal(of: record(of: server.url))
            var published = record(of: server.url)
            published.fingerprint = FileFingerprint(size: bytes.count, modified: try modificationTime(of: target))
            try Data().write(to: partFile)
            try await journal.save(published)
            try FileManager.default.removeItem(at: partFile)

            try await client.download(server.url, to: target)

            #expect(server.requests.isEmpty && fixture.fileNames == ["big.bin"])
        }
    }

    @Test func `An existing file is replaced only on request`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes)) { server in
            try Data("old".utf8).write(to: target)

            await #expect {
                try await client.download(server.url, to: target)
            } throws: { error in
                if case TransferError.targetExists = error { true } else { false }
            }
            #expect(server.requests.isEmpty && fixture.fileNames == ["big.bin"])
            try await client.download(server.url, to: target, replacing: true)

            #expect(fixture.bytes() == bytes)
        }
    }

    @Test func `A server that cannot be reached is not replaced by the cache of the client`() async throws {
        let (executor, url) = (ScriptedExecutor(), try #require(URL(string: "http://a.org/big.bin")))
        executor.script(
            url.absoluteString, .response(headers: [.eTag: "\"old\""], text: "old"),
            .failure(BackendError.unreachable(url, cause: POSIXError(.ECONNREFUSED))))
        let client = BackendClient(executor: executor, cache: HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20)))
        try await client.download(url, to: target)

        await #expect {
            try await client.download(url, to: target, replacing: true, retryPolicy: TransferRetryPolicy(attempts: 1))
        } throws: { error in
            if case BackendError.unreachable = error { true } else { false }
        }
        #expect(executor.requests.count == 2 && fixture.bytes() == Array("old".utf8))
    }

    @Test func `A pipe is never replaced`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes)) { server in
            #expect(mkfifo(target.path, 0o600) == 0)

            await #expect {
                try await client.download(server.url, to: target, replacing: true)
            } throws: { error in
                if case TransferError.targetExists = error { true } else { false }
            }

            #expect(server.requests.isEmpty && fixture.fileNames == ["big.bin"])
        }
    }

    @Test func `A refused download leaves no files`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [404])) { server in
            await #expect {
                try await client.download(server.url, to: target)
            } throws: { error in
                if case BackendError.status(404, _, _) = error { true } else { false }
            }

            #expect(fixture.fileNames.isEmpty)
        }
    }

    @Test func `A file with another digest than the expected one is not published`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes)) { server in
            let digest = FileDigest(algorithm: "sha-256", bytes: Array(repeating: 0, count: 32))

            await #expect {
                try await client.download(server.url, to: target, digest: digest)
            } throws: { error in
                if case TransferError.unexpectedContent = error { true } else { false }
            }

            #expect(fixture.fileNames.isEmpty)
        }
    }

    @Test func `Two downloads to one file at a time are refused`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let progress = OperationProgress()
            let first = Task { [client, target] in try await client.download(server.url, to: target, progress: progress) }
            for await update in progress.updates(every: .zero) where update.completed == 2_000_000 { break }

            await #expect {
                try await client.download(server.url, to: target)
            } throws: { error in
                if case TransferError.partFileInUse = error { true } else { false }
            }
            server.proceed()
            try await first.value

            #expect(fixture.bytes() == bytes && server.ranges == ["-"])
        }
    }

    @Test func `The progress of a failed download ends without completing`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [404])) { server in
            let progress = OperationProgress()

            await #expect(throws: BackendError.self) { try await client.download(server.url, to: target, progress: progress) }

            for await _ in progress.updates(every: .zero) {}
            #expect(progress.snapshot.fraction != 1)
        }
    }

    private func record(of url: URL) -> TransferRecord {
        TransferRecord(id: DownloadJournal.id, direction: .download, remote: url, file: target, created: Date(timeIntervalSince1970: 0))
    }

    /// Returns the modification time of a file, in nanoseconds since 1970.
    private func modificationTime(of file: URL) throws -> Int64 {
        var status = stat()
        guard lstat(file.path, &status) == 0 else { throw POSIXError(.ENOENT) }
        #if canImport(Darwin)
            return Int64(status.st_mtimespec.tv_sec) * 1_000_000_000 + Int64(status.st_mtimespec.tv_nsec)
        #else
            return Int64(status.st_mtim.tv_sec) * 1_000_000_000 + Int64(status.st_mtim.tv_nsec)
        #endif
    }
}
