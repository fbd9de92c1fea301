import Foundation
import GRDB
import LadingTesting
import SQLiteFiles
import Testing

@Suite struct SQLiteFileErrorTests {
    private enum Case: CaseIterable {
        case newer, unavailable, diskFull, notDurable

        init(_ error: SQLiteFileError) {
            self =
                switch error {
                case .newer: .newer
                case .unavailable: .unavailable
                case .diskFull: .diskFull
                case .notDurable: .notDurable
                }
        }
    }

    private static let file = URL(filePath: "/data/notes.sqlite")
    private static let cause = DatabaseError(
        resultCode: .SQLITE_READONLY, message: "attempt to write a readonly database", sql: "INSERT INTO secrets VALUES (?)",
        arguments: ["abcdefgh"])

    private static let sentences = ErrorSentences<SQLiteFileError>([
        (
            .newer(file),
            "/data/notes.sqlite was written by a newer release and was not changed: update this program, or choose another directory"
        ),
        (
            .unavailable(file, cause: cause),
            "cannot use /data/notes.sqlite (attempt to write a readonly database): make it writable, or choose another directory"
        ),
        (
            .unavailable(file, cause: POSIXError(.EACCES)),
            "cannot use /data/notes.sqlite (Permission denied): make it writable, or choose another directory"
        ),
        (
            .unavailable(file, cause: DatabaseError(resultCode: .SQLITE_BUSY, message: "database is locked")),
            "cannot use /data/notes.sqlite (database is locked): retry when no other program uses it"
        ),
        (
            .unavailable(file, cause: DatabaseError(resultCode: .SQLITE_MISUSE, message: "Connection is closed")),
            "cannot use /data/notes.sqlite (Connection is closed): open it again"
        ),
        (
            .diskFull(file),
            "cannot use /data/notes.sqlite, because the disk is full: free up space, or choose another directory"
        ),
        (.notDurable(file), "cannot guarantee that writes to /data/notes.sqlite reach the disk: choose another directory"),
    ])

    @Test func `Both descriptions of each case are one sentence`() {
        #expect(Self.sentences.differences == [])
        #expect(Self.sentences.missingCases { Case($0) } == [])
    }
}
