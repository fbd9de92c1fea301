import Foundation
import GRDB

/// The database of an open journal, which converts the errors of SQLite to those of the journal.
struct JournalDatabase: Sendable {
    let pool: any DatabaseWriter
    let file: URL

    /// - Throws: `SQLiteJournalError`, `CancellationError`, or the errors of `body`.
    func read<Outcome: Sendable>(_ body: @Sendable (Database) throws -> Outcome) async throws -> Outcome {
        do { return try await pool.read(body) } catch let error as DatabaseError { throw SQLiteJournalError.failure(error, of: file) }
    }

    /// - Throws: As `read`.
    func write<Outcome: Sendable>(_ body: @Sendable (Database) throws -> Outcome) async throws -> Outcome {
        do { return try await pool.write(body) } catch let error as DatabaseError { throw SQLiteJournalError.failure(error, of: file) }
    }

    /// - Throws: `SQLiteJournalError`.
    func close(_ body: (any DatabaseWriter) throws -> Void) throws {
        do { try body(pool) } catch let error as DatabaseError { throw SQLiteJournalError.failure(error, of: file) }
    }
}
