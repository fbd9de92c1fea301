/// What happens at a place of the database, for as long as it is read.
///
/// Each reader has a stream of its own, which is opened when it begins to read and closed when it stops, by leaving the loop or by the end of its task. A stream that broke is
/// opened again by itself, after waits that grow, and with another token where that is what was wrong. Whoever reads slowly makes the server wait, as far as the executor can.
///
/// What is thrown is a `RealtimeDatabase.Failure`, such as `.cancelled`, or `FirebaseAuthentication.Failure`, `BackendError`, `EventStreamError` or `CancellationError`.
public struct DatabaseEvents: AsyncSequence, Sendable {
    public typealias Element = DatabaseEvent

    fileprivate let listener: DatabaseListener

    public func makeAsyncIterator() -> Iterator { Iterator(subscription: Subscription(listener)) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let subscription: Subscription

        public nonisolated(nonsending) mutating func next() async throws -> DatabaseEvent? { try await subscription.channel.next() }
    }

    /// The stream of one reader; it is closed with it.
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
    /// What happens here: a `put` of all there is first, and then each change, as it comes.
    ///
    /// - Parameter query: Which of the children are wanted; nil means all.
    public func events(where query: DatabaseQuery? = nil) -> DatabaseEvents {
        DatabaseEvents(listener: DatabaseListener(database, path, query))
    }
}
