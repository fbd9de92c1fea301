#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import Synchronization

    /// Executes commands, those together that arrive while others run: `CommandQueue` decides.
    final class CommandBatches: Sendable {
        /// The time after which commands begin beside batches that wait for the database.
        private static let interval = Duration.milliseconds(25)

        private struct Entry {
            let command: TimedCommand
            let continuation: CheckedContinuation<CommandOutcome, any Error>
        }

        private let executor: CommandExecutor
        private let queue = Mutex(CommandQueue<Entry>())

        init(_ executor: CommandExecutor) {
            self.executor = executor
        }

        func execute(_ command: TimedCommand) async throws -> CommandOutcome {
            try await withCheckedThrowingContinuation { continuation in
                switch queue.withLock({ $0.add(Entry(command: command, continuation: continuation)) }) {
                case .begin(let batch): Task { await execute(batch) }
                case .startTimer: Task { await beginAfterIntervals() }
                case .wait: break
                }
            }
        }

        /// Executes a batch, and those that wait at its end.
        private func execute(_ first: [Entry]) async {
            var next: [Entry]? = first
            while let batch = next {
                // Two batches that lock rows in one order do not wait for each other.
                let entries = batch.sorted { $0.command.row < $1.command.row }
                for (entry, outcome) in zip(entries, await executor.execute(entries.map(\.command))) {
                    entry.continuation.resume(with: outcome)
                }
                next = queue.withLock { $0.endBatch() }
            }
        }

        private func beginAfterIntervals() async {
            var continues = true
            while continues {
                try? await Task.sleep(for: Self.interval)
                let batch: [Entry]?
                (batch, continues) = queue.withLock { $0.endInterval() }
                if let batch { Task { await execute(batch) } }
            }
        }
    }

    extension TimedCommand {
        /// The order of locks: the order's number, or the last for a new one.
        fileprivate var row: Int { command.order ?? .max }
    }
#endif
