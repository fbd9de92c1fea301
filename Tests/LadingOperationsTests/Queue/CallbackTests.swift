import LadingTesting
import Testing

@testable import LadingOperations

/// Tests of callbacks for synchronous callers.
@Suite struct CallbackTests {
    private let harness = QueueHarness(processors: 1)
    private let calls = Recorder<String>()

    private func listen(to operation: BackendOperation<Int>) {
        operation
            .onSuccess { [calls] in calls.append("value \($0)") }
            .onFailure { [calls] in calls.append("\(type(of: $0))") }
    }

    @Test func `A success calls back once, with the value`() {
        let operation = BackendOperation("work", lane: .cpu) { 7 }
        listen(to: operation)

        harness.submit(operation)
        harness.executor.runAll()
        operation.cancel()

        #expect(calls.all == ["value 7"])
    }

    @Test func `A failure calls back once, with the error`() {
        let operation = BackendOperation<Int>("work", lane: .cpu) { throw QueueHarness.Broken() }
        listen(to: operation)

        harness.submit(operation)
        harness.executor.runAll()

        #expect(calls.all == ["Broken"])
    }

    @Test(arguments: [false, true]) func `A cancellation calls back once, before and after the submission`(isSubmitted: Bool) {
        let operation = BackendOperation("work", lane: .cpu) { 7 }
        listen(to: operation)
        if isSubmitted { harness.submit(operation) }

        operation.cancel()
        harness.submit(operation)
        harness.executor.runAll()
        operation.cancel()

        #expect(calls.all == ["CancellationError"])
    }

    @Test func `An observer added after completion is called immediately`() {
        let operation = BackendOperation("known", result: .success(3))

        listen(to: operation)

        #expect(calls.all == ["value 3"])
    }
}
