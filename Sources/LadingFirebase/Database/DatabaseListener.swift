import Channels
import Foundation
import HTTPTypes
import LadingHTTP
import LadingTransfers
import Timing

/// A listener that holds an event stream open and performs the effects of `DatabaseListenerStateMachine`.
struct DatabaseListener: Sendable {
    /// The parameters of the next connection.
    private struct ConnectionAttempt {
        var delay: Duration
        var refreshesToken: Bool
    }

    /// The error with which the state machine ended the stream.
    private struct TerminalError: Error { let cause: any Error }

    /// The time limit of a response head.
    private static let headTimeout = Duration.seconds(30)

    private let database: RealtimeDatabase
    private let path: DatabasePath
    private let query: DatabaseQuery?
    private var stateMachine: DatabaseListenerStateMachine
    /// The token of the last connection.
    private var token: String?
    /// The session that issued the token; nil while no user was signed in.
    private var session: FirebaseSession?

    init(_ database: RealtimeDatabase, _ path: DatabasePath, _ query: DatabaseQuery?) {
        self.database = database
        self.path = path
        self.query = query
        stateMachine = DatabaseListenerStateMachine(path, database.listenerConfiguration)
    }

    /// Sends the events of the stream to a channel until the stream fails permanently or its reader stops.
    mutating func run(_ channel: RendezvousChannel<DatabaseEvent>) async {
        do {
            let message = try message()
            var next = try await handle(.begin, channel)
            while let attempt = next {
                if attempt.delay > .zero { try await database.stopwatch.sleep(database.stopwatch.elapsed() + attempt.delay) }
                next = try await open(message, attempt, channel)
            }
        } catch let end as TerminalError {
            channel.finish(.failure(end.cause))
        } catch {
            channel.finish(.failure(error))
        }
    }

    private func message() throws -> RequestMessage {
        // An encoded stream may be buffered until there is enough of it to decode.
        let fields: HTTPFields = [.accept: "text/event-stream", .acceptEncoding: "identity", .cacheControl: "no-cache"]
        return database.message(.get, path, query: try query?.parameters() ?? [:], headers: fields)
    }

    /// Reads one connection to its end and returns the next attempt.
    private mutating func open(
        _ message: RequestMessage, _ attempt: ConnectionAttempt, _ channel: RendezvousChannel<DatabaseEvent>
    ) async throws -> ConnectionAttempt? {
        do {
            let client = try await client(for: message, attempt)
            return try await client.exchange(message, headTimeout: Self.headTimeout) { head, body, url in
                guard head.status == .ok else { return try await handleErrorResponse(head, body, url, channel) }
                let type = head.headers[.contentType]
                guard type?.lowercased().hasPrefix("text/event-stream") ?? false else { throw EventStreamError.unexpectedContentType(type) }
                for try await event in ServerSentEvents(body, eventLimit: database.project.database.limits.bodySize) {
                    if let attempt = try await handle(.signal(signal(event)), channel) { return attempt }
                }
                throw BackendError.interrupted(url, cause: URLError(.networkConnectionLost))
            }
        } catch let error where error is TerminalError || error is CancellationError {
            throw error
        } catch {
            return try await handle(.failed(AttemptFailure(FirebaseSecrets.removed(from: error))), channel)
        }
    }

    /// Returns the client of a connection, whose innermost interceptor adds the token, if any.
    ///
    /// - Throws: `.authenticationRevoked` when the user of the previous connection has signed out, and errors of a token refresh.
    private mutating func client(for message: RequestMessage, _ attempt: ConnectionAttempt) async throws -> BackendClient {
        guard let tokens = database.tokens, tokens.needsToken(message) else { return database.streamClient }
        let current = tokens.authentication.session
        // A stream of one user is not continued as another, or as nobody.
        guard session == nil || session?.credential.userID == current?.credential.userID else {
            throw RealtimeDatabase.Failure.authenticationRevoked("signed out")
        }
        guard let current else { return database.streamClient }
        session = current
        let newToken = try await tokens.authentication.token(of: current, replacing: attempt.refreshesToken ? token : nil)
        token = newToken
        return database.streamClient.adding(tokens.interceptor(adding: newToken))
    }

    private func signal(_ event: ServerSentEvent) throws -> DatabaseEvent.Signal {
        do { return try DatabaseEvent.Signal(event) } catch {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: error)
        }
    }

    private mutating func handleErrorResponse(
        _ head: ResponseHead, _ body: ResponseBody, _ url: URL, _ channel: RendezvousChannel<DatabaseEvent>
    ) async throws -> ConnectionAttempt? {
        let failure = RealtimeDatabase.failure(try await BackendResponse(url: url, head, body, limit: ErrorResponse.bodyLimit))
        if case RealtimeDatabase.Failure.refused(401, let reason) = failure, RealtimeDatabase.isTokenRejection(reason), token != nil {
            return try await handle(.tokenRejected(reason), channel)
        }
        guard head.isTransientFailure else { throw failure }
        throw AttemptFailure.transient(FirebaseSecrets.removed(from: failure), retryAfter: head.headers.retryAfter(now: nil))
    }

    /// Handles an event and performs its effects; returns the next attempt, if any.
    private mutating func handle(_ event: DatabaseListenerStateMachine.Event, _ channel: RendezvousChannel<DatabaseEvent>) async throws
        -> ConnectionAttempt?
    {
        var effects: [DatabaseListenerStateMachine.Effect] = []
        stateMachine.handle(event, effects: &effects)
        var attempt: ConnectionAttempt?
        for effect in effects {
            switch effect {
            case .open(let delay, let refreshesToken): attempt = ConnectionAttempt(delay: delay, refreshesToken: refreshesToken)
            case .deliver(let event): try await channel.send(event)
            case .fail(let error): throw TerminalError(cause: error)
            }
        }
        return attempt
    }
}
