public import Foundation
import GRDB
import SQLiteFiles

/// An error that prevents the use of a store; its description advises the user.
public enum SQLiteStoreError: Error {
    /// The file was written by a later release and is unchanged.
    case newer(URL)
    /// The file cannot be opened, read or written, or is damaged and cannot be moved.
    case unavailable(URL, cause: any Error)
    /// The disk has no room to create, open or write the file.
    case diskFull(URL)
    /// Confirmed writes would not be durable.
    case notDurable(URL)
    /// The file to read does not exist: the program that writes it has not created it yet.
    case missing(URL)
}

extension SQLiteStoreError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .newer(let file): SQLiteFileError.newer(file).description
        case .unavailable(let file, let cause): SQLiteFileError.unavailable(file, cause: cause).description
        case .diskFull(let file): SQLiteFileError.diskFull(file).description
        case .notDurable(let file): SQLiteFileError.notDurable(file).description
        case .missing(let file): "\(file.path) does not exist: start the program that writes it"
        }
    }
}

extension SQLiteStoreError {
    /// Performs work on files, and converts its errors to those of the store.
    static func converting<Outcome>(_ body: () throws -> Outcome) throws -> Outcome {
        do { return try body() } catch let error as SQLiteFileError { throw SQLiteStoreError(error) }
    }

    /// Returns the error to throw to a caller of an open store that SQLite could not read or write.
    static func failure(_ error: DatabaseError, of file: URL) -> any Error {
        error.isCancellation ? CancellationError() : SQLiteStoreError(SQLiteFile.failure(error, of: file))
    }

    init(_ error: SQLiteFileError) {
        switch error {
        case .newer(let file): self = .newer(file)
        case .unavailable(let file, let cause): self = .unavailable(file, cause: cause)
        case .diskFull(let file): self = .diskFull(file)
        case .notDurable(let file): self = .notDurable(file)
        }
    }
}
