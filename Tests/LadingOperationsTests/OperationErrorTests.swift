import Foundation
import LadingOperations
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

    private static let sentences: [(OperationError, String)] = [
        (.dependencyFailed(POSIXError(.ENOSPC)), "a dependency failed: No space left on device"),
        (.dependencyFailed(OperationError.dependencyFailed(POSIXError(.ENOSPC))), "a dependency failed: No space left on device"),
        (.dependencyFailed(Unnamed()), "a dependency failed"),
        (.cycle("orders"), "the operation “orders” depends on itself: remove the dependency"),
        (.deadlineExceeded, "the deadline was exceeded"),
        (.queueShutDown, "the queue was shut down: submit the operation to another queue"),
    ]

    @Test(arguments: sentences.indices) func `Both descriptions of an error are one sentence`(index: Int) {
        let (error, sentence) = Self.sentences[index]

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `Every case has a sentence`() {
        #expect(Set(Self.sentences.map { Case($0.0) }) == Set(Case.allCases))
    }
}
