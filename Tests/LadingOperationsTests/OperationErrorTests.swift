import Foundation
import LadingOperations
import LadingTesting
import Testing

@Suite struct OperationErrorTests {
    private enum Case: CaseIterable {
        case dependencyFailed, cycle, deadlineExceeded, queueShutDown

        init(_ error: OperationError) {
            self =
                switch error {
                case .dependencyFailed: .dependencyFailed
                case .cycle: .cycle
                case .deadlineExceeded: .deadlineExceeded
                case .queueShutDown: .queueShutDown
                }
        }
    }

    private struct Unnamed: Error { var code = Optional(1) }

    private static let sentences = ErrorSentences<OperationError>([
        (.dependencyFailed(POSIXError(.ENOSPC)), "a dependency failed: No space left on device"),
        (.dependencyFailed(OperationError.dependencyFailed(POSIXError(.ENOSPC))), "a dependency failed: No space left on device"),
        (.dependencyFailed(Unnamed()), "a dependency failed"),
        (.cycle("orders"), "the operation “orders” depends on itself: remove the dependency"),
        (.deadlineExceeded, "the deadline was exceeded"),
        (.queueShutDown, "the queue was shut down: submit the operation to another queue"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
