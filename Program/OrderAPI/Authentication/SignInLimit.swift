import OrderLifecycle
import ServerStartup
import Synchronization

/// The limit of failed sign-ins for each client. A valid link is accepted beyond it.
final class SignInLimit: Sendable {
    /// The maximum number of failures of a client in a window of time.
    static let failures = 10
    /// The length of the window, in milliseconds.
    static let window: Int64 = 15 * 60_000
    /// The maximum number of clients that are remembered; the one whose window began first is forgotten.
    static let clients = 10_000

    private struct Count {
        var start: Timestamp
        var failures = 0
    }

    private let counts = Mutex<[ClientAddress?: Count]>([:])

    /// Returns the seconds after which a client may fail again; nil if it may now.
    func delay(of client: ClientAddress?, at now: Timestamp) -> Int? {
        counts.withLock { counts in
            guard let count = counts[client], count.failures >= Self.failures else { return nil }
            let rest = count.start.milliseconds + Self.window - now.milliseconds
            return rest > 0 ? Int((rest + 999) / 1_000) : nil
        }
    }

    func countFailure(of client: ClientAddress?, at now: Timestamp) {
        counts.withLock { counts in
            var count = counts[client] ?? Count(start: now)
            if now.milliseconds - count.start.milliseconds >= Self.window { count = Count(start: now) }
            count.failures += 1
            if counts[client] == nil, counts.count >= Self.clients,
                let oldest = counts.min(by: { $0.value.start < $1.value.start })?.key
            {
                counts[oldest] = nil
            }
            counts[client] = count
        }
    }
}
