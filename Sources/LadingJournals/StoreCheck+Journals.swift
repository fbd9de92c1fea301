package import Foundation
import LadingTransfers
package import SQLiteFiles

extension StoreCheck {
    /// Verifies an outbox, including its rows.
    package static func report(onOutbox file: URL) -> Report {
        report(on: file, rows: SQLiteOutboxJournal.checksums, SQLiteOutboxJournal.migrator)
    }

    /// Verifies a transfer journal, including its rows.
    package static func report(onTransfers file: URL) -> Report {
        report(on: file, rows: [TransferRecord.checksums, TransferCommand.checksums], SQLiteTransferJournal.migrator)
    }
}
