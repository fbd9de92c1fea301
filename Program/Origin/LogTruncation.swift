import Foundation
import GRDB
import SQLiteFiles

/// A truncation of the write-ahead log of a database after a commit that makes it too long.
///
/// SQLite starts the log again only at a commit beside which nobody reads an earlier state. Where reads overlap all the time, none comes.
final class LogTruncation: TransactionObserver {
    private let file: URL
    private let limit: Int
    /// The length beyond which the log is truncated at the next commit, in bytes.
    private var nextLength: Int

    /// - Parameters:
    ///   - file: The database.
    ///   - limit: The length of the log that is not exceeded for long, in bytes.
    init(of file: URL, limit: Int) {
        self.file = file
        self.limit = limit
        nextLength = limit
    }

    func observes(eventsOfKind eventKind: DatabaseEventKind) -> Bool { false }

    func databaseDidChange(with event: DatabaseEvent) {}

    func databaseDidCommit(_ database: Database) {
        guard length > nextLength else { return }
        // It waits for the present readers; later ones read the file. After an error the next attempt may succeed.
        _ = try? database.checkpoint(.truncate)
        // A reader that takes minutes, such as a backup, must not delay every commit.
        nextLength = length + limit
    }

    func databaseDidRollback(_ database: Database) {}

    private var length: Int { SQLiteFile.logLength(of: file) }
}
