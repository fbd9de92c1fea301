import Synchronization

/// Hands elements from one task to another, one at a time: whoever gives waits until the element was taken.
///
/// One task gives, and one takes at a time.
final class Handover<Element: Sendable>: Sendable {
    private struct State {
        var element: Element?
        var giver: CheckedContinuation<Void, any Error>?
        var taker: CheckedContinuation<Element?, any Error>?
        var end: Result<Void, any Error>?
    }

    /// What becomes of an element that is given.
    private enum Step {
        case handed(CheckedContinuation<Element?, any Error>)
        case ended(any Error)
        case waiting
    }

    private let state = Mutex(State())

    /// - Throws: `CancellationError` when the task is cancelled, which ends the handover, or what it was ended with.
    func give(_ element: Element) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { giver in wait(giver, with: element) }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// The next element; nil after the last.
    ///
    /// - Throws: What it was ended with, and `CancellationError` when the task is cancelled, which ends the handover.
    func take() async throws -> Element? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { taker in wait(taker) }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    /// Nothing follows. What failed is told at once, even if an element waits to be taken.
    func end(_ result: Result<Void, any Error>) {
        let ended = state.withLock { state in
            guard state.end == nil else { return State() }
            defer { state = State(end: result) }
            return state
        }
        ended.giver?.resume(with: result)
        ended.taker?.resume(with: result.map { nil })
    }

    private func wait(_ giver: CheckedContinuation<Void, any Error>, with element: Element) {
        let step = state.withLock { state -> Step in
            switch state.end {
            case .failure(let error): return .ended(error)
            case .success: return .ended(CancellationError())
            case nil: break
            }
            if let taker = state.taker {
                state.taker = nil
                return .handed(taker)
            }
            (state.element, state.giver) = (element, giver)
            return .waiting
        }
        switch step {
        case .handed(let taker):
            taker.resume(returning: element)
            giver.resume()
        case .ended(let error): giver.resume(throwing: error)
        case .waiting: break
        }
    }

    private func wait(_ taker: CheckedContinuation<Element?, any Error>) {
        let (result, giver) = state.withLock { state -> (Result<Element?, any Error>?, CheckedContinuation<Void, any Error>?) in
            if let element = state.element {
                defer { (state.element, state.giver) = (nil, nil) }
                return (.success(element), state.giver)
            }
            if let end = state.end { return (end.map { nil }, nil) }
            state.taker = taker
            return (nil, nil)
        }
        giver?.resume()
        if let result { taker.resume(with: result) }
    }
}
