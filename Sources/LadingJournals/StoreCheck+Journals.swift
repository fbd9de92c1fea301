package import Foundation
import LadingTransfers
package import SQLiteFiles

extension StoreCheck {
    /// Returns the problems of an outbox, including damaged rows.
    package static func problems(inOutbox file: URL) -> [String] {
        report(on: file, rows: SQLiteOutboxJournal.checksums, SQLiteOutboxJournal.migrator).problems
    }

    /// Returns the problems of a transfer journal, including damaged rows.
    package static func problems(inTransfers file: URL) -> [String] {
        report(on: file, rows: [TransferRecord.checksums, TransferCommand.checksums], SQLiteTransferJournal.migrator).problems
    }
}
