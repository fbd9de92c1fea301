import Origin
import Synchronization

/// A bar on the terminal while an origin makes up its deliveries, gone when it has.
final class PopulationProgressBar: Sendable {
    private let bar = Mutex<ProgressBar?>(nil)

    func update(_ progress: PopulationProgress) {
        bar.withLock { bar in
            var progressBar = bar ?? ProgressBar("Deliveries", total: progress.total)
            progressBar.advance(to: progress.stored)
            if progress.stored == progress.total { progressBar.clear() }
            bar = progressBar
        }
    }
}
