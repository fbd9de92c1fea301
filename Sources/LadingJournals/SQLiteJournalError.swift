public import Foundation
import GRDB
import SQLiteFiles

/// An error that prevents the use of a journal; its description advises the user.
public enum SQLiteJournalError: Error {
    /// The file was written by a later release and is unchanged.
    case newer(URL)
    /// The file cannot be opened, read or written, or is damaged and cannot be moved.
    case unavailable(URL, cause: any Error)
    /// The disk has no room to create, open or write the file.
    case diskFull(URL)
    /// Confirmed writes would not be durable.
    case notDurable(URL)
}

extension SQLiteJournalError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { fileError.description }
}

extension SQLiteJournalError {
    /// Performs work on files, and converts its errors to those of the journal.
    static func converting<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        do { return try body() } catch let error as SQLiteFileError { throw SQLiteJournalError(error) }
    }

    /// Returns the error to throw to a caller of an open journal that SQLite could not read or write.
    static func failure(_ error: DatabaseError, of file: URL) -> any Error {
        error.isCancellation ? CancellationError() : SQLiteJournalError(SQLiteFile.failure(error, of: file))
    }

    init(_ error: SQLiteFileError) {
        switch error {
        case .newer(let file): self = .newer(file)
        case .unavailable(let file, let cause): self = .unavailable(file, cause: cause)
        case .diskFull(let file): self = .diskFull(file)
        case .notDurable(let file): self = .notDurable(file)
        }
    }

    private var fileError: SQLiteFileError {
        switch self {
        case .newer(let file): .newer(file)
        case .unavailable(let file, let cause): .unavailable(file, cause: cause)
        case .diskFull(let file): .diskFull(file)
        case .notDurable(let file): .notDurable(file)
        }
    }
}
