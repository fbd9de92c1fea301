import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Stress tests of all features on several threads.
@Suite(.timeLimit(.minutes(20))) final class ConcurrencyStressTests: Sendable {
    private static let count = 10_000
    private let queue = BackendQueue(lanes: LaneConfiguration(processors: 4), recordLimit: 0)
    private let counts = Mutex(Counts())
    /// One element per observer call, at most one per operation.
    private let calls = AsyncStream<Void>.makeStream(bufferingPolicy: .unbounded)

    private struct Counts {
        var unrequestedCancellations = 0
        var runs = 0
        var completions = 0
        var running = 0
        var maximumRunning = 0
    }

    /// A flag that is set before an operation is cancelled.
    private final class CancellationIntent: Sendable {
        private let isCancelling = Atomic(false)
        var isSet: Bool { isCancelling.load(ordering: .sequentiallyConsistent) }
        func set() { isCancelling.store(true, ordering: .sequentiallyConsistent) }
    }

    private func recordCompletion() {
        counts.withLock { $0.completions += 1 }
        calls.continuation.yield()
    }

    /// Waits until this many observers have been called, which can happen after the queue has become idle.
    private func waitForCompletions(_ count: Int) async {
        for await _ in calls.stream.prefix(count) {}
    }

    /// An actor on which all operations suspend, so that they may resume on another thread.
    private actor SuspensionPoint {
        private var passCount = 0

        func pass() { passCount += 1 }
    }

    private let suspensionPoint = SuspensionPoint()

    private func updateCounts(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    @Test(arguments: TestSeeds.seeds(count: 3)) func `Cancelling one operation never cancels the work of another`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        var open: [(operation: BackendOperation<Void>, intent: CancellationIntent)] = []

        for index in 0..<Self.self.count {
            let intent = CancellationIntent()
            let yields = Int.random(in: 0...3, using: &random)
            let operation = BackendOperation("\(index)", lane: .cpu) {
                self.updateCounts { $0.runs += 1 }
                for _ in 0...yields {
                    if Task.isCancelled, !intent.isSet { self.updateCounts { $0.unrequestedCancellations += 1 } }
                    await self.suspensionPoint.pass()
                }
            }
            operation.onResult { _ in self.recordCompletion() }
            open.append((operation, intent))
            queue.submit(operation, priority: .visible)
            if random.next() % 3 == 0, let target = open.suffix(20).randomElement(using: &random) {
                target.intent.set()
                target.operation.cancel()
            }
        }
        await queue.waitUntilIdle()

        await waitForCompletions(Self.count)
        let seen = counts.withLock { $0 }
        #expect(seen.unrequestedCancellations == 0, "LADING_SEED=\(seed)")
        #expect(seen.completions == Self.count, "LADING_SEED=\(seed)")
        #expect(seen.runs <= Self.count, "LADING_SEED=\(seed)")
        #expect(open.allSatisfy { $0.operation.state == .succeeded || $0.intent.isSet }, "LADING_SEED=\(seed)")
    }

    @Test func `One operation of an exclusion group runs at a time, across lanes`() async {
        let rules = OperationRules(exclusionGroup: "x")
        for index in 0..<2_000 {
            let operation = BackendOperation("\(index)", lane: Lane("lane \(index % 3)"), rules: rules) {
                self.updateCounts { counts in
                    counts.running += 1
                    counts.maximumRunning = max(counts.maximumRunning, counts.running)
                }
                await self.suspensionPoint.pass()
                self.updateCounts { counts in
                    counts.running -= 1
                    counts.runs += 1
                }
            }
            queue.submit(operation, priority: .visible)
        }

        await queue.waitUntilIdle()

        #expect(counts.withLock { $0.maximumRunning } == 1)
        #expect(counts.withLock { $0.runs } == 2_000)
    }

    @Test func `Cancelling while another task submits completes the operation once and leaves nothing behind`() async {
        for index in 0..<2_000 {
            let first = BackendOperation("first \(index)", lane: .cpu) { await self.suspensionPoint.pass() }
            let second = BackendOperation("second \(index)", lane: .cpu, after: first) { _ in }
            let cancelledOperation = index % 2 == 0 ? first.erased : second.erased
            second.onResult { _ in self.recordCompletion() }

            async let cancelled: Void = cancel(cancelledOperation)
            async let submitted: Void = submit(second.erased)
            _ = await (cancelled, submitted)

            #expect(cancelledOperation.state.isCompleted)
        }
        await queue.waitUntilIdle()
        await waitForCompletions(2_000)

        #expect(counts.withLock { $0.completions } == 2_000)
        #expect(queue.isIdle)
    }

    @concurrent private func cancel(_ operation: AnyOperation) async { operation.cancel() }

    @concurrent private func submit(_ operation: AnyOperation) async { queue.submit(operation, priority: .visible) }

    @Test func `Pausing while another task submits delays the operation until it is resumed`() async {
        for index in 0..<1_000 {
            let operation = BackendOperation("\(index)", lane: .cpu) {}
            operation.onResult { _ in self.recordCompletion() }

            async let paused: Void = pause(operation.erased)
            async let submitted: Void = submit(operation.erased)
            _ = await (paused, submitted)

            operation.resume()
        }
        await queue.waitUntilIdle()
        await waitForCompletions(1_000)

        #expect(counts.withLock { $0.completions } == 1_000)
    }

    @concurrent private func pause(_ operation: AnyOperation) async { operation.pause() }

    @Test func `Shutting down under load leaves nothing running`() async {
        for index in 0..<1_000 {
            let operation = BackendOperation("\(index)", lane: .cpu) {
                self.updateCounts { $0.running += 1 }
                await self.suspensionPoint.pass()
                self.updateCounts { $0.running -= 1 }
            }
            operation.onResult { _ in self.recordCompletion() }
            queue.submit(operation, priority: .visible)
        }

        await queue.shutDown()

        #expect(counts.withLock { $0.running } == 0)
        await waitForCompletions(1_000)
        #expect(counts.withLock { $0.completions } == 1_000)
        #expect(queue.isIdle)
    }
}
