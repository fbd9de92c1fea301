import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import TemporaryFolders
import Testing

@testable import CrashReports

@Suite struct CrashSenderTests {
    private let address = "https://reports.example/lading"
    private let executor = ScriptedExecutor()

    private var sender: CrashSender { CrashSender(BackendClient(executor: executor), to: URL(string: address)!) }

    /// Returns a directory with reports of these names.
    private func crashes(_ names: String..., in data: URL) throws -> CrashDirectory {
        let folder = data.appending(path: "crashes")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names { try Data("report \(name)".utf8).write(to: folder.appending(path: "crash-\(name).txt")) }
        return CrashDirectory(in: data)
    }

    private var bodies: [String] { executor.requests.map { String(decoding: $0.body.bytes ?? [], as: UTF8.self) } }

    @Test func `An accepted report is never sent again`() async throws {
        try await withTemporaryFolder { data in
            let crashes = try crashes("1", "2", in: data)
            executor.script(address, .response(status: .accepted))

            #expect(try await sender.send(crashes) == 2)
            #expect(try await sender.send(crashes) == 0)

            #expect(bodies == ["report 1", "report 2"])
            #expect(executor.requests.map(\.method) == [.post, .post])
            #expect(executor.requests.map { $0.headers[HTTPField.Name("Idempotency-Key")!] } == ["\"crash-1\"", "\"crash-2\""])
        }
    }

    @Test func `A rejected report is sent again`() async throws {
        try await withTemporaryFolder { data in
            let crashes = try crashes("1", in: data)
            executor.script(address, .response(status: .internalServerError), .response())

            await #expect(throws: BackendError.self) { try await sender.send(crashes) }
            #expect(try await sender.send(crashes) == 1)

            #expect(bodies == ["report 1", "report 1"])
        }
    }

    @Test func `Redirects are not followed`() async throws {
        try await withTemporaryFolder { data in
            let crashes = try crashes("1", in: data)
            executor.script(address, .response(status: .temporaryRedirect, headers: [.location: "https://elsewhere.example/"]))

            await #expect(throws: BackendError.self) { try await sender.send(crashes) }

            #expect(executor.requestedURLs == [address])
        }
    }

    @Test func `Two programs that send at the same time send one report`() async throws {
        try await withTemporaryFolder { data in
            let crashes = try crashes("1", in: data)
            let gate = Gate()
            executor.script(address, .response(), behind: gate)
            let sender = sender

            async let first = sender.send(crashes)
            await gate.waitForWaiters(count: 1)
            let second = try await sender.send(crashes)
            gate.open()

            #expect(try await first == 1)
            #expect(second == 0)
            #expect(bodies == ["report 1"])
        }
    }
}
