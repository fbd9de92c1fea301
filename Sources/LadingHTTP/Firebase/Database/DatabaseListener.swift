import Foundation
import HTTPTypes
import LadingOperations

/// Keeps a stream of events open: asks, reads, and does what `DatabaseListening` decides.
struct DatabaseListener: Sendable {
    /// When and how the stream is to be opened.
    private struct Opening {
        var delay: Duration
        var isRenewing: Bool
    }

    /// What the decision gave up for.
    private struct End: Error { let cause: any Error }

    /// How long a stream may take to begin, and how much of the words of a refusal is read, in bytes.
    private static let headTime = Duration.seconds(30)
    private static let refusalLimit = 64 << 10

    private let database: RealtimeDatabase
    private let path: DatabasePath
    private let query: DatabaseQuery?
    private var listening: DatabaseListening
    /// The token that the stream was opened with last.
    private var token: String?

    init(_ database: RealtimeDatabase, _ path: DatabasePath, _ query: DatabaseQuery?) {
        self.database = database
        self.path = path
        self.query = query
        listening = DatabaseListening(path, database.listening)
    }

    /// Hands over the events of the stream, until it is given up or nobody takes them any more.
    mutating func run(_ handover: Handover<DatabaseEvent>) async {
        do {
            let message = try message()
            var next = try await handle(.begin, handover)
            while let opening = next {
                if opening.delay > .zero { try await database.stopwatch.sleep(database.stopwatch.elapsed() + opening.delay) }
                next = try await open(message, opening, handover)
            }
        } catch let end as End {
            handover.end(.failure(end.cause))
        } catch {
            handover.end(.failure(error))
        }
    }

    private func message() throws -> RequestMessage {
        // A coded stream might be held back until there is enough of it to be decoded.
        let fields: HTTPFields = [.accept: "text/event-stream", .acceptEncoding: "identity", .cacheControl: "no-cache"]
        return database.message(.get, path, query: try query?.parameters() ?? [:], headers: fields)
    }

    /// Reads a stream to its end, and says how it is to be opened again.
    private mutating func open(
        _ message: RequestMessage, _ opening: Opening, _ handover: Handover<DatabaseEvent>
    ) async throws -> Opening? {
        do {
            let message = try await authorized(message, opening)
            return try await database.streamClient.exchange(message, headTime: Self.headTime) { head, body, url in
                guard head.status == .ok else { return try await refused(head, body, url, handover) }
                let type = head.headers[.contentType]
                guard type?.lowercased().hasPrefix("text/event-stream") ?? false else { throw EventStreamError.otherType(type) }
                for try await event in ServerSentEvents(body, eventLimit: database.project.database.bounds.bodySize) {
                    if let opening = try await handle(.signal(signal(event)), handover) { return opening }
                }
                throw BackendError.interrupted(url, cause: URLError(.networkConnectionLost))
            }
        } catch let error where error is End || error is CancellationError {
            throw error
        } catch {
            return try await handle(.broke(TransferTrouble(FirebaseSecrets.removed(from: error))), handover)
        }
    }

    private mutating func authorized(_ message: RequestMessage, _ opening: Opening) async throws -> RequestMessage {
        guard let tokens = database.tokens else { return message }
        token = try await tokens.token(for: message, insteadOf: opening.isRenewing ? token : nil)
        return token.map { tokens.bearing($0, message) } ?? message
    }

    private func signal(_ event: ServerSentEvent) throws -> DatabaseEvent.Signal {
        do { return try DatabaseEvent.Signal(event) } catch {
            throw RealtimeDatabase.Failure.undecodable(path, cause: error)
        }
    }

    private mutating func refused(
        _ head: ReplyHead, _ body: ReplyBody, _ url: URL, _ handover: Handover<DatabaseEvent>
    ) async throws -> Opening? {
        let failure = RealtimeDatabase.failure(try await BackendReply(url: url, head, body, limit: Self.refusalLimit))
        if case RealtimeDatabase.Failure.refused(401, let reason) = failure, RealtimeDatabase.isAboutToken(reason), token != nil {
            return try await handle(.refused(reason), handover)
        }
        guard head.isWorthAnotherTry else { throw failure }
        throw TransferTrouble.passing(FirebaseSecrets.removed(from: failure), wait: head.headers.retryAfter(now: nil))
    }

    /// Tells the decision an event and does what it says; gives how the stream is to be opened next.
    private mutating func handle(_ event: DatabaseListening.Event, _ handover: Handover<DatabaseEvent>) async throws -> Opening? {
        var effects: [DatabaseListening.Effect] = []
        listening.handle(event, effects: &effects)
        var opening: Opening?
        for effect in effects {
            switch effect {
            case .open(let delay, let isRenewing): opening = Opening(delay: delay, isRenewing: isRenewing)
            case .deliver(let event): try await handover.give(event)
            case .fail(let error): throw End(cause: error)
            }
        }
        return opening
    }
}
