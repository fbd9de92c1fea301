public import Foundation
import HTTPTypes
import LadingOperations

/// A Firebase Realtime Database over its REST interface.
///
/// ```swift
/// let database = RealtimeDatabase(project, client: client, authentication: authentication)
/// let orders = try database.reference("orders")
/// let order = try await orders.child("4711").get(Order.self)
/// ```
///
/// The ID token of whoever is signed in goes with each request to the database, as the parameter `auth`. It is added behind all interceptors of the client
/// and taken out of errors; a `RecordingExecutor` writes it down as redacted.
public struct RealtimeDatabase: Sendable {
    let project: FirebaseProject
    let client: BackendClient
    let streamClient: BackendClient
    let tokens: FirebaseTokenInterceptor?
    let listenerConfiguration: DatabaseListenerStateMachine.Configuration
    let stopwatch: Stopwatch
    let encoder: JSONEncoder
    let decoder: JSONDecoder

    /// - Parameters:
    ///   - streams: Asks for streams of events. The server is silent for half a minute and more in between, and each stream takes a connection: its executor should
    ///     have a limit of silence of a minute, and as many connections as there are streams. By default it is `client`, whose streams break and are opened
    ///     again when they are silent for longer than its executor allows.
    ///   - authentication: Whose ID token goes with each request; without one, and while nobody is signed in, the database is asked as nobody.
    ///   - patience: How long is waited before a stream that broke is opened again, and when it is given up.
    ///   - clock: What those waits are measured by.
    ///   - random: Draws a number evenly from 0..<1.
    public init(
        _ project: FirebaseProject, client: BackendClient, streamClient: BackendClient? = nil, authentication: FirebaseAuthentication? = nil,
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, encoder: JSONEncoder = JSONEncoder(),
        decoder: JSONDecoder = JSONDecoder()
    ) {
        let tokens = authentication.map { authentication in
            FirebaseTokenInterceptor(authentication: authentication, service: project.database, location: .queryParameter) { reply in
                reply.status == .unauthorized && Self.isTokenRejection(FirebaseErrorBody(reply)?.message)
            }
        }
        self.project = project
        self.client = tokens.map(client.adding) ?? client
        // Their messages have the token in them already, which interceptors must not see.
        // That a stream ends is no failure of the server, and when it is opened again is decided by the patience.
        self.streamClient = (streamClient ?? client).withoutInterceptors().withoutRetries()
        self.tokens = tokens
        listenerConfiguration = DatabaseListenerStateMachine.Configuration(retryPolicy: retryPolicy, canRefreshToken: authentication != nil, jitter: jitter)
        stopwatch = Stopwatch(clock)
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The root of the database.
    public var root: DatabaseReference { DatabaseReference(self, .root) }

    /// A place in the database, such as `orders/4711`; parts that come from elsewhere are better added with `child`.
    ///
    /// - Throws: `Failure.badKey`, or `.tooDeep`.
    public func reference(_ path: String) throws(Failure) -> DatabaseReference { DatabaseReference(self, try DatabasePath(path)) }

    /// Whether the words of a refusal mean the token; “Permission denied” means its user.
    static func isTokenRejection(_ reason: String?) -> Bool { reason?.lowercased().contains("token") ?? false }
}

// MARK: - Asking

extension RealtimeDatabase {
    func message(
        _ method: HTTPRequest.Method, _ path: DatabasePath, query: URLQuery = [:], headers: HTTPFields = [:], body: RequestBody = []
    ) -> RequestMessage {
        var query = query
        if let namespace = project.databaseNamespace { query.append("ns", .init(namespace)) }
        var message = project.database.message(method, path.resource, query: query, headers: headers)
        message.body = body
        if !body.isEmpty { message.headers[.contentType] = "application/json" }
        return message
    }

    /// The reply to a message, if it says that all went well, or that a condition was not met.
    ///
    /// - Throws: `Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
    func send(_ message: RequestMessage) async throws -> BackendResponse {
        let reply = try await client.response(to: message, within: project.database.limits)
        guard reply.status.kind != .successful, reply.status != .preconditionFailed else { return reply }
        throw Self.failure(reply)
    }

    /// What a refusal means: one that may pass is a `BackendError`, which can be tried again like any other.
    static func failure(_ response: BackendResponse) -> any Error {
        guard !ResponseHead(status: response.status, headers: response.headers).isTransientFailure, response.status.kind == .clientError else {
            return BackendError.status(response.status.code, response.url, headers: response.headers)
        }
        return Failure.refused(status: response.status.code, reason: FirebaseErrorBody(response)?.message ?? response.status.reasonPhrase)
    }
}

extension HTTPField.Name {
    /// Asks the database for an entity tag.
    static let firebaseETag = HTTPField.Name("X-Firebase-ETag")!
}
