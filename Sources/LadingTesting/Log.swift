import Synchronization

/// A log of lines, in order.
package final class Log: Sendable {
    private let state = Mutex<[String]>([])

    package init() {}

    package var lines: [String] { state.withLock { $0 } }

    package func append(_ line: String) { state.withLock { $0.append(line) } }
}
