import Foundation
import LadingHTTP
import LadingJournals
import LadingOperations
import LadingRecords
import LadingSQLite
import LadingTransfers

// Network and SwiftUI are the modules in the folder ApplePlatforms, which have the declarations of Apple's that the page uses.

nonisolated struct Parcel: PersistableRow, Codable {
    var id: Int

    var indexedFields: IndexedFields { IndexedFields() }
}

func makeClient() -> BackendClient {
    // block 1
    return client
}

func makeJournal(in directory: URL) throws -> SQLiteTransferJournal {
    // block 2
    return journal
}

// block 3

// block 4

func observe(_ connectivity: some Connectivity, _ activity: AppActivity, with queue: BackendQueue) async {
    // block 5
    _ = await (network, attention)
}

/// A declaration of Apple's Foundation.
nonisolated extension ProcessInfo {
    func performExpiringActivity(withReason reason: String, using block: @escaping @Sendable (Bool) -> Void) {}
}

// block 6

func finish(_ sync: @escaping @Sendable () async -> Void, in activity: AppActivity) {
    // block 7
}

func suspend(_ transfers: FileTransfers) {
    // block 8
}

// block 9
