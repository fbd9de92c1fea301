/// Where the services of a Firebase project are, and what all requests to them have in common.
///
/// ```swift
/// let project = try FirebaseProject(id: "groceries", apiKey: "AIza…")
/// let local = try FirebaseProject.emulator(id: "groceries")
/// ```
///
/// An API key names a project and opens nothing; it is no secret.
public struct FirebaseProject: Sendable {
    public var apiKey: String
    /// Signs in and up: `https://identitytoolkit.googleapis.com`.
    public var identity: BackendEnvironment
    /// Renews ID tokens: `https://securetoken.googleapis.com`.
    public var tokens: BackendEnvironment
    /// The Realtime Database.
    public var database: BackendEnvironment
    /// Which database of a server is meant, where its URL does not tell (`ns`).
    public var databaseNamespace: String?
    /// Cloud Storage for Firebase: `https://firebasestorage.googleapis.com`.
    public var storage: BackendEnvironment
    /// Where files are kept.
    public var bucket: String

    public init(
        apiKey: String, identity: BackendEnvironment, tokens: BackendEnvironment, database: BackendEnvironment,
        databaseNamespace: String? = nil, storage: BackendEnvironment, bucket: String
    ) {
        self.apiKey = apiKey
        self.identity = identity
        self.tokens = tokens
        self.database = database
        self.databaseNamespace = databaseNamespace
        self.storage = storage
        self.bucket = bucket
    }

    /// A project in the cloud.
    ///
    /// - Parameters:
    ///   - databaseURL: As the console shows it; by default that of the first database of a project in the United States.
    ///   - bucket: As the console shows it, without `gs://`; by default the first of the project.
    /// - Throws: `BackendEnvironment.Failure`.
    public init(id: String, apiKey: String, databaseURL: String? = nil, bucket: String? = nil) throws {
        self.init(
            apiKey: apiKey, identity: try BackendEnvironment(baseURL: "https://identitytoolkit.googleapis.com"),
            tokens: try BackendEnvironment(baseURL: "https://securetoken.googleapis.com"),
            database: try BackendEnvironment(baseURL: databaseURL ?? "https://\(id)-default-rtdb.firebaseio.com"),
            storage: try BackendEnvironment(baseURL: "https://firebasestorage.googleapis.com"),
            bucket: bucket ?? "\(id).firebasestorage.app")
    }

    /// A project in the emulators of the Firebase command line, at the ports that they have unless told otherwise.
    ///
    /// - Throws: `BackendEnvironment.Failure`.
    public static func emulator(
        id: String, host: String = "127.0.0.1", authenticationPort: Int = 9099, databasePort: Int = 9000, storagePort: Int = 9199
    ) throws -> FirebaseProject {
        let authentication = "http://\(host):\(authenticationPort)"
        return FirebaseProject(
            apiKey: "emulator", identity: try BackendEnvironment(baseURL: "\(authentication)/identitytoolkit.googleapis.com"),
            tokens: try BackendEnvironment(baseURL: "\(authentication)/securetoken.googleapis.com"),
            database: try BackendEnvironment(baseURL: "http://\(host):\(databasePort)"), databaseNamespace: "\(id)-default-rtdb",
            storage: try BackendEnvironment(baseURL: "http://\(host):\(storagePort)"), bucket: "\(id).firebasestorage.app")
    }
}
