import Foundation
import LadingTesting
import Testing

/// A server with a data directory, a proxy in front of it, a client's data directory, and a file of 32 MiB.
struct TransferFixture: Sendable {
    private static let announcement = "The orders are served at "
    static let length = 32 << 20

    let folder: URL
    let proxy: CountingProxy
    private let simulationOptions: [String]

    private init(folder: URL, proxy: CountingProxy, simulationOptions: [String]) {
        (self.folder, self.proxy, self.simulationOptions) = (folder, proxy, simulationOptions)
    }

    /// Runs a test with a running server, then cleans up.
    static func with(
        simulationOptions: [String] = [], _ test: (TransferFixture, Server) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "transfers-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try await start(in: folder, simulationOptions)
        let fixture = TransferFixture(folder: folder, proxy: try await CountingProxy(to: server.port), simulationOptions: simulationOptions)
        defer { fixture.proxy.stop() }
        try await test(fixture, server)
    }

    /// A running server and its port.
    struct Server: Sendable {
        let program: ChildProcess
        let port: Int

        /// Kills it with SIGKILL.
        func kill() async {
            program.signal(SIGKILL)
            _ = await program.waitForExit()
        }
    }

    private static func start(in folder: URL, _ simulationOptions: [String]) async throws -> Server {
        let arguments =
            ["serve", "--port", "0", "--orders", "1", "--deliveries", "0", "--data", folder.appending(path: "server").path]
            + simulationOptions
        let (program, address) = try await Program.start(arguments, announcing: announcement)
        return Server(program: program, port: try #require(URL(string: address)?.port))
    }

    /// Restarts the server on another port and updates the proxy.
    func restart() async throws -> Server {
        let server = try await Self.start(in: folder, simulationOptions)
        proxy.move(to: server.port)
        return server
    }

    // MARK: Files

    var source: URL { folder.appending(path: "source.bin") }
    var target: URL { folder.appending(path: "targets/target.bin") }
    var address: String { "http://127.0.0.1:\(proxy.port)/uploads/file.bin" }
    /// The uploaded file in the server's data directory.
    var stored: URL { folder.appending(path: "server/uploads/files/file.bin") }
    private var data: String { folder.appending(path: "client").path }

    /// Writes the source file with random bytes, so that no two parts are equal.
    func makeSource() throws {
        let random = try FileHandle(forReadingFrom: URL(filePath: "/dev/urandom"))
        try random.read(upToCount: Self.length)?.write(to: source)
        try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    }

    /// Copies the source file into the server's uploads.
    func serveSource() throws {
        try FileManager.default.copyItem(at: source, to: stored)
    }

    func isSame(_ file: URL) -> Bool { FileManager.default.contentsEqual(atPath: source.path, andPath: file.path) }

    /// The names in the directory of the download, including hidden files.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: target.deletingLastPathComponent().path)) ?? []).sorted()
    }

    /// The number of bytes in these files.
    var received: Int {
        let folder = target.deletingLastPathComponent()
        return names.reduce(0) { $0 + ((try? folder.appending(path: $1).resourceValues(forKeys: [.fileSizeKey]).fileSize) ?? 0) }
    }

    // MARK: Commands

    func download(_ options: String...) throws -> ChildProcess {
        try Program.launch(["download", address, "--to", target.path, "--data", data] + options)
    }
    func upload() throws -> ChildProcess { try Program.launch("upload", source.path, "--to", address, "--data", data) }
    /// Interrupts a transfer with Ctrl-C once the byte counts satisfy a condition, and returns its id.
    func interrupt(_ program: ChildProcess, at isSeen: @escaping @Sendable (_ up: Int, _ down: Int) -> Bool) async throws -> String {
        await proxy.wait(until: isSeen)
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
