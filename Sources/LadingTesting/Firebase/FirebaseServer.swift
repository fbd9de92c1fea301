public import Foundation
public import HTTPTypes
public import LadingHTTP

/// A Firebase project on 127.0.0.1, in memory: accounts, a Realtime Database and files, by the published REST interfaces.
///
/// ```swift
/// let server = try FirebaseServer()
/// defer { server.stop() }
/// server.addUser("ada@example.org", password: "secret")
/// let database = RealtimeDatabase(server.project, client: client)
/// ```
///
/// It is for tests: whatever goes wrong in the cloud goes wrong here when it is told to.
public final class FirebaseServer: Sendable {
    /// Who may do something at a path of the database, or with a file by its folders and name; nobody is nil. It must not ask the server.
    public typealias Rule = @Sendable (_ path: [String], _ userID: String?) -> Bool

    private static let bucket = "demo.firebasestorage.app"

    /// Where it is.
    public let project: FirebaseProject
    /// What it has seen.
    package let httpServer: ScriptedServer
    private let emulator: FirebaseEmulator

    /// - Parameters:
    ///   - tokenLifetime: How long ID tokens are good.
    ///   - now: The time of day, by which they expire.
    public init(tokenLifetime: Duration = .seconds(3_600), now: @escaping @Sendable () -> Date = { Date() }) throws {
        let emulator = FirebaseEmulator(bucket: Self.bucket, accounts: FirebaseAccounts(lifetime: tokenLifetime), now: now)
        self.emulator = emulator
        httpServer = try ScriptedServer { emulator.steps(for: $0) }
        let port = httpServer.port
        project = try .emulator(id: "demo", authenticationPort: port, databasePort: port, storagePort: port)
        emulator.change { $0.files.base = "http://127.0.0.1:\(port)" }
    }

    /// Closes all connections and listens no more.
    public func stop() { httpServer.stop() }

    /// Method and target of each request that has arrived, in order.
    public var requests: [String] { httpServer.log.requests.map { "\($0.method) \($0.target)" } }

    /// Answers the next requests with these statuses, whatever they are.
    public func failNextRequests(with statuses: HTTPResponse.Status...) { emulator.change { $0.failures += statuses } }
}

// MARK: - Accounts

extension FirebaseServer {
    /// Makes an account, and gives its id.
    @discardableResult
    public func addUser(_ email: String, password: String) -> String { emulator.change { $0.accounts.add(email, password) } }

    /// Lets a user sign in no more.
    public func disableUser(_ id: String) { emulator.change { $0.accounts.disable(id) } }

    /// ID tokens that are out are no longer good, and streams that were opened with them end with `auth_revoked`.
    public func expireTokens() {
        emulator.change { $0.accounts.expireTokens() }
        emulator.endUnauthorizedStreams()
    }

    /// Refresh tokens that are out are no longer good.
    public func revokeRefreshTokens() { emulator.change { $0.accounts.revokeRefreshTokens() } }

    /// How often an ID token was renewed.
    public var tokenRefreshCount: Int { emulator.change { $0.accounts.refreshCount } }

    /// Says who may read and write, in the database and in the storage; streams that may no longer be read end with `cancel`.
    public func setRules(read: @escaping Rule, write: @escaping Rule) {
        emulator.change { ($0.mayRead, $0.mayWrite) = (read, write) }
        emulator.endUnauthorizedStreams()
    }
}

// MARK: - Database

extension FirebaseServer {
    /// What is at a path of the database.
    public func value(at path: String = "") -> JSONValue { emulator.change { $0.tree.value(at: Self.keys(path)) } }

    /// Writes as somebody else would, whom no rule binds; streams hear of it.
    public func write(_ value: JSONValue, at path: String = "") { emulator.write(value, at: Self.keys(path)) }

    /// Tells all streams that they are alive, as the service does every half minute.
    public func sendKeepAlive() { emulator.change { state in for stream in state.streams { stream.send("keep-alive", .null) } } }

    /// Breaks the connections of all streams.
    public func disconnectStreams() { emulator.endStreams() }

    /// Streams are sent to this host (307), which must be another name of 127.0.0.1; nil keeps them.
    public func redirectStreams(to host: String?) { emulator.change { $0.streamHost = host } }

    /// Waits until so many streams are open.
    ///
    /// - Throws: `CancellationError` when the task is cancelled while it waits.
    public nonisolated(nonsending) func waitForStreams(_ count: Int) async throws { try await emulator.streamCount.wait { $0 == count } }

    private static func keys(_ path: String) -> [String] { path.split(separator: "/").map(String.init) }
}

// MARK: - Storage

extension FirebaseServer {
    /// The content of a file; nil when there is none.
    public func content(of name: String) -> [UInt8]? { emulator.change { $0.files.content(of: name) } }

    /// Keeps a file.
    public func storeFile(_ content: [UInt8], as name: String, type: String = "application/octet-stream") {
        let now = emulator.now()
        emulator.change { $0.files.put(content, as: name, type: type, at: now) }
    }

    /// Takes about half of a part of an upload, and breaks the connection then.
    ///
    /// - Parameter count: Which one, counted from now.
    public func interruptUpload(atPart count: Int = 1) { emulator.change { $0.files.partsUntilInterruption = count } }

    /// Forgets all uploads that have not ended.
    public func discardUploads() { emulator.change { $0.files.discardSessions() } }
}
