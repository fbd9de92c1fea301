import Foundation
import LadingHTTP
import LadingTesting
import Testing

/// Downloads whose journal or part file somebody else uses as well: a file is whole, or it has no name.
@Suite(.timeLimit(.minutes(10))) struct DownloadIntegrityTests {
    private let bytes = TransferStage.sample

    private func serving(pauses: [Int] = [2_000_000], _ test: (FileServer, TransferStage) async throws -> Void) async throws {
        let server = try FileServer(FileServer.Settings(bytes: bytes, pauses: pauses))
        defer { server.stop() }
        try await test(server, TransferStage())
    }

    private func part(_ stage: TransferStage, _ id: TransferID) -> URL { stage.folder.appending(path: ".big.bin.\(id).part") }

    private func append(_ bytes: [UInt8], to file: URL) throws {
        let handle = try FileHandle(forWritingTo: file)
        try handle.seekToEnd()
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    // MARK: One owner

    @Test func `A second FileTransfers on the same journal is refused until the first has ended`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            let second = try TransferStage(journal: stage.journal, folder: stage.folder)

            await #expect(throws: TransferError.self) { try await second.transfers.restore() }
            await #expect(throws: TransferError.self) { try await second.transfers.attend() }
            await #expect(throws: TransferError.self) { try await second.transfers.download(server.url, to: second.target) }
            await #expect(throws: TransferError.self) { try await second.transfers.upload(second.target, to: server.url) }
            await stage.transfers.shutdown()
            try await second.transfers.restore()
            _ = try await second.transfers.finish(of: id)

            #expect(second.bytes() == bytes && second.names == ["big.bin"])
            #expect(server.ranges == ["-", "bytes=2000000-"] && second.transfers.all.map(\.id) == [id])
        }
    }

    @Test func `A journal that was copied with its transfers does not write to the same part file`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            let clock = ManualClock()
            let copy = try TransferStage(journal: ManualJournal(try await stage.journal.records()), folder: stage.folder, clock: clock)

            try await copy.transfers.restore()
            let waiting = await copy.until(id) { $0.reason != nil }
            server.proceed()
            _ = try await stage.transfers.finish(of: id)
            await copy.transfers.shutdown()

            #expect(waiting?.status == .pending && waiting?.reason?.contains("another program downloads") == true)
            #expect(stage.bytes() == bytes && server.requests.count == 1)
        }
    }

    // MARK: Part files

    @Test func `Bytes that somebody else appends are overwritten while the rest arrives`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            try append([UInt8](repeating: 7, count: 100_000), to: part(stage, id))
            server.proceed()
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes && stage.names == ["big.bin"] && server.requests.count == 1)
        }
    }

    @Test func `A part file that is longer than the file is fetched anew, and no finished file is wrong`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            try append([UInt8](repeating: 7, count: bytes.count), to: part(stage, id))
            server.proceed()
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes && stage.names == ["big.bin"])
            #expect(server.ranges == ["-", "-"])
        }
    }

    @Test func `A file that is wrong each time has failed, with its lengths, and is fetched from its beginning when it is resumed`()
        async throws
    {
        try await serving(pauses: [2_000_000, 2_000_000]) { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            for request in 1...2 {
                try await server.until { $0.requests.count == request }
                _ = await stage.until(id) { $0.completed == 2_000_000 }
                try append([UInt8](repeating: 7, count: bytes.count), to: part(stage, id))
                server.proceed()
            }

            await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                if case TransferError.lengthMismatch(_, expected: bytes.count, found: 2_000_000 + bytes.count) = error {
                    true
                } else {
                    false
                }
            }
            let names = stage.names
            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(names == [] && stage.bytes() == bytes && server.ranges == ["-", "-", "-"])
        }
    }

    @Test func `What is appended while a transfer is paused is no part of it`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            try await stage.transfers.pause(id)
            _ = await stage.until(id) { $0.status == .paused }

            try append([UInt8](repeating: 7, count: 100_000), to: part(stage, id))
            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes && server.ranges == ["-", "bytes=2000000-"])
        }
    }

    @Test func `A part file that is removed meanwhile is not given the name of the file`() async throws {
        try await serving { server, stage in
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }

            try FileManager.default.removeItem(at: part(stage, id))
            try Data("something else".utf8).write(to: part(stage, id))
            server.proceed()
            _ = try await stage.transfers.finish(of: id)

            #expect(stage.bytes() == bytes && stage.names == ["big.bin"])
        }
    }

    // MARK: Digests

    private static let known = FileDigest(sha256: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08")

    @Test(arguments: [("test", true), ("tost", false)]) func `The digest that the caller knows decides`(content: String, isRight: Bool)
        async throws
    {
        let server = try FileServer(FileServer.Settings(bytes: Array(content.utf8)))
        defer { server.stop() }
        let stage = try TransferStage(digests: [.sha256])

        let id = try await stage.transfers.download(server.url, to: stage.target, digest: Self.known)

        if isRight {
            _ = try await stage.transfers.finish(of: id)
            #expect(stage.bytes() == Array(content.utf8))
        } else {
            await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                if case TransferError.unexpectedContent = error { true } else { false }
            }
            #expect(stage.names == [] && server.requests.count == 2)
        }
    }

    @Test func `A digest that cannot be computed is refused before anything is asked`() async throws {
        try await serving { server, stage in
            await #expect(throws: TransferError.self) {
                try await stage.transfers.download(server.url, to: stage.target, digest: Self.known)
            }
            #expect(server.requests.isEmpty && stage.names == [])
        }
    }

    @Test(arguments: ["", "9f86", String(repeating: "g", count: 64), String(repeating: "é", count: 32)])
    func `What is no SHA-256 in hexadecimal digits is no digest`(text: String) {
        #expect(FileDigest(sha256: text) == nil)
        #expect(FileDigest(text: text) == nil)
    }

    @Test func `A digest is read back from its text`() throws {
        let digest = try #require(Self.known)

        #expect(FileDigest(text: digest.text) == digest && digest.bytes.count == 32 && digest.bytes.first == 0x9F)
    }
}
