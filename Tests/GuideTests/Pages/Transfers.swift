import Foundation
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingTransfers

func fetch(_ url: URL, to file: URL, in directory: URL, _ client: BackendClient, _ queue: BackendQueue) async throws {
    // block 1
}

// block 2

// block 3
