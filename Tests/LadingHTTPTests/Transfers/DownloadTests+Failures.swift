import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing

/// Targets, servers and content that cannot be used.
extension DownloadTests {
    @Test func `A file that is there is not replaced unless told so`() async throws {
        try await serving { server in
            let stage = try TransferStage()
            try Data("mine".utf8).write(to: stage.target)

            await #expect(throws: TransferError.self) { try await stage.transfers.download(server.url, to: stage.target) }
            let untouched = stage.bytes()
            _ = try await stage.transfers.finish(of: stage.transfers.download(server.url, to: stage.target, replacing: true))

            #expect(untouched == Array("mine".utf8))
            #expect(stage.bytes() == bytes && stage.names == ["big.bin"])
        }
    }

    @Test func `A file that appears meanwhile is not replaced, and what has come is kept until it is gone`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, pauses: [2_000_000])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)
            _ = await stage.until(id) { $0.completed == 2_000_000 }
            try Data("mine".utf8).write(to: stage.target)
            server.proceed()

            await #expect(throws: TransferError.self) { try await stage.transfers.finish(of: id) }
            let untouched = stage.bytes()
            try FileManager.default.removeItem(at: stage.target)
            try await stage.transfers.resume(id)
            _ = try await stage.transfers.finish(of: id)

            #expect(untouched == Array("mine".utf8))
            #expect(stage.bytes() == bytes && server.requests.count == 1)
        }
    }

    @Test func `A folder that does not exist is reported, and not made`() async throws {
        try await serving { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.folder.appending(path: "none/big.bin"))

            await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                if case TransferError.targetFolderMissing = error { true } else { false }
            }
            #expect(stage.names == [] && server.requests.isEmpty)
        }
    }

    @Test func `A disk without room is reported before anything is written`() async throws {
        try await serving { server in
            let stage = try TransferStage(room: bytes.count - 1)
            let id = try await stage.transfers.download(server.url, to: stage.target)

            await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                if case TransferError.diskFull(_, needed: bytes.count?) = error { true } else { false }
            }
            #expect(stage.names == [])
        }
    }

    @Test(arguments: [404, 403, 418]) func `What there is not leaves nothing behind`(status: Int) async throws {
        try await serving(FileServer.Settings(bytes: bytes, statuses: [status])) { server in
            let stage = try TransferStage()
            let id = try await stage.transfers.download(server.url, to: stage.target)

            await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                if case BackendError.status(status, _, _) = error { true } else { false }
            }
            #expect(stage.names == [] && stage.transfers[id]?.reason?.contains("\(status)") == true)
        }
    }

    @Test func `A server that is not there is given up after some attempts, and nothing is left`() async throws {
        let stage = try TransferStage(attempts: 3)
        let id = try await stage.transfers.download(ScriptedServer.urlWhereNobodyListens(), to: stage.target)

        await #expect { try await stage.transfers.finish(of: id) } throws: { error in
            if case BackendError.unreachable = error { true } else { false }
        }
        #expect(stage.names == [])
    }

    @Test func `While it waits for the next attempt it says why`() async throws {
        try await serving(FileServer.Settings(bytes: bytes, statuses: [503])) { server in
            let clock = ManualClock()
            let stage = try TransferStage(clock: clock)
            let id = try await stage.transfers.download(server.url, to: stage.target)
            let waiting = await stage.until(id) { $0.reason != nil }
            _ = await clock.nextTimer()
            clock.advance(by: .seconds(60))
            _ = try await stage.transfers.finish(of: id)

            #expect(waiting?.status == .pending && waiting?.reason?.contains("503") == true)
            #expect(stage.transfers[id]?.reason == nil && stage.bytes() == bytes)
        }
    }

    @Test(arguments: [
        ("sha-256=:\(Data([3, 0, 0]).base64EncodedString()):", true), ("sha-256=:\(Data([9]).base64EncodedString()):", false),
        ("md5=:AA==:", true),
    ])
    func `What the server says of the whole is checked`(field: String, isRight: Bool) async throws {
        try await serving(FileServer.Settings(bytes: [0, 1, 2], fields: ["Repr-Digest: \(field)"])) { server in
            let stage = try TransferStage(digests: [Self.countAndFirst])
            let id = try await stage.transfers.download(server.url, to: stage.target)

            if isRight {
                _ = try await stage.transfers.finish(of: id)
                #expect(stage.bytes() == [0, 1, 2])
            } else {
                await #expect { try await stage.transfers.finish(of: id) } throws: { error in
                    if case TransferError.digestMismatch = error { true } else { false }
                }
                #expect(stage.names == [])
            }
        }
    }

    /// The number of bytes, the first of them, and 0: as good a digest as any other here.
    private static let countAndFirst = ContentDigest("sha-256") {
        final class Seen { var bytes: [UInt8] = [] }
        let seen = Seen()
        return .init(update: { seen.bytes += $0 }, finish: { [UInt8(seen.bytes.count), seen.bytes.first ?? 0, 0] })
    }
}
