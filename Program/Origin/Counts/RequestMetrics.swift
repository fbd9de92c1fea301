import Synchronization

/// The counts of one origin, shared by its connections and the counts endpoint.
final class RequestMetrics: Sendable {
    private let state = Mutex(RequestCounts())

    var counts: RequestCounts { state.withLock { $0 } }

    func change(_ body: (inout RequestCounts) -> Void) {
        state.withLock { body(&$0) }
    }

    func reset() {
        state.withLock { $0 = RequestCounts() }
    }
}
