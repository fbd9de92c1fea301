import Foundation
import HTTPTypes
import LadingOperations

/// Keeps a stream of events open: asks, reads, and does what `DatabaseListenerStateMachine` decides.
struct DatabaseListener: Sendable {
    /// When and how the stream is to be opened.
    private struct ConnectionAttempt {
        var delay: Duration
        var refreshesToken: Bool
    }

    /// What the decision gave up for.
    private struct TerminalError: Error { let cause: any Error }

    /// How long a stream may take to begin, and how much of the words of a refusal is read, in bytes.
    private static let headTimeout = Duration.seconds(30)
    private static let errorBodyLimit = 64 << 10

    private let database: RealtimeDatabase
    private let path: DatabasePath
    private let query: DatabaseQuery?
    private var stateMachine: DatabaseListenerStateMachine
    /// The token that the stream was opened with last.
    private var token: String?

    init(_ database: RealtimeDatabase, _ path: DatabasePath, _ query: DatabaseQuery?) {
        self.database = database
        self.path = path
        self.query = query
        stateMachine = DatabaseListenerStateMachine(path, database.listenerConfiguration)
    }

    /// Hands over the events of the stream, until it is given up or nobody takes them any more.
    mutating func run(_ channel: RendezvousChannel<DatabaseEvent>) async {
        do {
            let message = try message()
            var next = try await handle(.begin, channel)
            while let opening = next {
                if opening.delay > .zero { try await database.stopwatch.sleep(database.stopwatch.elapsed() + opening.delay) }
                next = try await open(message, opening, channel)
            }
        } catch let end as TerminalError {
            channel.finish(.failure(end.cause))
        } catch {
            channel.finish(.failure(error))
        }
    }

    private func message() throws -> RequestMessage {
        // A coded stream might be held back until there is enough of it to be decoded.
        let fields: HTTPFields = [.accept: "text/event-stream", .acceptEncoding: "identity", .cacheControl: "no-cache"]
        return database.message(.get, path, query: try query?.parameters() ?? [:], headers: fields)
    }

    /// Reads a stream to its end, and says how it is to be opened again.
    private mutating func open(
        _ message: RequestMessage, _ opening: ConnectionAttempt, _ channel: RendezvousChannel<DatabaseEvent>
    ) async throws -> ConnectionAttempt? {
        do {
            let message = try await authorized(message, opening)
            return try await database.streamClient.exchange(message, headTimeout: Self.headTimeout) { head, body, url in
                guard head.status == .ok else { return try await handleRefusal(head, body, url, channel) }
                let type = head.headers[.contentType]
                guard type?.lowercased().hasPrefix("text/event-stream") ?? false else { throw EventStreamError.unexpectedContentType(type) }
                for try await event in ServerSentEvents(body, eventLimit: database.project.database.limits.bodySize) {
                    if let opening = try await handle(.signal(signal(event)), channel) { return opening }
                }
                throw BackendError.interrupted(url, cause: URLError(.networkConnectionLost))
            }
        } catch let error where error is TerminalError || error is CancellationError {
            throw error
        } catch {
            return try await handle(.failed(AttemptFailure(FirebaseSecrets.removed(from: error))), channel)
        }
    }

    private mutating func authorized(_ message: RequestMessage, _ opening: ConnectionAttempt) async throws -> RequestMessage {
        guard let tokens = database.tokens else { return message }
        token = try await tokens.token(for: message, replacing: opening.refreshesToken ? token : nil)
        return token.map { tokens.adding($0, to: message) } ?? message
    }

    private func signal(_ event: ServerSentEvent) throws -> DatabaseEvent.Signal {
        do { return try DatabaseEvent.Signal(event) } catch {
            throw RealtimeDatabase.Failure.decodingFailed(path, cause: error)
        }
    }

    private mutating func handleRefusal(
        _ head: ResponseHead, _ body: ResponseBody, _ url: URL, _ channel: RendezvousChannel<DatabaseEvent>
    ) async throws -> ConnectionAttempt? {
        let failure = RealtimeDatabase.failure(try await BackendResponse(url: url, head, body, limit: Self.errorBodyLimit))
        if case RealtimeDatabase.Failure.refused(401, let reason) = failure, RealtimeDatabase.isTokenRejection(reason), token != nil {
            return try await handle(.tokenRejected(reason), channel)
        }
        guard head.isTransientFailure else { throw failure }
        throw AttemptFailure.transient(FirebaseSecrets.removed(from: failure), retryAfter: head.headers.retryAfter(now: nil))
    }

    /// Tells the decision an event and does what it says; gives how the stream is to be opened next.
    private mutating func handle(_ event: DatabaseListenerStateMachine.Event, _ channel: RendezvousChannel<DatabaseEvent>) async throws -> ConnectionAttempt? {
        var effects: [DatabaseListenerStateMachine.Effect] = []
        stateMachine.handle(event, effects: &effects)
        var opening: ConnectionAttempt?
        for effect in effects {
            switch effect {
            case .open(let delay, let isRenewing): opening = ConnectionAttempt(delay: delay, refreshesToken: isRenewing)
            case .deliver(let event): try await channel.send(event)
            case .fail(let error): throw TerminalError(cause: error)
            }
        }
        return opening
    }
}
