import Origin
import Synchronization

/// A progress bar for the creation of the demo deliveries, removed when all are stored.
final class SeedProgressBar: Sendable {
    private let bar = Mutex<ProgressBar?>(nil)

    func update(_ progress: SeedProgress) {
        bar.withLock { bar in
            var progressBar = bar ?? ProgressBar("Deliveries", total: progress.total)
            progressBar.advance(to: progress.stored)
            if progress.stored == progress.total { progressBar.clear() }
            bar = progressBar
        }
    }
}
