import Channels

/// The changes at a location of the database, reported while the sequence is iterated.
///
/// Each iterator has its own stream, opened when the iterator is created and closed when it is released or its task is cancelled. An
/// interrupted stream is reopened after growing delays, with a new token if the old one was rejected, and for the same user only. A slow
/// reader applies back-pressure if the executor supports it.
///
/// Iteration throws `RealtimeDatabase.Failure` (such as `.cancelled`), `FirebaseAuthentication.Failure`, `BackendError`, `EventStreamError` or
/// `CancellationError`.
public struct DatabaseEvents: AsyncSequence, Sendable {
    public typealias Element = DatabaseEvent

    fileprivate let listener: DatabaseListener

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(listener)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        public nonisolated(nonsending) mutating func next() async throws -> DatabaseEvent? { try await subscription.channel.next() }
    }

    /// The stream of one reader, closed on deinitialization.
    fileprivate final class Subscription: Sendable {
        let channel = RendezvousChannel<DatabaseEvent>()
        private let task: Task<Void, Never>

        init(_ listener: DatabaseListener) {
            task = Task { [channel] in
                var listener = listener
                await listener.run(channel)
            }
        }

        deinit { task.cancel() }
    }
}

extension DatabaseReference {
    /// Returns the events at this location: a `put` of the whole value, then each change as it occurs.
    ///
    /// - Parameter query: The children to include; nil for all.
    public func events(where query: DatabaseQuery? = nil) -> DatabaseEvents {
        DatabaseEvents(listener: DatabaseListener(database, path, query))
    }
}
