import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

/// Everything at once, on real threads.
@Suite(.timeLimit(.minutes(20))) final class StormTests: Sendable {
    private static let count = 10_000
    private let queue = BackendQueue(lanes: LanePlan(processors: 4), recordLimit: 0)
    private let counts = Mutex(Counts())
    /// One element for each call of an observer; as many as the test makes operations.
    private let calls = AsyncStream<Void>.makeStream(bufferingPolicy: .unbounded)

    private struct Counts {
        var strangers = 0
        var runs = 0
        var ends = 0
        var inside = 0
        var most = 0
    }

    /// Whether somebody is about to cancel an operation.
    private final class Intent: Sendable {
        private let isCancelling = Atomic(false)
        var isTold: Bool { isCancelling.load(ordering: .sequentiallyConsistent) }
        func tell() { isCancelling.store(true, ordering: .sequentiallyConsistent) }
    }

    private func noteEnd() {
        counts.withLock { $0.ends += 1 }
        calls.continuation.yield()
    }

    /// Waits until this many observers have been called; one may still be on its way when the queue is idle.
    private func ends(_ count: Int) async {
        for await _ in calls.stream.prefix(count) {}
    }

    /// Where all operations pass, one at a time: each waits for others there, and may go on on another thread.
    private actor Crossing {
        private var passed = 0

        func pass() { passed += 1 }
    }

    private let crossing = Crossing()

    private func count(_ change: (inout Counts) -> Void) { counts.withLock { change(&$0) } }

    @Test(arguments: Seeds.several(3)) func `Cancelling one operation never cancels the work of another`(seed: UInt64) async {
        var random = SeededRandom(seed: seed)
        var open: [(operation: BackendOperation<Void>, intent: Intent)] = []

        for index in 0..<Self.self.count {
            let intent = Intent()
            let yields = Int.random(in: 0...3, using: &random)
            let operation = BackendOperation("\(index)", lane: .cpu) {
                self.count { $0.runs += 1 }
                for _ in 0...yields {
                    if Task.isCancelled, !intent.isTold { self.count { $0.strangers += 1 } }
                    await self.crossing.pass()
                }
            }
            operation.onResult { _ in self.noteEnd() }
            open.append((operation, intent))
            queue.submit(operation, priority: .visible)
            if random.next() % 3 == 0, let victim = open.suffix(20).randomElement(using: &random) {
                victim.intent.tell()
                victim.operation.cancel()
            }
        }
        await queue.idle()

        await ends(Self.count)
        let seen = counts.withLock { $0 }
        #expect(seen.strangers == 0, "LADING_SEED=\(seed)")
        #expect(seen.ends == Self.count, "LADING_SEED=\(seed)")
        #expect(seen.runs <= Self.count, "LADING_SEED=\(seed)")
        #expect(open.allSatisfy { $0.operation.state == .succeeded || $0.intent.isTold }, "LADING_SEED=\(seed)")
    }

    @Test func `Of one exclusion one runs at a time, across lanes`() async {
        let rules = OperationRules(exclusion: "x")
        for index in 0..<2_000 {
            let operation = BackendOperation("\(index)", lane: Lane("lane \(index % 3)"), rules: rules) {
                self.count { counts in
                    counts.inside += 1
                    counts.most = max(counts.most, counts.inside)
                }
                await self.crossing.pass()
                self.count { counts in
                    counts.inside -= 1
                    counts.runs += 1
                }
            }
            queue.submit(operation, priority: .visible)
        }

        await queue.idle()

        #expect(counts.withLock { $0.most } == 1)
        #expect(counts.withLock { $0.runs } == 2_000)
    }

    @Test func `Whoever cancels while another submits ends the operation once, and leaves nothing behind`() async {
        for index in 0..<2_000 {
            let first = BackendOperation("first \(index)", lane: .cpu) { await self.crossing.pass() }
            let second = BackendOperation("second \(index)", lane: .cpu, after: first) { _ in }
            let victim = index % 2 == 0 ? first.erased : second.erased
            second.onResult { _ in self.noteEnd() }

            async let cancelled: Void = cancel(victim)
            async let submitted: Void = submit(second.erased)
            _ = await (cancelled, submitted)

            #expect(victim.state.isEnded)
        }
        await queue.idle()
        await ends(2_000)

        #expect(counts.withLock { $0.ends } == 2_000)
        #expect(queue.isIdle)
    }

    @concurrent private func cancel(_ operation: AnyOperation) async { operation.cancel() }

    @concurrent private func submit(_ operation: AnyOperation) async { queue.submit(operation, priority: .visible) }

    @Test func `Whoever pauses while another submits keeps it from starting until it is resumed`() async {
        for index in 0..<1_000 {
            let operation = BackendOperation("\(index)", lane: .cpu) {}
            operation.onResult { _ in self.noteEnd() }

            async let paused: Void = pause(operation.erased)
            async let submitted: Void = submit(operation.erased)
            _ = await (paused, submitted)

            operation.resume()
        }
        await queue.idle()
        await ends(1_000)

        #expect(counts.withLock { $0.ends } == 1_000)
    }

    @concurrent private func pause(_ operation: AnyOperation) async { operation.pause() }

    @Test func `Shutting down in the middle leaves nothing running`() async {
        for index in 0..<1_000 {
            let operation = BackendOperation("\(index)", lane: .cpu) {
                self.count { $0.inside += 1 }
                await self.crossing.pass()
                self.count { $0.inside -= 1 }
            }
            operation.onResult { _ in self.noteEnd() }
            queue.submit(operation, priority: .visible)
        }

        await queue.shutDown()

        #expect(counts.withLock { $0.inside } == 0)
        await ends(1_000)
        #expect(counts.withLock { $0.ends } == 1_000)
        #expect(queue.isIdle)
    }
}
