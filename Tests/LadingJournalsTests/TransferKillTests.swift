import Foundation
import LadingTesting
import ScriptedServers
import Testing
@testable import StoreFixtures

/// Tests of two processes that download one file through one journal and are killed: the file is complete, and one process at a time writes it.
@Suite struct TransferKillTests {
    private static let length = 20_971_520
    private static let isSoak = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil
    /// The number of kills: 6, or 100 with `LADING_SOAK`.
    private static let killCount = isSoak ? 100 : 6

    private let content: [UInt8] = {
        var random = SeededRandom(seed: 20)
        return (0..<length / 8).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }()

    /// Returns a server of the file that pauses in its first response until it may proceed.
    private func server(pausingAt pause: Int?) throws -> ScriptedServer {
        try ScriptedServer { [content] request in
            let start = request["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let body = content[start...]
            var head =
                start > 0
                ? "HTTP/1.1 206 Part\r\nContent-Range: bytes \(start)-\(content.count - 1)/\(content.count)\r\n" : "HTTP/1.1 200 OK\r\n"
            head += "Content-Length: \(body.count)\r\nETag: \"one\"\r\n\r\n"
            guard let pause, start == 0 else { return [.send(head), .send(Array(body))] }
            return [.send(head), .send(Array(body.prefix(pause))), .pause, .send(Array(body.dropFirst(pause)))]
        }
    }

    private func start(_ folder: StoreFolder, _ server: ScriptedServer, failedAllocation: Int? = nil) throws -> ChildProcess {
        try KilledProgram.start(
            "TransferProgram", [folder.file.path, server.url("/big").absoluteString, folder.url.appending(path: "big").path],
            failedAllocation: failedAllocation)
    }

    private func isComplete(_ folder: StoreFolder) -> Bool {
        (try? Data(contentsOf: folder.url.appending(path: "big"))) == Data(content)
    }

    @Test(.timeLimit(.minutes(16)))
    func `A second process is refused during a download, and the file is complete`() async throws {
        let (folder, server) = (try StoreFolder("transfers"), try server(pausingAt: 8_000_000))
        defer { server.stop() }
        let first = try start(folder, server)
        for await line in first.output.lines where line == "moved 8000000" { break }

        let second = try start(folder, server)
        let rejection = await second.output.text()
        _ = await second.waitForExit()
        server.resume()
        let report = await first.output.text()
        _ = await first.waitForExit()

        #expect(rejection == "in use by \(first.identifier)\n")
        #expect(report.hasSuffix("finished \(Self.length)\n"))
        #expect(isComplete(folder) && server.log.requests.count == 1)
    }

    @Test(.timeLimit(.minutes(16)))
    func `A killed process releases its lock, and the next one resumes the download`() async throws {
        let (folder, server) = (try StoreFolder("transfers"), try server(pausingAt: 8_000_000))
        defer { server.stop() }
        let first = try start(folder, server)
        for await line in first.output.lines where line == "moved 8000000" { break }
        first.signal(SIGKILL)
        _ = await first.waitForExit()

        let second = try start(folder, server)
        let report = await second.output.text()
        _ = await second.waitForExit()

        #expect(report.hasPrefix("owner\n") && report.hasSuffix("finished \(Self.length)\n"))
        #expect(isComplete(folder) && server.log.requests.map { $0["Range"] } == [nil, "bytes=8000000-"])
    }

    @Test(.timeLimit(.minutes(isSoak ? 160 : 16)), arguments: ProgramEnd.allCases)
    func `The file is complete after repeated kills of either process, and allocations that fail in it`(end: ProgramEnd) async throws {
        let seed = TestSeeds.fromEnvironment ?? 1
        var random = SeededRandom(seed: seed)
        let server = try server(pausingAt: nil)
        defer { server.stop() }
        for kill in 0..<Self.killCount {
            let folder = try StoreFolder("transfers")
            let allocation = end.allocation(using: &random)
            let moment = Int.random(in: 0..<20, using: &random)
            let killed = Int.random(in: 0..<2, using: &random)
            let programs = try (0..<2).map { try start(folder, server, failedAllocation: $0 == killed ? allocation : nil) }
            let timer = allocation.map { _ in KilledProgram.killTimer(for: programs[killed]) }
            defer { timer?.cancel() }
            var count = 0
            for await line in programs[0].output.lines {
                count += 1
                if count > moment || line.hasPrefix("in use") { break }
            }
            programs[killed].signal(SIGKILL)
            for program in programs { _ = await program.waitForExit() }

            let last = try start(folder, server)
            let report = await last.output.text()
            _ = await last.waitForExit()

            // The process that was not killed may have finished; then the last one finds the existing file.
            let isFinished = report.hasSuffix("finished \(Self.length)\n") || report.contains("failed: ")
            #expect(isFinished && isComplete(folder), "LADING_SEED=\(seed), kill \(kill): \(report.suffix(200))")
            #expect(folder.names.filter { $0.hasSuffix(".part") } == [], "LADING_SEED=\(seed), kill \(kill)")
        }
    }
}
