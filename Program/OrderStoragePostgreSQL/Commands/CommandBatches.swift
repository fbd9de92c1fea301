#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient
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
        private let queue: Mutex<CommandQueue<Entry>>

        /// A command waits for its batch at most as long as a request for a connection.
        init(_ executor: CommandExecutor) {
            self.executor = executor
            queue = Mutex(CommandQueue<Entry>(waitLimit: executor.client.configuration.acquisitionLimit) { $0.command.command.order })
        }

        /// Executes a command in the next batch that accepts it.
        ///
        /// - Throws: `PostgreSQLError`; `poolExhausted` if no batch has accepted it in time.
        func submit(_ command: TimedCommand) async throws -> CommandOutcome {
            try await withCheckedThrowingContinuation { continuation in
                add(Entry(command: command, continuation: continuation))
            }
        }

        private func add(_ entry: Entry, isAlone: Bool = false) {
            switch queue.withLock({ $0.add(entry, isAlone: isAlone, at: .now) }) {
            case .begin(let batch): Task { await run(batch) }
            case .startTimer: Task { await beginAfterIntervals() }
            case .wait: break
            }
        }

        /// Runs a batch, and those that begin at its end.
        private func run(_ first: [Entry]) async {
            var next: [Entry]? = first
            while let batch = next {
                // Batches of two servers may wait for each other, but never in a circle, because each locks its orders by number.
                let entries = batch.sorted { $0.command.row < $1.command.row }
                let outcomes = await executor.execute(entries.map(\.command))
                for (entry, outcome) in zip(entries, outcomes ?? []) { entry.continuation.resume(with: outcome) }
                next = queue.withLock { $0.endBatch(batch) }
                if outcomes == nil { for entry in entries { add(entry, isAlone: true) } }
            }
        }

        private func beginAfterIntervals() async {
            var continues = true
            while continues {
                try? await Task.sleep(for: Self.interval)
                let end = queue.withLock { $0.endInterval(at: .now) }
                for entry in end.expired { entry.continuation.resume(throwing: PostgreSQLError.poolExhausted) }
                if let batch = end.batch { Task { await run(batch) } }
                continues = end.continues
            }
        }
    }

    extension TimedCommand {
        /// The order of locks: the order's number, or the last for a new one.
        fileprivate var row: Int { command.order ?? .max }
    }
#endif
