import Origin
import Synchronization

/// A bar on the terminal while an origin makes up its deliveries, gone when it has.
final class FillingBar: Sendable {
    private let bar = Mutex<ProgressBar?>(nil)

    func show(_ progress: FillingProgress) {
        bar.withLock { bar in
            var drawn = bar ?? ProgressBar("Deliveries", total: progress.total)
            drawn.advance(to: progress.stored)
            if progress.stored == progress.total { drawn.clear() }
            bar = drawn
        }
    }
}
