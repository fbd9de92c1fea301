package import Foundation
package import GRDB

/// The file of a journal that was opened, and the damaged one that it replaces.
package struct OpenedJournal {
    package let database: any DatabaseWriter
    /// Whether the disk was full, so that the file can only be read.
    package let isDiskFull: Bool
    /// The damaged file that was quarantined; nil if there was none.
    package let quarantinedFile: URL?

    private let file: URL

    init(_ opened: SQLiteFile.OpenedDatabase, of file: URL, replacing quarantinedFile: URL?) {
        (database, isDiskFull) = (opened.database, opened.isDiskFull)
        (self.file, self.quarantinedFile) = (file, quarantinedFile)
    }

    /// Returns the result of a closure that prepares the content. If it fails, the file is closed.
    ///
    /// - Throws: `SQLiteFileError`.
    package func prepare<Outcome>(_ body: (any DatabaseWriter) throws -> Outcome) throws -> Outcome {
        do { return try body(database) } catch {
            try? database.close()
            throw SQLiteFile.failure(error, of: file)
        }
    }
}
