import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingTesting
import LadingTransfers
import ScriptedServers
import Synchronization
import Testing

/// Downloads whose journal or part file others use as well: a published file is always complete.
@Suite(.timeLimit(.minutes(10))) struct DownloadIntegrityTests {
    private let bytes = TransferFixture.sample

    private func withServer(pauses: [Int] = [2_000_000], _ test: (FileServer, TransferFixture) async throws -> Void) async throws {
        let server = try FileServer(FileServer.Settings(bytes: bytes, pauses: pauses))
        defer { server.stop() }
        try await test(server, TransferFixture())
    }

    private func partFileURL(_ fixture: TransferFixture, _ id: TransferID) -> URL { fixture.folder.appending(path: ".big.bin.\(id).part") }

    private func append(_ bytes: [UInt8], to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    // MARK: Ownership

    @Test func `A second FileTransfers on the same journal is refused until the first has ended`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            let second = try TransferFixture(journal: fixture.journal, folder: fixture.folder)

            await #expect(throws: TransferError.self) { try await second.transfers.restore() }
            await #expect(throws: TransferError.self) { try await second.transfers.runQueuedCommands() }
            await #expect(throws: TransferError.self) { try await second.transfers.download(server.url, to: second.target) }
            await #expect(throws: TransferError.self) { try await second.transfers.upload(second.target, to: server.url) }
            await fixture.transfers.shutDown()
            try await second.transfers.restore()
            _ = try await second.transfers.completion(of: id)

            #expect(second.bytes() == bytes && second.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "bytes=2000000-"] && second.transfers.all.map(\.id) == [id])
        }
    }

    @Test func `A copied journal does not write to the same part file`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            let clock = ManualClock()
            let copy = try TransferFixture(
                journal: MemoryTransferJournal(try await fixture.journal.records()), folder: fixture.folder, clock: clock)

            try await copy.transfers.restore()
            let waiting = await copy.firstUpdate(of: id) { $0.reason != nil }
            server.proceed()
            _ = try await fixture.transfers.completion(of: id)
            await copy.transfers.shutDown()

            #expect(waiting?.status == .pending && waiting?.reason?.contains("another process is downloading") == true)
            #expect(fixture.bytes() == bytes && server.requests.count == 1)
        }
    }

    // MARK: Part files

    @Test func `Bytes appended by another program are overwritten while the rest arrives`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try append([UInt8](repeating: 7, count: 100_000), to: partFileURL(fixture, id))
            server.proceed()
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"] && server.requests.count == 1)
        }
    }

    @Test func `A part file longer than the download is discarded and downloaded again`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try append([UInt8](repeating: 7, count: bytes.count), to: partFileURL(fixture, id))
            server.proceed()
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `A download whose length is wrong twice fails, and resuming it starts from zero`()
        async throws
    {
        try await withServer(pauses: [2_000_000, 2_000_000]) { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            for request in 1...2 {
                try await server.until { $0.requests.count == request }
                _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
                try append([UInt8](repeating: 7, count: bytes.count), to: partFileURL(fixture, id))
                server.proceed()
            }

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.lengthMismatch(_, expected: bytes.count, found: 2_000_000 + bytes.count) = error {
                    true
                } else {
                    false
                }
            }
            let names = fixture.fileNames
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(names == [] && fixture.bytes() == bytes && server.ranges == ["-", "-", "-"])
        }
    }

    @Test func `Bytes appended to the part file of a paused download are discarded`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try await fixture.transfers.pause(id)
            _ = await fixture.firstUpdate(of: id) { $0.status == .paused }

            try append([UInt8](repeating: 7, count: 100_000), to: partFileURL(fixture, id))
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes && server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `A replaced part file is never moved to the target`() async throws {
        try await withServer { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }

            try FileManager.default.removeItem(at: partFileURL(fixture, id))
            try Data("something else".utf8).write(to: partFileURL(fixture, id))
            server.proceed()
            _ = try await fixture.transfers.completion(of: id)

            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
        }
    }

    @Test(arguments: [0, 1_000_000])
    func `Bytes that replace lost ones of a part file count as synced only after the next checkpoint`(length: Int) async throws {
        try await withServer(pauses: [2_000_000, 0]) { server, fixture in
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try await fixture.transfers.pause(id)
            _ = await fixture.firstUpdate(of: id) { $0.status == .paused }
            let handle = try FileHandle(forWritingTo: partFileURL(fixture, id))
            try handle.truncate(atOffset: UInt64(length))
            try handle.close()

            try await fixture.transfers.resume(id)
            try await server.until { $0.requests.count == 2 }
            let (record, transfer) = (try await fixture.journal.record(of: id), fixture.transfers[id])
            await fixture.transfers.shutDown()

            #expect(record?.completed == 0 && transfer?.completed == length)
            #expect(server.ranges == ["-", length == 0 ? "-" : "bytes=\(length)-"])
        }
    }

    // MARK: Digests

    private static let expectedDigest = FileDigest(sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")

    @Test(arguments: [("test", true), ("tost", false)]) func `The expected digest decides whether a download succeeds`(
        content: String, isRight: Bool
    )
        async throws
    {
        let server = try FileServer(FileServer.Settings(bytes: Array(content.utf8)))
        defer { server.stop() }
        let fixture = try TransferFixture(digests: [.sha256])

        let id = try await fixture.transfers.download(server.url, to: fixture.target, digest: Self.expectedDigest)

        if isRight {
            _ = try await fixture.transfers.completion(of: id)
            #expect(fixture.bytes() == Array(content.utf8))
        } else {
            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.unexpectedContent = error { true } else { false }
            }
            #expect(fixture.fileNames == [] && server.requests.count == 2)
        }
    }

    @Test func `A file with a new digest comes from the server, although the cache has its former content`() async throws {
        let (executor, url) = (ScriptedExecutor(), try #require(URL(string: "http://a.org/big.bin")))
        executor.script(
            url.absoluteString, .response(headers: [.eTag: "\"old\"", .cacheControl: "max-age=600"], text: "tost"),
            .response(headers: [.eTag: "\"new\""], text: "test"))
        let client = BackendClient(executor: executor, cache: HTTPCache(store: MemoryBlobStore(byteLimit: 1 << 20)))
        let fixture = try TransferFixture(digests: [.sha256], client: client)
        let first = try await fixture.transfers.download(url, to: fixture.target)
        _ = try await fixture.transfers.completion(of: first)

        let second = try await fixture.transfers.download(url, to: fixture.target, replacing: true, digest: Self.expectedDigest)
        _ = try await fixture.transfers.completion(of: second)

        #expect(fixture.bytes() == Array("test".utf8) && executor.requests.count == 2)
    }

    @Test func `A pause ends the verification of a file, which begins again when the download is resumed`() async throws {
        let digest = GatedDigest()
        let server = try FileServer(FileServer.Settings(bytes: bytes, fields: ["Repr-Digest: gated=:AQID:"]))
        defer { server.stop() }
        let fixture = try TransferFixture(digests: [digest.algorithm])
        let id = try await fixture.transfers.download(server.url, to: fixture.target)
        try await digest.reached.wait()

        try await fixture.transfers.pause(id)
        digest.proceed()
        let stopped = await fixture.firstUpdate(of: id) { $0.status == .paused || $0.status == .finished }
        let chunkCount = digest.chunkCount
        try await fixture.transfers.resume(id)
        _ = try await fixture.transfers.completion(of: id)

        #expect(stopped?.status == .paused && chunkCount == 1)
        #expect(fixture.bytes() == bytes && server.requests.count == 1)
    }

    @Test func `A file is read once for the digests of its server and of its caller`() async throws {
        let digest = GatedDigest()
        digest.proceed()
        let server = try FileServer(FileServer.Settings(bytes: bytes, fields: ["Repr-Digest: gated=:AQID:"]))
        defer { server.stop() }
        let fixture = try TransferFixture(digests: [digest.algorithm])

        let id = try await fixture.transfers.download(
            server.url, to: fixture.target, digest: FileDigest(algorithm: "gated", bytes: [1, 2, 3]))
        _ = try await fixture.transfers.completion(of: id)

        // The file has three mebibytes, and is read in chunks of one.
        #expect(fixture.bytes() == bytes && digest.chunkCount == 3)
    }

    @Test func `An unsupported digest is refused before any request`() async throws {
        try await withServer { server, fixture in
            await #expect(throws: TransferError.self) {
                try await fixture.transfers.download(server.url, to: fixture.target, digest: Self.expectedDigest)
            }
            #expect(server.requests.isEmpty && fixture.fileNames == [])
        }
    }

    @Test(arguments: ["", "9f86", String(repeating: "g", count: 64), String(repeating: "é", count: 32)])
    func `A text other than 64 hexadecimal digits is no SHA-256 digest`(text: String) {
        #expect(FileDigest(sha256: text) == nil)
        #expect(FileDigest(text: text) == nil)
    }

    @Test func `A digest survives a round trip through its text`() throws {
        let digest = try #require(Self.expectedDigest)

        #expect(FileDigest(text: digest.text) == digest && digest.bytes.count == 32 && digest.bytes.first == 0x9F)
    }
}

/// A digest algorithm for which each content has the digest 1, 2, 3, and whose first chunk waits for `proceed`.
private final class GatedDigest: Sendable {
    /// Opened when the first chunk is processed.
    let reached = Gate()
    private let gate = DispatchSemaphore(value: 0)
    private let chunks = Mutex(0)

    /// The number of chunks that were processed or wait.
    var chunkCount: Int { chunks.withLock { $0 } }

    var algorithm: ContentDigest {
        ContentDigest("gated") {
            ContentDigest.RunningDigest(update: { _ in self.process() }, finish: { [1, 2, 3] })
        }
    }

    func proceed() { gate.signal() }

    private func process() {
        chunks.withLock { $0 += 1 }
        reached.open()
        gate.wait()
        gate.signal()
    }
}
