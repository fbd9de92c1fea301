import Synchronization

/// A channel that hands elements from one task to another; a sender waits until its element was received.
///
/// At most one task sends and one receives at a time.
package final class RendezvousChannel<Element: Sendable>: Sendable {
    private let state = Mutex(Rendezvous<Element>())

    package init() {}

    /// Sends an element, and returns when the receiver has received it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which finishes the channel, or the error the channel was finished with.
    package func send(_ element: Element) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (sender: Rendezvous<Element>.Sender) in
                state.withLock { $0.send(element, from: sender) }.perform()
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Returns the next element; nil after the last.
    ///
    /// - Throws: The error the channel was finished with, or `CancellationError` when the task is cancelled, which finishes the channel.
    package func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (receiver: Rendezvous<Element>.Receiver) in
                state.withLock { $0.receive(receiver) }.perform()
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Finishes the channel at once; an element that was not received is dropped.
    package func finish(_ result: Result<Void, any Error>) {
        state.withLock { $0.finish(result) }.perform()
    }
}
