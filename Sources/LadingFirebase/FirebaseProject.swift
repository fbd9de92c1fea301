public import LadingHTTP

/// The services of a Firebase project and the settings shared by all requests to them.
///
/// ```swift
/// let project = try FirebaseProject(id: "groceries", apiKey: "AIza…")
/// let local = try FirebaseProject.emulator(id: "groceries")
/// ```
///
/// An API key identifies a project and grants no access; it is not a secret.
public struct FirebaseProject: Sendable {
    package var apiKey: String
    /// The service for signing in and up: `https://identitytoolkit.googleapis.com`.
    public var identity: BackendEnvironment
    /// The service that refreshes ID tokens: `https://securetoken.googleapis.com`.
    public var tokens: BackendEnvironment
    /// The Realtime Database.
    public var database: BackendEnvironment
    /// The name of the database (`ns`), for servers whose URL does not imply it.
    package var databaseNamespace: String?
    /// Cloud Storage for Firebase: `https://firebasestorage.googleapis.com`.
    public var storage: BackendEnvironment
    /// The bucket that stores the files.
    package var bucket: String

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

    /// Creates a project in the cloud.
    ///
    /// - Parameters:
    ///   - databaseURL: The URL shown in the console; by default that of the first database of a project in the United States.
    ///   - bucket: The name shown in the console, without `gs://`; by default the first bucket of the project.
    /// - Throws: `BackendEnvironment.Failure`.
    public init(id: String, apiKey: String, databaseURL: String? = nil, bucket: String? = nil) throws {
        self.init(
            apiKey: apiKey, identity: try BackendEnvironment(baseURL: "https://identitytoolkit.googleapis.com"),
            tokens: try BackendEnvironment(baseURL: "https://securetoken.googleapis.com"),
            database: try BackendEnvironment(baseURL: databaseURL ?? "https://\(id)-default-rtdb.firebaseio.com"),
            storage: try BackendEnvironment(baseURL: "https://firebasestorage.googleapis.com"),
            bucket: bucket ?? "\(id).firebasestorage.app")
    }

    /// Returns a project in the emulators of the Firebase CLI, at their default ports.
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
