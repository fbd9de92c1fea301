import LadingTesting
import Testing

@testable import LadingOperations

/// Tests of the release of operations and their work.
@Suite struct LifetimeTests {
    private let harness = QueueHarness(processors: 1)

    private final class Payload: Sendable {}

    /// Larger allocations cause contention when another thread frees them (glibc, mallopt(3): `M_MXFAST`).
    @Test func `An operation takes no more than 120 bytes`() {
        let header = 2 * MemoryLayout<Int>.size
        let lock = MemoryLayout<Int>.size
        let constant = MemoryLayout<(String, Lane, OperationAttributes?)>.size

        #expect(header + constant + lock + MemoryLayout<AnyOperation.Box>.size <= 120)
    }

    /// A way in which an operation completes.
    enum CompletionKind: CaseIterable {
        case succeeded, failed, cancelledInQueue, cancelledRunning, cancelledNew, deadlineExceeded, dependencyFailed, joined
    }

    @Test(arguments: CompletionKind.allCases)
    func `An operation that has ended releases its work, and is deallocated with its last reference`(
        _ kind: CompletionKind
    ) throws {
        weak var payload: Payload?
        weak var erased: AnyOperation?
        let gate = Gate()
        var retained: BackendOperation<Int>?
        do {
            let strongPayload = Payload()
            payload = strongPayload
            let key = kind == .joined ? OperationKey(verb: "GET", subject: "x") : nil
            let first = BackendOperation("first", key: key, lane: .cpu) {
                if kind == .failed || kind == .dependencyFailed { throw QueueHarness.Broken() }
                if kind == .cancelledRunning { try await gate.wait() }
                return 1
            }
            let operation =
                kind == .joined || kind == .cancelledNew
                ? BackendOperation("work", key: key, lane: .cpu) { withExtendedLifetime(strongPayload) { 1 } }
                : BackendOperation(
                    "work", lane: .cpu, rules: OperationRules(retry: OperationRetry { _, _ in nil }), after: first
                ) { _ in withExtendedLifetime(strongPayload) { 1 } }
            end(operation, first, kind)
            #expect(operation.state.isCompleted)
            erased = operation.erased
            retained = operation
        }

        #expect(payload == nil)
        #expect(retained != nil)
        retained = nil
        #expect(erased == nil)
        #expect(harness.queue.isIdle)
    }

    private func end(_ operation: BackendOperation<Int>, _ first: BackendOperation<Int>, _ kind: CompletionKind) {
        if kind == .cancelledInQueue || kind == .deadlineExceeded { harness.queue.pause() }
        if kind == .joined { harness.submit(first) }
        if kind != .cancelledNew { harness.submit(operation, deadline: kind == .deadlineExceeded ? .seconds(1) : nil) }
        harness.executor.runAll()
        switch kind {
        case .cancelledInQueue, .cancelledRunning, .cancelledNew: operation.cancel()
        case .deadlineExceeded: harness.advance(by: .seconds(1))
        case .succeeded, .failed, .dependencyFailed, .joined: break
        }
        harness.executor.runAll()
    }

    @Test func `A cancelled chain of 100,000 operations is deallocated without a deep stack`() {
        var last: BackendOperation<Int>? = BackendOperation("0", lane: .cpu) { 0 }
        let first = last
        for index in 1..<100_000 {
            guard let before = last else { break }
            last = BackendOperation("\(index)", lane: .cpu, after: before) { $0 + 1 }
        }
        harness.queue.pause()
        if let last { harness.submit(last) }

        first?.cancel()

        #expect(last?.state == .cancelled)
        last = nil
        #expect(harness.queue.isIdle)
    }
}
