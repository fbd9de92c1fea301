import Foundation
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingTransfers

// Not compiled: block 3 needs Network, block 4 UIKit, and block 6 an activity of ProcessInfo, which only Apple's platforms have.

func makeClient() -> BackendClient {
    // block 1
    return client
}

func makeJournal(in directory: URL) throws -> SQLiteTransferJournal {
    // block 2
    return journal
}

func observe(_ connectivity: some Connectivity, _ lifecycle: some AppLifecycle, with queue: BackendQueue) async {
    // block 5
    _ = await (network, attention)
}

/// The function of the block that is not compiled here.
func withoutSuspension(_ reason: String, _ work: @escaping @Sendable () async -> Void) {}

func suspend(_ transfers: FileTransfers) {
    // block 7
}
