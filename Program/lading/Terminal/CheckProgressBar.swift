import Synchronization

/// A progress bar for the verification of stores, one after the other.
final class CheckProgressBar: Sendable {
    private let bar = Mutex<ProgressBar?>(nil)

    /// Shows the number of verified rows of a store.
    func advance(_ store: String, to completed: Int, of total: Int) {
        bar.withLock { bar in
            var current = bar ?? ProgressBar("Verifying \(store)", total: total)
            current.advance(to: completed)
            bar = current
        }
    }

    /// Removes the bar.
    func clear() {
        bar.withLock { bar in
            bar?.clear()
            bar = nil
        }
    }
}
