import FileAccess
import FilePermissions
import Foundation
import GRDB

/// The replacement of a damaged file by a copy of its content.
///
/// The content is copied to a draft, which is complete when it has the name of the copy. Until then the damaged file is unchanged; from then
/// on the copy replaces it, if necessary in the next process.
struct FileRecovery {
    private static let suffix = "damaged"

    private let file: URL
    private let draft: URL
    private let copy: URL

    init(of file: URL) {
        let path = file.path(percentEncoded: false)
        self.file = file
        draft = URL(filePath: path + "-draft", directoryHint: .notDirectory)
        copy = URL(filePath: path + "-recovered", directoryHint: .notDirectory)
    }

    /// Whether a complete copy waits to replace the file.
    var isCopied: Bool { access(copy.path(percentEncoded: false), F_OK) == 0 }

    /// Creates a durable copy of the content.
    ///
    /// - Parameter body: Copies rows of the damaged file to a database with the schema.
    func makeCopy(_ migrator: DatabaseMigrator, _ body: (_ damaged: URL, _ draft: DatabaseQueue) throws -> Void) throws {
        try removeDraft()
        defer { try? removeDraft() }
        try PrivateFiles.createFile(draft)
        let queue = try DatabaseQueue(path: draft.path(percentEncoded: false), configuration: Self.configuration)
        do {
            try migrator.migrate(queue)
            try body(file, queue)
        } catch {
            try? queue.close()
            throw error
        }
        try queue.close()
        try RandomAccessFile.publish(draft, as: copy, replacing: true)
    }

    /// The configuration of the draft, which has no write-ahead log, so that it is a single file. Each commit syncs it.
    private static var configuration: Configuration {
        var configuration = Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL; PRAGMA fullfsync = 1") }
        return configuration
    }

    /// Removes an incomplete draft with its journal.
    private func removeDraft() throws {
        let path = draft.path(percentEncoded: false)
        for name in [path, path + "-journal"] where unlink(name) != 0 && errno != ENOENT {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Moves the damaged file aside and the copy into its place; does nothing without a copy.
    ///
    /// - Returns: The damaged file; nil without a copy.
    func replaceFile() throws -> URL? {
        guard isCopied else { return nil }
        let damaged: URL? =
            if access(file.path(percentEncoded: false), F_OK) == 0 {
                try SQLiteFile.quarantine(file, as: Self.suffix, cause: DatabaseError(resultCode: .SQLITE_CORRUPT))
            } else {
                SQLiteFile.lastQuarantined(file, as: Self.suffix)
            }
        try RandomAccessFile.publish(copy, as: file, replacing: true)
        return damaged
    }
}
