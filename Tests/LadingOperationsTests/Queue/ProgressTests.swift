import LadingTesting
import Testing

@testable import LadingOperations

/// How far operations are.
@Suite struct ProgressTests {
    private let pad = QueuePad(processors: 1)

    private func follow(_ progress: OperationProgress) -> Notes<OperationProgress.Snapshot> {
        let notes = Notes<OperationProgress.Snapshot>()
        let updates = progress.updates(every: .milliseconds(50), clock: pad.clock)
        pad.start {
            for await update in updates { notes.add(update) }
            notes.add(.init(completed: -1, total: nil))
        }
        return notes
    }

    @Test func `Parts count with their weights, own units beside them`() {
        let whole = OperationProgress()
        let (light, heavy) = (OperationProgress(), OperationProgress())
        whole.add(light, weight: 10)
        whole.add(heavy, weight: 30)

        light.report(completed: 1, total: 2)
        heavy.report(completed: 100, total: 300)
        whole.report(completed: 3, total: 10)

        #expect(whole.snapshot == .init(completed: 5 + 10 + 3, total: 50))
    }

    @Test func `A part that has succeeded is done, whatever it told; one that failed is as far as it came`() {
        let silent = BackendOperation("silent", lane: .cpu) {}
        let failing = BackendOperation<Int>("failing", lane: .cpu) {
            OperationProgress.current?.report(completed: 1, total: 4)
            throw QueuePad.Broken()
        }
        let whole = OperationProgress()
        whole.add(silent.progress, weight: 100)
        whole.add(failing.progress, weight: 100)

        pad.submit(silent)
        pad.submit(failing)
        pad.executor.runAll()

        #expect(whole.snapshot == .init(completed: 125, total: 200))
        #expect(silent.progress.snapshot.fraction == 1)
    }

    @Test func `Updates come no more often than asked for, the latest last, and then the end`() {
        let (first, second) = (Gate(), Gate())
        let operation = BackendOperation("work", lane: .cpu) {
            for count in 1...10 { OperationProgress.current?.report(completed: count, total: 20) }
            try await first.pass()
            for count in 11...20 { OperationProgress.current?.report(completed: count, total: 20) }
            try await second.pass()
        }
        let updates = follow(operation.progress)
        pad.submit(operation)
        pad.executor.runAll()

        #expect(updates.all.map(\.completed) == [0])
        pad.advance(by: .milliseconds(50))
        #expect(updates.all.map(\.completed) == [0, 10])
        first.open()
        pad.advance(by: .milliseconds(49))
        #expect(updates.all.map(\.completed) == [0, 10])
        pad.advance(by: .milliseconds(1))
        #expect(updates.all.map(\.completed) == [0, 10, 20])
        second.open()
        pad.advance(by: .milliseconds(50))
        #expect(updates.all.map(\.completed) == [0, 10, 20, -1])
    }

    @Test func `Those that share a flight share its progress, also when the one that began it is gone`() {
        let (gate, more) = (Gate(), Gate())
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu) {
                try await gate.pass()
                OperationProgress.current?.report(completed: 1, total: 2)
                try await more.pass()
            }
        }
        let updates = follow(operations[0].progress)
        for operation in operations { pad.submit(operation) }
        pad.executor.runAll()

        operations[0].cancel()
        pad.advance(by: .seconds(1))
        #expect(updates.all.last?.completed == -1)
        gate.open()
        pad.executor.runAll()
        let whole = OperationProgress()
        whole.add(operations[0].progress, weight: 100)
        #expect(whole.snapshot.fraction == 0.5)
        more.open()
        pad.executor.runAll()

        #expect(operations[1].progress.snapshot.fraction == 1)
    }

    @Test func `A transfer whose leader is gone is finished all the same when little remains of it`() {
        let (gate, rest) = (Gate(), Gate())
        let key = OperationKey(verb: "GET", subject: "x")
        let operations = (0..<2).map { _ in
            BackendOperation("work", key: key, lane: .cpu) {
                try await gate.pass()
                OperationProgress.current?.report(completed: 99_000, total: 100_000)
                try await rest.pass()
            }
        }
        for operation in operations { pad.submit(operation) }
        pad.executor.runAll()
        operations[0].cancel()
        gate.open()
        pad.executor.runAll()

        operations[1].cancel()
        pad.executor.runAll()

        #expect(rest.waitingCount == 1)
        rest.open()
        pad.executor.runAll()
        #expect(pad.queue.isIdle)
    }

    @Test func `An operation that goes on with another is as far as that one`() {
        let gate = Gate()
        let start = BackendOperation("start", lane: .cpu) {}
        let work = BackendOperation(
            "work", lane: .cpu, after: start,
            then: { _ in
                BackendOperation("next", lane: .cpu) {
                    OperationProgress.current?.report(completed: 2, total: 3)
                    try await gate.pass()
                }
            })
        let progress = work.progress
        pad.submit(work)
        pad.executor.runAll()

        #expect(progress.snapshot == .init(completed: 2, total: 3))
        gate.open()
        pad.executor.runAll()
        #expect(progress.snapshot == .init(completed: 3, total: 3))
        #expect(work.state == .succeeded)
    }
}
