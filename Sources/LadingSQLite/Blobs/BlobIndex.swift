import Foundation
import GRDB
import LadingCaching

/// The database of a store of bodies: what is kept, and where.
final class BlobIndex: Sendable {
    /// The log is folded into the file when it is longer than this, in bytes.
    private static let logLimit = 16 << 20

    /// What makes hashes of keys unknown to those who choose the keys.
    let salt: UInt64
    private let pool: DatabasePool
    private let file: URL

    private init(_ pool: DatabasePool, _ file: URL) throws {
        (self.pool, self.file) = (pool, file)
        salt = try pool.read(BlobTables.salt)
    }

    /// Opens a file and reads what is needed of it; one that turns out to be damaged or newer is set aside, and a new one begun.
    ///
    /// - Throws: `SQLiteJournalError`.
    static func open<Loaded>(
        _ file: URL, load: (BlobIndex) throws -> Loaded
    ) throws -> (index: BlobIndex, loaded: Loaded, setAside: SetAsideFile?) {
        do {
            let (index, loaded) = try loadedIndex(at: file, load)
            return (index, loaded, nil)
        } catch {
            guard let reason = SetAsideFile.Reason(error) else { throw SQLiteJournalError.unusable(file, cause: error) }
            let aside = try SQLiteFile.setAside(file, as: reason.rawValue, because: error)
            do {
                let (index, loaded) = try loadedIndex(at: file, load)
                return (index, loaded, SetAsideFile(file: aside, reason: reason))
            } catch {
                throw SQLiteJournalError.unusable(file, cause: error)
            }
        }
    }

    private static func loadedIndex<Loaded>(at file: URL, _ load: (BlobIndex) throws -> Loaded) throws -> (BlobIndex, Loaded) {
        // A power cut may take back what was written last: it is fetched again.
        let pool = try SQLiteFile.pool(at: file, BlobTables.migrator, isDurable: false)
        do {
            let index = try BlobIndex(pool, file)
            return (index, try load(index))
        } catch {
            try? pool.close()
            throw error
        }
    }

    func hash(of key: BlobKey) -> UInt64 { BlobTables.hash(of: key, salt: salt) }

    func read<Outcome>(_ body: (BlobTables) throws -> Outcome) throws -> Outcome {
        try pool.read { try body(BlobTables($0, salt: salt)) }
    }

    func write<Outcome>(_ body: (BlobTables) throws -> Outcome) throws -> Outcome {
        let outcome = try pool.write { try body(BlobTables($0, salt: salt)) }
        foldLog()
        return outcome
    }

    /// The most pages that the database may have: for tests of a disk that is full.
    func limit(pages: Int) throws {
        try pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = \(pages)") }
    }

    /// SQLite begins the log anew only when nobody reads from it, which may never come while many read in turn; this waits for those who read now.
    private func foldLog() {
        var status = stat()
        guard stat(file.path(percentEncoded: false) + "-wal", &status) == 0, status.st_size > Self.logLimit else { return }
        // While somebody holds on to an old state it stays long: the next write tries again.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
    }

    func close() throws {
        // The pool closes its readers last, and they cannot fold the log into the file.
        _ = try? pool.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        try pool.close()
    }
}
