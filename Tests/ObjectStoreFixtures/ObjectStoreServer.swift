import Foundation
package import LadingHTTP
import LadingTesting
package import ObjectStorage

/// A temporary object store, which ends with the tests and accepts signed requests only.
package final class ObjectStoreServer: Sendable {
    package enum Failure: Error {
        /// The server did not start; its output says why.
        case notStarted(String)
    }

    /// The server that the tests of a process share. Each test has a prefix of its own.
    private static let shared = Task { try await ObjectStoreServer() }

    /// The address of the server's bucket.
    package let address: String
    /// The variables with credentials of each kind.
    package let permanent, temporary: [String: String]
    private let process: ChildProcess

    /// Starts a server.
    package init(source: StaticString = #filePath) async throws {
        let package = URL(filePath: "\(source)").pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
        process = try ChildProcess(URL(filePath: package).appending(path: "Scripts/object-store"), [])
        var lines: [String] = []
        for await line in process.output.lines {
            lines.append(line)
            if lines.count == 3 { break }
        }
        guard lines.count == 3 else { throw Failure.notStarted(await process.error.lines.reduce(into: "") { $0 += $1 + "\n" }) }
        address = lines[0]
        (permanent, temporary) = (Self.variables(in: lines[1]), Self.variables(in: lines[2]))
    }

    /// Stops the server and deletes its objects.
    package func stop() async { _ = await process.terminate() }

    /// Returns the server that the tests of a process share.
    package static func running() async throws -> ObjectStoreServer { try await shared.value }

    /// Returns the address of a new, empty part of the bucket.
    package func makeAddress() -> String { address.replacing("?", with: "/\(UUID().uuidString.lowercased())?", maxReplacements: 1) }

    /// Returns a client of an address.
    ///
    /// - Parameters:
    ///   - address: The address; nil for that of a new, empty part of the bucket.
    ///   - variables: Replacements in the permanent credentials.
    package func makeStore(
        _ address: String? = nil, variables: [String: String] = [:], limits: ObjectStoreLimits = ObjectStoreLimits(),
        executor: some BackendExecutor
    ) throws -> ObjectStore {
        ObjectStore(
            try ObjectStoreAddress(address ?? makeAddress()),
            credentials: try ObjectStoreCredentials(environment: permanent.merging(variables) { $1 }), executor: executor, limits: limits)
    }

    private static func variables(in line: String) -> [String: String] {
        let pairs = line.split(separator: " ").map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) })
    }
}
