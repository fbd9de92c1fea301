import Origin
import Synchronization

/// A progress bar for the steps that prepare a database; each bar is removed when its step has ended.
final class SetupProgressBar: Sendable {
    private let bar = Mutex<(step: SetupProgress.Step, bar: ProgressBar)?>(nil)

    func update(_ progress: SetupProgress) {
        bar.withLock { current in
            var (step, bar) = current ?? (progress.step, ProgressBar(Self.label(progress.step), total: progress.total))
            if step != progress.step { (step, bar) = (progress.step, ProgressBar(Self.label(progress.step), total: progress.total)) }
            bar.advance(to: progress.completed)
            if progress.completed == progress.total { bar.clear() }
            current = (step, bar)
        }
    }

    private static func label(_ step: SetupProgress.Step) -> String {
        switch step {
        case .upgrade: "Upgrading the database"
        case .orders: "Orders"
        case .indexes: "Indexing the orders"
        case .deliveries: "Deliveries"
        }
    }
}
