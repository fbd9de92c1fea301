package import Foundation
import LadingTesting
import PostgreSQLClient

/// A temporary PostgreSQL server, which ends with the tests.
package final class PostgreSQLServer: Sendable {
    package enum Failure: Error {
        /// The server did not start; its output says why.
        case notStarted(String)
    }

    /// The server that the tests of a process share. Each test has a database of its own.
    private static let shared = Task { try await PostgreSQLServer() }

    /// The address of the server's first database.
    package let address: String
    private let process: ChildProcess

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - settings: Settings such as `wal_level=replica`.
    ///   - files: A folder whose files are copied into the server's data directory, such as `pg_hba.conf`; nil for none.
    package init(_ settings: [String] = [], files: URL? = nil, source: StaticString = #filePath) async throws {
        let package = URL(filePath: "\(source)").pathComponents.prefix { $0 != "Tests" }.joined(separator: "/")
        let options = files.map { ["--files", $0.path] } ?? []
        process = try ChildProcess(URL(filePath: package).appending(path: "Scripts/postgresql"), options + settings)
        for await line in process.output.lines {
            address = line
            return
        }
        throw Failure.notStarted(await process.error.lines.reduce(into: "") { $0 += $1 + "\n" })
    }

    /// Stops the server and deletes its data.
    package func stop() async { _ = await process.terminate() }

    /// Returns the address of a new, empty database.
    package static func makeDatabase() async throws -> String {
        try await shared.value.makeDatabase()
    }

    package func makeDatabase() async throws -> String {
        let name = "test_\(UUID().uuidString.lowercased().replacing("-", with: ""))"
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
        _ = try await client.write(PostgreSQLStatement(sql: "CREATE DATABASE \(name) TEMPLATE template0"))
        await client.shutDown()
        return address.replacing("/postgres", with: "/\(name)")
    }
}
