import LadingTesting
import Synchronization
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
            let (operation, first) = makeOperations(kind, gate, using: strongPayload)
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

    /// Returns an operation whose work refers to the payload, and one that it depends on or whose flight it joins.
    private func makeOperations(
        _ kind: CompletionKind, _ gate: Gate, using payload: any AnyObject & Sendable
    ) -> (operation: BackendOperation<Int>, first: BackendOperation<Int>) {
        let key = kind == .joined ? OperationKey(verb: "GET", subject: "x") : nil
        let first = BackendOperation("first", key: key, lane: .cpu) {
            if kind == .failed || kind == .dependencyFailed { throw QueueHarness.Broken() }
            if kind == .cancelledRunning { try await gate.wait() }
            return 1
        }
        let operation =
            kind == .joined || kind == .cancelledNew
            ? BackendOperation("work", key: key, lane: .cpu) { withExtendedLifetime(payload) { 1 } }
            : BackendOperation(
                "work", lane: .cpu, rules: OperationRules(retry: OperationRetry { _, _ in nil }), after: first
            ) { _ in withExtendedLifetime(payload) { 1 } }
        return (operation, first)
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

    /// An object whose deinitializer uses the queue and cancels an operation.
    private final class Canceller: Sendable {
        private let queue: BackendQueue
        let operation = Mutex<AnyOperation?>(nil)

        init(of queue: BackendQueue) {
            self.queue = queue
        }

        deinit {
            _ = queue.isIdle
            operation.withLock { $0 }?.cancel()
        }
    }

    @Test(arguments: CompletionKind.allCases)
    func `The deinitializer of an object in the work may use the queue and cancel the operation`(_ kind: CompletionKind) {
        weak var canceller: Canceller?
        func makeOperations() -> (operation: BackendOperation<Int>, first: BackendOperation<Int>) {
            let strongCanceller = Canceller(of: harness.queue)
            let operations = self.makeOperations(kind, Gate(), using: strongCanceller)
            strongCanceller.operation.withLock { $0 = operations.operation.erased }
            canceller = strongCanceller
            return operations
        }

        let (operation, first) = makeOperations()
        end(operation, first, kind)

        #expect(canceller == nil)
        #expect(operation.state.isCompleted && harness.queue.isIdle)
    }

    @Test func `The deinitializer of an object in the rules of a cancelled operation may use the queue`() {
        weak var canceller: Canceller?
        func submit() {
            let strongCanceller = Canceller(of: harness.queue)
            let rules = OperationRules(retry: OperationRetry { _, _ in withExtendedLifetime(strongCanceller) { nil } })
            harness.submit(BackendOperation("work", lane: .cpu, rules: rules) { 1 })
            canceller = strongCanceller
        }
        harness.queue.pause()
        submit()

        harness.queue.cancelAll()

        #expect(canceller == nil)
        #expect(harness.queue.isIdle)
    }

    @Test func `The deinitializer of an object in the error of an earlier attempt may use the queue`() {
        struct Failure: Error { let canceller: Canceller }
        weak var canceller: Canceller?
        func makeOperation() -> BackendOperation<Int> {
            let strongCanceller = Canceller(of: harness.queue)
            canceller = strongCanceller
            let errors = Mutex<[any Error]>([QueueHarness.Broken(), Failure(canceller: strongCanceller)])
            let rules = OperationRules(retry: OperationRetry { _, _ in .seconds(1) })
            return BackendOperation("work", lane: .cpu, rules: rules) {
                if let error = errors.withLock({ $0.popLast() }) { throw error }
                return 1
            }
        }
        let operation = makeOperation()
        harness.submit(operation)
        harness.executor.runAll()
        #expect(canceller != nil && operation.lastRetry != nil)

        harness.advance(by: .seconds(1))

        #expect(canceller == nil)
        harness.advance(by: .seconds(1))
        #expect(operation.state == .succeeded && harness.queue.isIdle)
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
