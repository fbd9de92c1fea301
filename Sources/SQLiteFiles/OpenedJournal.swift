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

    init(_ opened: SQLiteFile.OpenedDatabase, of file: URL, replacing quarantinedFile: URL? = nil) {
        (database, isDiskFull) = (opened.database, opened.isDiskFull)
        (self.file, self.quarantinedFile) = (file, quarantinedFile)
    }

    /// Returns the result of a closure that prepares the content. If it fails, the file is closed and the damaged one moved back, so that the next
    /// start tries again.
    ///
    /// - Throws: `SQLiteFileError`.
    package func prepare<Outcome>(_ body: (OpenedJournal) throws -> Outcome) throws -> Outcome {
        do {
            return try body(self)
        } catch {
            try? database.close()
            if let quarantinedFile { SQLiteFile.restore(quarantinedFile, as: file) }
            throw SQLiteFile.failure(error, of: file)
        }
    }
}
