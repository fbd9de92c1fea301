import Synchronization

/// An asynchronous semaphore that resumes its waiters in order of arrival.
final class AsyncSemaphore: Sendable {
    private struct State {
        var available: Int
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(_ count: Int) {
        state = Mutex(State(available: count))
    }

    /// Acquires a permit, which `signal()` releases.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isFree = state.withLock { state in
                guard state.available > 0 else {
                    state.waiters.append(continuation)
                    return false
                }
                state.available -= 1
                return true
            }
            if isFree { continuation.resume() }
        }
    }

    func signal() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiters.isEmpty else { return state.waiters.removeFirst() }
            state.available += 1
            return nil
        }
        next?.resume()
    }
}
