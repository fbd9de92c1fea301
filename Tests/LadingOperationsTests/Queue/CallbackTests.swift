import LadingTesting
import Testing

@testable import LadingOperations

/// Callbacks, for callers that are not async.
@Suite struct CallbackTests {
    private let pad = QueuePad(processors: 1)
    private let notes = Notes<String>()

    private func listen(to operation: BackendOperation<Int>) {
        operation
            .onSuccess { [notes] in notes.add("value \($0)") }
            .onFailure { [notes] in notes.add("\(type(of: $0))") }
    }

    @Test func `A success calls back once, with the value`() {
        let operation = BackendOperation("work", lane: .cpu) { 7 }
        listen(to: operation)

        pad.submit(operation)
        pad.executor.runAll()
        operation.cancel()

        #expect(notes.all == ["value 7"])
    }

    @Test func `A failure calls back once, with the error`() {
        let operation = BackendOperation<Int>("work", lane: .cpu) { throw QueuePad.Broken() }
        listen(to: operation)

        pad.submit(operation)
        pad.executor.runAll()

        #expect(notes.all == ["Broken"])
    }

    @Test(arguments: [false, true]) func `A cancellation calls back once, before and after the submission`(isSubmitted: Bool) {
        let operation = BackendOperation("work", lane: .cpu) { 7 }
        listen(to: operation)
        if isSubmitted { pad.submit(operation) }

        operation.cancel()
        pad.submit(operation)
        pad.executor.runAll()
        operation.cancel()

        #expect(notes.all == ["CancellationError"])
    }

    @Test func `A listener that comes late is called at once`() {
        let operation = BackendOperation("known", ended: .success(3))

        listen(to: operation)

        #expect(notes.all == ["value 3"])
    }
}
