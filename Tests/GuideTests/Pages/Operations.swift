import Foundation
import LadingHTTP
import LadingOperations

nonisolated enum AccountError: Error { case signedOut }
nonisolated struct Unavailable: Error {}

@Sendable nonisolated func printLine(_ line: String) { print(line) }

func readFile(_ file: URL, _ queue: BackendQueue) async throws {
    // block 1
    print(bytes)
}

func createOperations(_ queue: BackendQueue) async throws {
    // block 2
    // block 3
    // block 4
    print(text, newest, tidy)
}

func rules(_ queue: BackendQueue, _ load: BackendOperation<Int>, isSignedIn: Bool) {
    // block 5
    // block 6
    print(save)
}

func observe(_ sync: BackendOperation<Int>, _ pictures: BackendOperation<Int>, _ queue: BackendQueue) async {
    // block 7
    // block 8
    // block 9
    // block 10
    states.cancel()
    bar.cancel()
}

// block 11

// block 12
