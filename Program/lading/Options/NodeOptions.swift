import ArgumentParser
import Foundation
import LadingNIO
import Logging
import Window

/// The place of the window among others behind a load balancer.
struct NodeOptions: ParsableArguments {
    /// The maximum number of pages of other windows whose streams pass through this one, for each of them.
    private static let connectionsPerNode = WindowConfiguration.defaultPages

    @Option(
        help: ArgumentHelp(
            """
            The address at which the other windows behind the same load balancer reach this one, such as http://10.0.0.1:8080. It requires \
            --node-secret-file.
            """, valueName: "url"),
        transform: WebAddress.init(argument:))
    var node: WebAddress?

    @Option(
        help: ArgumentHelp("The file with a secret that these windows share, at least 16 bytes.", valueName: "file"), completion: .file())
    var nodeSecretFile: String?

    func validate() throws {
        if node != nil, nodeSecretFile == nil {
            throw ValidationError("--node requires --node-secret-file, a secret that the windows share.")
        }
        if nodeSecretFile != nil, node == nil { throw ValidationError("--node-secret-file requires --node, the address of this window.") }
    }

    /// The place; nil for a single window.
    ///
    /// - Throws: `ProgramFailure` for a file that cannot be used.
    func place() throws -> WindowNode? {
        guard let node, let nodeSecretFile else { return nil }
        guard let text = try? String(contentsOf: URL(filePath: nodeSecretFile), encoding: .utf8) else {
            throw ProgramFailure(
                message: "\(nodeSecretFile) cannot be read: write a secret into it, such as that of \"openssl rand -hex 32\"")
        }
        let secret = Array(text.trimmingCharacters(in: .whitespacesAndNewlines).utf8)
        guard secret.count >= WindowNode.minimumSecretLength else {
            throw ProgramFailure(message: "\(nodeSecretFile) must contain a secret of at least \(WindowNode.minimumSecretLength) bytes")
        }
        let executor = AsyncHTTPClientExecutor(
            connectionsPerHost: Self.connectionsPerNode, connectTimeout: .seconds(1), readTimeout: .seconds(60), decompressesBodies: false,
            usesHTTP2: false, userAgent: nil, logger: Logger(label: "lading"))
        return WindowNode(address: node.url, secret: secret, executor: executor) { try? await executor.shutdown() }
    }
}
