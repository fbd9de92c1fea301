import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import LadingTransfers
import ScriptedServers
import Testing

/// Failures because of the target, the server or the content.
extension DownloadTests {
    @Test func `An existing file is not replaced unless the caller allows it`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture()
            try Data("mine".utf8).write(to: fixture.target)

            await #expect(throws: TransferError.self) { try await fixture.transfers.download(server.url, to: fixture.target) }
            let untouched = fixture.bytes()
            _ = try await fixture.transfers.completion(of: fixture.transfers.download(server.url, to: fixture.target, replacing: true))

            #expect(untouched == Array("mine".utf8))
            #expect(fixture.bytes() == bytes && fixture.fileNames == ["big.bin"])
        }
    }

    @Test func `A file that appears at the target during a download is not replaced, and the partial download is retained`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            _ = await fixture.firstUpdate(of: id) { $0.completed == 2_000_000 }
            try Data("mine".utf8).write(to: fixture.target)
            server.proceed()

            await #expect(throws: TransferError.self) { try await fixture.transfers.completion(of: id) }
            let untouched = fixture.bytes()
            try FileManager.default.removeItem(at: fixture.target)
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(untouched == Array("mine".utf8))
            #expect(fixture.bytes() == bytes && server.requests.count == 1)
        }
    }

    @Test func `A missing target folder is reported and not created`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.folder.appending(path: "none/big.bin"))

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.targetFolderMissing = error { true } else { false }
            }
            #expect(fixture.fileNames == [] && server.requests.isEmpty)
        }
    }

    @Test func `A disk without enough space is reported before anything is written`() async throws {
        try await withServer { server in
            let fixture = try TransferFixture(availableCapacity: bytes.count - 1)
            let id = try await fixture.transfers.download(server.url, to: fixture.target)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case TransferError.diskFull(_, needed: bytes.count?) = error { true } else { false }
            }
            #expect(fixture.fileNames == [])
        }
    }

    @Test(arguments: [404, 403, 418]) func `A download that the server refuses leaves no files`(status: Int) async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [status])) { server in
            let fixture = try TransferFixture()
            let id = try await fixture.transfers.download(server.url, to: fixture.target)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case BackendError.status(status, _, _) = error { true } else { false }
            }
            #expect(fixture.fileNames == [] && fixture.transfers[id]?.reason?.contains("\(status)") == true)
        }
    }

    @Test func `The URL of a missing file is refreshed once, and once more when the download is resumed`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [404, 404, 404])) { server in
            let fixture = try TransferFixture { _ in
                server.url.appending(queryItems: [URLQueryItem(name: "requests", value: "\(server.requests.count)")])
            }
            let id = try await fixture.transfers.download(server.url, to: fixture.target)

            await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                if case BackendError.status(404, _, _) = error { true } else { false }
            }
            let names = fixture.fileNames
            try await fixture.transfers.resume(id)
            _ = try await fixture.transfers.completion(of: id)

            #expect(names == [] && fixture.bytes() == bytes)
            #expect(
                server.requests.map(\.target) == [
                    "/files/big", "/files/big?requests=1", "/files/big?requests=1", "/files/big?requests=3",
                ])
        }
    }

    @Test func `A download from an unreachable server fails after the last attempt and leaves no files`() async throws {
        let fixture = try TransferFixture(attempts: 3)
        let id = try await fixture.transfers.download(ScriptedServer.unreachableURL(), to: fixture.target)

        await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
            if case BackendError.unreachable = error { true } else { false }
        }
        #expect(fixture.fileNames == [])
    }

    @Test func `A transfer reports the reason while it waits for the next attempt`() async throws {
        try await withServer(FileServer.Settings(bytes: bytes, statuses: [503])) { server in
            let clock = ManualClock()
            let fixture = try TransferFixture(clock: clock)
            let id = try await fixture.transfers.download(server.url, to: fixture.target)
            let waiting = await fixture.firstUpdate(of: id) { $0.reason != nil }
            _ = await clock.nextTimer()
            clock.advance(by: .seconds(60))
            _ = try await fixture.transfers.completion(of: id)

            #expect(waiting?.status == .pending && waiting?.reason?.contains("503") == true)
            #expect(fixture.transfers[id]?.reason == nil && fixture.bytes() == bytes)
        }
    }

    @Test(arguments: [
        ("sha-256=:\(Data([3, 0, 0]).base64EncodedString()):", true), ("sha-256=:\(Data([9]).base64EncodedString()):", false),
        ("md5=:AA==:", true),
    ])
    func `The digest of the whole file is verified`(field: String, isRight: Bool) async throws {
        try await withServer(FileServer.Settings(bytes: [0, 1, 2], fields: ["Repr-Digest: \(field)"])) { server in
            let fixture = try TransferFixture(digests: [Self.countAndFirst])
            let id = try await fixture.transfers.download(server.url, to: fixture.target)

            if isRight {
                _ = try await fixture.transfers.completion(of: id)
                #expect(fixture.bytes() == [0, 1, 2])
            } else {
                await #expect { try await fixture.transfers.completion(of: id) } throws: { error in
                    if case TransferError.digestMismatch = error { true } else { false }
                }
                #expect(fixture.fileNames == [])
            }
        }
    }

    /// A minimal digest for tests: the number of bytes, the first byte, and 0.
    private static let countAndFirst = ContentDigest("sha-256") {
        final class Seen { var bytes: [UInt8] = [] }
        let seen = Seen()
        return .init(update: { seen.bytes += $0 }, finish: { [UInt8(seen.bytes.count), seen.bytes.first ?? 0, 0] })
    }
}
