import Foundation
import LadingHTTP
import LadingOperations

nonisolated enum AccountError: Error { case signedOut }
nonisolated struct Unavailable: Error {}

@Sendable nonisolated func printLine(_ line: String) { print(line) }

func createOperations(_ queue: BackendQueue) async throws {
    // block 1
    // block 2
    // block 3
    print(text, newest, tidy)
}

func rules(_ queue: BackendQueue, _ load: BackendOperation<Int>, isSignedIn: Bool) {
    // block 4
    // block 5
    print(save)
}

func observe(_ sync: BackendOperation<Int>, _ pictures: BackendOperation<Int>, _ queue: BackendQueue) async {
    // block 6
    // block 7
    // block 8
    // block 9
    states.cancel()
    bar.cancel()
}

// block 10
