import Foundation
import LadingTesting
import Testing

/// A server with a data directory, a relay in front of it, a client's data directory, and 32 MB to move.
struct TransferFixture: Sendable {
    private static let announcement = "The orders are served at "
    static let length = 32 << 20

    let folder: URL
    let relay: CountingRelay
    private let simulationOptions: [String]

    private init(folder: URL, relay: CountingRelay, simulationOptions: [String]) {
        (self.folder, self.relay, self.simulationOptions) = (folder, relay, simulationOptions)
    }

    /// Runs a test with a server that is running, and stops what is left of it.
    static func with(
        simulationOptions: [String] = [], _ test: (TransferFixture, Server) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start(in: folder, simulationOptions)
        let scene = TransferFixture(folder: folder, relay: try await CountingRelay(to: server.port), simulationOptions: simulationOptions)
        defer { scene.relay.stop() }
        try await test(scene, server)
    }

    /// A running server and where it listens.
    struct Server: Sendable {
        let program: ChildProcess
        let port: Int

        /// Ends it without warning.
        func kill() async {
            program.signal(SIGKILL)
            _ = await program.waitForExit()
        }
    }

    private static func start(in folder: URL, _ simulationOptions: [String]) async throws -> Server {
        let arguments =
            ["serve", "--port", "0", "--orders", "1", "--deliveries", "0", "--data", folder.appending(path: "server").path] + simulationOptions
        let (program, address) = try await Program.start(arguments, announcing: announcement)
        return Server(program: program, port: try #require(URL(string: address)?.port))
    }

    /// Starts the server anew, at another port; the relay finds it.
    func restart() async throws -> Server {
        let server = try await Self.start(in: folder, simulationOptions)
        relay.move(to: server.port)
        return server
    }

    // MARK: Files

    var source: URL { folder.appending(path: "source.bin") }
    var target: URL { folder.appending(path: "targets/target.bin") }
    var address: String { "http://127.0.0.1:\(relay.port)/uploads/file.bin" }
    /// The uploaded file where the server keeps it.
    var stored: URL { folder.appending(path: "server/uploads/files/file.bin") }
    private var data: String { folder.appending(path: "client").path }

    /// Writes the file that is to be moved: any bytes will do, as long as no two parts are alike.
    func makeSource() throws {
        let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        try random.read(upToCount: Self.length)?.write(to: source)
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Lays the file where the server has its uploads, as if it had been uploaded.
    func serveSource() throws {
        try FileManager.default.copyItem(at: source, to: stored)
    }

    func isSame(_ file: URL) -> Bool { FileManager.default.contentsEqual(atPath: source.path, andPath: file.path) }

    /// What lies where the download goes, hidden files included.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: target.deletingLastPathComponent().path)) ?? []).sorted()
    }

    /// How many bytes lie there.
    var received: Int {
        let folder = target.deletingLastPathComponent()
        return names.reduce(0) { $0 + ((try? folder.appending(path: $1).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
    }

    // MARK: Commands

    func download(_ options: String...) throws -> ChildProcess {
        try Program.launch(["download", address, "--to", target.path, "--data", data] + options)
    }
    func upload() throws -> ChildProcess { try Program.launch("upload", source.path, "--to", address, "--data", data) }
    /// Presses Ctrl-C in the middle of a transfer, once so many bytes have gone by; gives its id.
    func interrupt(_ program: ChildProcess, at isSeen: @escaping @Sendable (_ up: Int, _ down: Int) -> Bool) async throws -> String {
        await relay.wait(until: isSeen)
        program.signal(SIGINT)
        _ = await program.waitForExit()
        let listed = try await transfers("list", "--json")
        let transfer = try #require(try (JSONSerialization.jsonObject(with: Data(listed.output.utf8)) as? [[String: Any]])?.last)
        return try #require(transfer["id"] as? String)
    }

    func transfers(_ arguments: String...) async throws -> Program.Outcome {
        try await Program.run(["transfers"] + arguments + ["--data", data])
    }
}
