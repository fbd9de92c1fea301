public import Foundation
public import HTTPTypes
public import LadingFirebase
public import LadingHTTP
package import ScriptedServers

/// A Firebase project in memory, served on 127.0.0.1: accounts, a Realtime Database and files.
///
/// ```swift
/// let server = try FirebaseServer()
/// defer { server.stop() }
/// server.addUser("ada@example.org", password: "secret")
/// let database = RealtimeDatabase(server.project, client: client)
/// ```
///
/// It implements the published REST interfaces, and can produce the failures of the cloud services.
public final class FirebaseServer: Sendable {
    /// Whether a user may access a path of the database, or a file by its folders and name; nil for no user. It must not access the server.
    public typealias Rule = @Sendable (_ path: [String], _ userID: String?) -> Bool

    private static let bucket = "demo.firebasestorage.app"

    /// The project's configuration with the addresses of the server.
    public let project: FirebaseProject
    /// The HTTP server, which records requests.
    package let httpServer: ScriptedServer
    private let emulator: FirebaseEmulator

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - tokenLifetime: The lifetime of ID tokens.
    ///   - now: Returns the present time, by which tokens expire.
    /// - Throws: An error of the operating system when it has no port or socket left.
    public init(tokenLifetime: Duration = .seconds(3_600), now: @escaping @Sendable () -> Date = { Date() }) throws {
        let emulator = FirebaseEmulator(bucket: Self.bucket, accounts: FirebaseAccounts(lifetime: tokenLifetime), now: now)
        self.emulator = emulator
        httpServer = try ScriptedServer { emulator.steps(for: $0) }
        let port = httpServer.port
        project = try .emulator(id: "demo", authenticationPort: port, databasePort: port, storagePort: port)
        emulator.change { $0.files.base = "http://127.0.0.1:\(port)" }
    }

    /// Closes all connections and the listening socket; a second call does nothing.
    public func stop() { httpServer.stop() }

    /// The methods and targets of received requests, in order.
    public var requests: [String] { httpServer.log.requests.map { "\($0.method) \($0.target)" } }

    /// Fails the next requests with these statuses.
    public func failNextRequests(with statuses: HTTPResponse.Status...) { emulator.change { $0.failures += statuses } }
}

// MARK: - Accounts

extension FirebaseServer {
    /// Creates an account and returns its id.
    @discardableResult
    public func addUser(_ email: String, password: String) -> String { emulator.change { $0.accounts.add(email, password) } }

    /// Disables the sign-in of a user.
    public func disableUser(_ id: String) { emulator.change { $0.accounts.disable(id) } }

    /// Expires all issued ID tokens, and ends streams opened with them with `auth_revoked`.
    public func expireTokens() {
        emulator.change { $0.accounts.expireTokens() }
        emulator.endUnauthorizedStreams()
    }

    /// Revokes all issued refresh tokens.
    public func revokeRefreshTokens() { emulator.change { $0.accounts.revokeRefreshTokens() } }

    /// The number of refreshed ID tokens.
    public var tokenRefreshCount: Int { emulator.change { $0.accounts.refreshCount } }

    /// Sets the rules of the database and the storage. Streams that may no longer be read end with `cancel`.
    public func setRules(read: @escaping Rule, write: @escaping Rule) {
        emulator.change { ($0.mayRead, $0.mayWrite) = (read, write) }
        emulator.endUnauthorizedStreams()
    }
}

// MARK: - Database

extension FirebaseServer {
    /// Returns the value at a path of the database.
    public func value(at path: String = "") -> JSONValue { emulator.change { $0.tree.value(at: Self.keys(path)) } }

    /// Writes a value as another client that no rule restricts. Streams receive the change.
    ///
    /// - Precondition: The database accepts the value: its keys are valid.
    public func write(_ value: JSONValue, at path: String = "") { emulator.write(value, at: Self.keys(path)) }

    /// Sends `keep-alive` to all streams, as the service does every 30 seconds.
    public func sendKeepAlive() { emulator.change { state in for stream in state.streams { stream.send("keep-alive", .null) } } }

    /// Closes the connections of all streams.
    public func closeStreams() { emulator.endStreams() }

    /// Redirects streams to a host with a 307. The host must be another name of 127.0.0.1; nil ends the redirection.
    public func redirectStreams(to host: String?) { emulator.change { $0.streamHost = host } }

    /// Waits until a number of streams is open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func waitForStreams(_ count: Int) async throws { try await emulator.streamCount.wait { $0 == count } }

    private static func keys(_ path: String) -> [String] { DatabasePath.keys(of: path) }
}

// MARK: - Storage

extension FirebaseServer {
    /// Returns the content of a file; nil when there is none.
    public func content(of name: String) -> [UInt8]? { emulator.change { $0.files.content(of: name) } }

    /// Stores a file with a media type, as an upload that no rule restricts; an existing one is replaced.
    public func storeFile(_ content: [UInt8], as name: String, type: String = "application/octet-stream") {
        let now = emulator.now()
        emulator.change { $0.files.put(content, as: name, type: type, at: now) }
    }

    /// Accepts about half of an upload's part, then breaks the connection.
    ///
    /// - Parameter count: The number of the part, from 1 for the next one.
    public func interruptUpload(atPart count: Int = 1) { emulator.change { $0.files.partsUntilInterruption = count } }

    /// Discards all unfinished uploads.
    public func discardUploads() { emulator.change { $0.files.discardSessions() } }
}
