import Synchronization

/// A channel that hands elements from one task to another; a sender waits until its element was received.
///
/// At most one task sends and one receives at a time.
final class RendezvousChannel<Element: Sendable>: Sendable {
    private struct State {
        var element: Element?
        var sender: CheckedContinuation<Void, any Error>?
        var receiver: CheckedContinuation<Element?, any Error>?
        var end: Result<Void, any Error>?
    }

    /// The result of offering an element.
    private enum Step {
        case delivered(CheckedContinuation<Element?, any Error>)
        case ended(any Error)
        case waiting
    }

    private let state = Mutex(State())

    /// Sends an element, and returns when the receiver has received it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, which finishes the channel, or the error the channel was finished with.
    func send(_ element: Element) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { sender in wait(sender, with: element) }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Returns the next element; nil after the last.
    ///
    /// - Throws: The error the channel was finished with, or `CancellationError` when the task is cancelled, which finishes the channel.
    func next() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { receiver in wait(receiver) }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    /// Finishes the channel at once; an element that was not received is dropped.
    func finish(_ result: Result<Void, any Error>) {
        let ended = state.withLock { state in
            guard state.end == nil else { return State() }
            defer { state = State(end: result) }
            return state
        }
        ended.sender?.resume(with: result)
        ended.receiver?.resume(with: result.map { nil })
    }

    private func wait(_ sender: CheckedContinuation<Void, any Error>, with element: Element) {
        let step = state.withLock { state -> Step in
            switch state.end {
            case .failure(let error): return .ended(error)
            case .success: return .ended(CancellationError())
            case nil: break
            }
            if let receiver = state.receiver {
                state.receiver = nil
                return .delivered(receiver)
            }
            (state.element, state.sender) = (element, sender)
            return .waiting
        }
        switch step {
        case .delivered(let receiver):
            receiver.resume(returning: element)
            sender.resume()
        case .ended(let error): sender.resume(throwing: error)
        case .waiting: break
        }
    }

    private func wait(_ receiver: CheckedContinuation<Element?, any Error>) {
        let (result, sender) = state.withLock { state -> (Result<Element?, any Error>?, CheckedContinuation<Void, any Error>?) in
            if let element = state.element {
                defer { (state.element, state.sender) = (nil, nil) }
                return (.success(element), state.sender)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            state.receiver = receiver
            return (nil, nil)
        }
        sender?.resume()
        if let result { receiver.resume(with: result) }
    }
}
