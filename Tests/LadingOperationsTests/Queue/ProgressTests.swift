import LadingTesting
import Synchronization
import Testing

@testable import LadingOperations

@Suite struct ProgressTests {
    private let harness = QueueHarness(processors: 1)

    private func observe(_ progress: OperationProgress) -> Recorder<OperationProgress.Snapshot> {
        let snapshots = Recorder<OperationProgress.Snapshot>()
        let updates = progress.updates(every: .milliseconds(50), clock: harness.clock)
        harness.start {
            for await update in updates { snapshots.append(update) }
            snapshots.append(.init(completed: -1, total: nil))
        }
        return snapshots
    }

    @Test func `Progress is the sum of weighted children and own units`() {
        let whole = OperationProgress()
        let (light, heavy) = (OperationProgress(), OperationProgress())
        whole.add(light, weight: 10)
        whole.add(heavy, weight: 30)

        light.report(completed: 1, total: 2)
        heavy.report(completed: 100, total: 300)
        whole.report(completed: 3, total: 10)

        #expect(whole.snapshot == .init(completed: 5 + 10 + 3, total: 50))
    }

    @Test func `A snapshot names its unit: parts for a whole, bytes by default, or that of the report`() {
        let (whole, part) = (OperationProgress(), OperationProgress())
        whole.add(part, weight: 2)
        #expect(whole.snapshot == .init(completed: 0, total: 2, unit: .parts))

        part.report(completed: 3, total: 6)
        #expect(part.snapshot.unit == .bytes && whole.snapshot == .init(completed: 1, total: 2, unit: .parts))

        part.report(completed: 4, total: 4, unit: ProgressUnit("rows"))
        #expect(part.snapshot.unit.name == "rows" && whole.snapshot.fraction == 1)
    }

    @Test func `Progress that a caller passes ends with the work, and that of an operation with the operation`() {
        let gate = Gate()
        let passed = OperationProgress()
        let operation = BackendOperation("work", lane: .cpu) {
            OperationProgress.current?.finishUnlessOfOperation(isComplete: true)
            passed.finishUnlessOfOperation(isComplete: false)
            try await gate.wait()
        }
        let updates = (observe(operation.progress), observe(passed))

        harness.submit(operation)
        harness.executor.runAll()

        #expect(updates.0.all.map(\.completed) == [0] && updates.1.all.last?.completed == -1)
        gate.open()
        harness.advance(by: .milliseconds(50))
        #expect(updates.0.all.last?.completed == -1)
    }

    @Test(arguments: [ProgressUnit.bytes, ProgressUnit("rows")])
    func `Only bytes make an abandoned operation nearly complete`(unit: ProgressUnit) {
        let gate = Gate()
        let operation = BackendOperation("work", lane: .cpu) {
            OperationProgress.current?.report(completed: 99_000, total: 100_000, unit: unit)
            try await gate.wait()
        }
        harness.submit(operation)
        harness.executor.runAll()

        operation.cancel()
        harness.executor.runAll()

        #expect(gate.waiterCount == (unit == .bytes ? 1 : 0))
        gate.open()
        harness.executor.runAll()
        #expect(harness.queue.isIdle)
    }

    @Test func `A child that succeeded counts as complete, a failed child as far as it reported`() {
        let silent = BackendOperation("silent", lane: .cpu) {}
        let failing = BackendOperation<Int>("failing", lane: .cpu) {
            OperationProgress.current?.report(completed: 1, total: 4)
            throw QueueHarness.Broken()
        }
        let whole = OperationProgress()
        whole.add(silent.progress, weight: 100)
        whole.add(failing.progress, weight: 100)

        harness.submit(silent)
        harness.submit(failing)
        harness.executor.runAll()

        #expect(whole.snapshot == .init(completed: 125, total: 200, unit: .parts))
        #expect(silent.progress.snapshot.fraction == 1)
    }

    @Test func `Updates respect the interval, end with the latest snapshot, and then finish`() {
        let (first, second) = (Gate(), Gate())
        let operation = BackendOperation("work", lane: .cpu) {
            for count in 1...10 { OperationProgress.current?.report(completed: count, total: 20) }
            try await first.wait()
            for count in 11...20 { OperationProgress.current?.report(completed: count, total: 20) }
            try await second.wait()
        }
        let updates = observe(operation.progress)
        harness.submit(operation)
        harness.executor.runAll()

        #expect(updates.all.map(\.completed) == [0])
        harness.advance(by: .milliseconds(50))
        #expect(updates.all.map(\.completed) == [0, 10])
        first.open()
        harness.advance(by: .milliseconds(49))
        #expect(updates.all.map(\.completed) == [0, 10])
        harness.advance(by: .milliseconds(1))
        #expect(updates.all.map(\.completed) == [0, 10, 20])
        second.open()
        harness.advance(by: .milliseconds(50))
        #expect(updates.all.map(\.completed) == [0, 10, 20, -1])
    }

    @Test func `Operations that share a flight share its progress, also after the leader was cancelled`() {
        let (gate, more) = (Gate(), Gate())
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu) {
                try await gate.wait()
                OperationProgress.current?.report(completed: 1, total: 2)
                try await more.wait()
            }
        }
        let updates = observe(operations[0].progress)
        for operation in operations { harness.submit(operation) }
        harness.executor.runAll()

        operations[0].cancel()
        harness.advance(by: .seconds(1))
        #expect(updates.all.last?.completed == -1)
        gate.open()
        harness.executor.runAll()
        let whole = OperationProgress()
        whole.add(operations[0].progress, weight: 100)
        #expect(whole.snapshot.fraction == 0.5)
        more.open()
        harness.executor.runAll()

        #expect(operations[1].progress.snapshot.fraction == 1)
    }

    @Test func `A nearly complete transfer is completed although its leader was cancelled`() {
        let (gate, rest) = (Gate(), Gate())
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu) {
                try await gate.wait()
                OperationProgress.current?.report(completed: 99_000, total: 100_000)
                try await rest.wait()
            }
        }
        for operation in operations { harness.submit(operation) }
        harness.executor.runAll()
        operations[0].cancel()
        gate.open()
        harness.executor.runAll()

        operations[1].cancel()
        harness.executor.runAll()

        #expect(rest.waiterCount == 1)
        rest.open()
        harness.executor.runAll()
        #expect(harness.queue.isIdle)
    }

    @Test(arguments: [false, true])
    func `An operation that continues with another has the progress of that operation`(isReadEarly: Bool) {
        let gate = Gate()
        let start = BackendOperation("start", lane: .cpu) {}
        let work = BackendOperation(
            "work", lane: .cpu, after: start,
            then: { _ in
                BackendOperation("next", lane: .cpu) {
                    OperationProgress.current?.report(completed: 2, total: 3)
                    try await gate.wait()
                }
            })
        let early = isReadEarly ? work.progress : nil
        harness.submit(work)
        harness.executor.runAll()

        let progress = early ?? work.progress
        #expect(progress.snapshot == .init(completed: 2, total: 3))
        gate.open()
        harness.executor.runAll()
        #expect(progress.snapshot == .init(completed: 3, total: 3))
        #expect(work.state == .succeeded)
    }

    @Test func `Operations that continue with each other fail although their progress is observed`() {
        let second = Mutex<BackendOperation<Void>?>(nil)
        let start = BackendOperation("start", lane: .cpu) {}
        let first = BackendOperation("first", lane: .cpu, after: start, then: { _ in second.withLock { $0! } })
        second.withLock { $0 = BackendOperation("second", lane: .cpu, after: start, then: { _ in first }) }
        let progress = first.progress
        harness.submit(first)

        harness.executor.runAll()

        guard case .failure(OperationError.cycle) = first.result else { return #expect(Bool(false), "\(first.state)") }
        #expect(progress.snapshot.completed == 0)
        second.withLock { $0 = nil }
    }

    /// A manual task executor that counts the jobs that are enqueued while the lock of a queue is held.
    private final class LockCheckingExecutor: TaskExecutor {
        private struct State {
            var jobs: [UnownedJob] = []
            var lockedCount = 0

            mutating func removeJobs() -> [UnownedJob] {
                defer { jobs = [] }
                return jobs
            }
        }

        private let queue: BackendQueue
        private let state = Mutex(State())

        init(of queue: BackendQueue) {
            self.queue = queue
        }

        var jobCount: Int { state.withLock { $0.jobs.count } }
        var lockedCount: Int { state.withLock { $0.lockedCount } }

        func enqueue(_ job: consuming ExecutorJob) {
            let job = UnownedJob(job)
            let isLocked = queue.state.withLockIfAvailable { _ in } == nil
            state.withLock { state in
                state.jobs.append(job)
                if isLocked { state.lockedCount += 1 }
            }
        }

        func runAll() {
            while case let jobs = state.withLock({ $0.removeJobs() }), !jobs.isEmpty {
                for job in jobs { job.runSynchronously(on: asUnownedTaskExecutor()) }
            }
        }
    }

    @Test(arguments: [false, true])
    func `Readers are resumed without the lock of the queue when the progress becomes that of other work`(isJoining: Bool) {
        let gate = Gate()
        let key = OperationKey(verb: "GET", subject: "x")
        let first = BackendOperation("first", key: isJoining ? key : nil, lane: .cpu) { if isJoining { try await gate.wait() } }
        let second =
            isJoining
            ? BackendOperation("second", key: key, lane: .cpu) {}
            : BackendOperation(
                "second", lane: .cpu, after: first, then: { _ in BackendOperation("next", lane: .cpu) { try await gate.wait() } })
        let executor = LockCheckingExecutor(of: harness.queue)
        let (progress, clock) = (second.progress, harness.clock)
        let reader = Task(executorPreference: executor) { for await _ in progress.updates(clock: clock) {} }
        if isJoining { harness.submit(first) }
        harness.executor.runAll()
        executor.runAll()

        harness.submit(second)
        harness.executor.runAll()

        #expect(executor.jobCount == 1 && executor.lockedCount == 0)
        reader.cancel()
        executor.runAll()
        gate.open()
        harness.executor.runAll()
        #expect(second.state == .succeeded)
    }
}
