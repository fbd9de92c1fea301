public import Foundation
import HTTPTypes
public import LadingHTTP
public import LadingTransfers
import Timing

/// A Firebase Realtime Database over its REST interface.
///
/// ```swift
/// let database = RealtimeDatabase(project, client: client, authentication: authentication)
/// let orders = try database.reference("orders")
/// let order = try await orders.child("4711").get(Order.self)
/// ```
///
/// Each request to the database carries the ID token of the signed-in user as the parameter `auth`. It is added after all interceptors of the client
/// and removed from errors; a `RecordingExecutor` redacts it. The interceptors get the head of an event stream at its end, and cannot repeat it.
public struct RealtimeDatabase: Sendable {
    let project: FirebaseProject
    let client: BackendClient
    let streamClient: BackendClient
    let tokens: FirebaseTokenInterceptor?
    let listenerConfiguration: DatabaseListenerStateMachine.Configuration
    let stopwatch: Stopwatch
    let encoder: JSONEncoder
    let decoder: JSONDecoder

    /// Creates a client of a database.
    ///
    /// - Parameters:
    ///   - streamClient: The client for event streams. The server may be silent for more than half a minute, and each stream occupies a connection:
    ///     its executor should have a read timeout of a minute and as many connections as there are streams. The default is `client`, whose streams
    ///     are interrupted and reopened when the silence exceeds the read timeout of its executor. Streams pass through its interceptors, and not
    ///     through its circuit breakers.
    ///   - authentication: The source of ID tokens; without one, or while no user is signed in, requests are unauthenticated.
    ///   - retryPolicy: The delays before an interrupted stream is reopened, and the maximum number of attempts.
    ///   - clock: The clock for those delays.
    ///   - jitter: Returns a uniformly distributed number in 0..<1.
    public init(
        _ project: FirebaseProject, client: BackendClient, streamClient: BackendClient? = nil,
        authentication: FirebaseAuthentication? = nil,
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        jitter: @escaping @Sendable () -> Double = { .random(in: 0..<1) }, encoder: JSONEncoder = JSONEncoder(),
        decoder: JSONDecoder = JSONDecoder()
    ) {
        let tokens = authentication.map { authentication in
            FirebaseTokenInterceptor(authentication: authentication, service: project.database, location: .queryParameter) { response in
                response.status == .unauthorized && Self.isTokenRejection(FirebaseErrorBody(response)?.message)
            }
        }
        self.project = project
        self.client = tokens.map(client.adding) ?? client
        // The end of a stream is no failure of the server, and `retryPolicy` decides when it is reopened. Its listener adds the token.
        self.streamClient = (streamClient ?? client).withoutRetries()
        self.tokens = tokens
        listenerConfiguration = DatabaseListenerStateMachine.Configuration(
            retryPolicy: retryPolicy, canRefreshToken: authentication != nil, jitter: jitter)
        stopwatch = Stopwatch(clock)
        self.encoder = encoder
        self.decoder = decoder
    }

    /// The root of the database.
    public var root: DatabaseReference { DatabaseReference(self, .root) }

    /// Returns a location in the database, such as `orders/4711`. Append keys from external input with `child`.
    ///
    /// - Throws: `Failure.invalidKey` or `.pathTooLong`.
    public func reference(_ path: String) throws(Failure) -> DatabaseReference { DatabaseReference(self, try DatabasePath(path)) }

    /// Whether the reason of a rejection concerns the token; “Permission denied” concerns its user.
    static func isTokenRejection(_ reason: String?) -> Bool { reason?.lowercased().contains("token") ?? false }
}

// MARK: - Requests

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

    /// Returns the response to a message if it reports success or a failed precondition.
    ///
    /// - Throws: `Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
    func send(_ message: RequestMessage) async throws -> BackendResponse {
        let response = try await client.response(to: message, within: project.database.limits)
        guard response.status.kind != .successful, response.status != .preconditionFailed else { return response }
        throw Self.failure(response)
    }

    /// Returns the error for a rejection. A transient one is a `BackendError`, which can be retried like any other.
    static func failure(_ response: BackendResponse) -> any Error {
        guard !ResponseHead(status: response.status, headers: response.headers).isTransientFailure, response.status.kind == .clientError
        else {
            return BackendError(statusOf: response)
        }
        return Failure.refused(status: response.status.code, reason: FirebaseErrorBody(response)?.message ?? response.status.reasonPhrase)
    }
}

extension HTTPField.Name {
    /// The field that requests an entity tag from the database.
    static let firebaseETag = HTTPField.Name("X-Firebase-ETag")!
}
