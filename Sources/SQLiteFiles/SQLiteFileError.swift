import ErrorDescriptions
package import Foundation
import GRDB

/// An error that prevents the use of a database file; each library converts it to its own error. Its description advises the user.
package enum SQLiteFileError: Error {
    /// The file was written by a later release and is unchanged.
    case newer(URL)
    case unavailable(URL, cause: any Error)
    /// The disk has no room to create or open the file.
    case diskFull(URL)
    /// Confirmed writes would not be durable.
    case notDurable(URL)
}

extension SQLiteFileError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .newer(let file):
            "\(file.path) was written by a newer release and was not changed: update this program, or choose another directory"
        case .notDurable(let file): "cannot guarantee that writes to \(file.path) reach the disk: choose another directory"
        case .diskFull(let file): "cannot use \(file.path), because the disk is full: free up space, or choose another directory"
        case .unavailable(let file, let cause):
            "cannot use \(file.path)\(cause.descriptionSuffix): \(Self.remedy(for: cause))"
        }
    }

    private static func remedy(for cause: any Error) -> String {
        switch (cause as? DatabaseError)?.resultCode {
        case .SQLITE_BUSY?, .SQLITE_LOCKED?: "retry when no other program uses it"
        case .SQLITE_MISUSE?: "open it again"
        default: "make it writable, or choose another directory"
        }
    }
}

extension DatabaseError: DescribedCause {
    /// The message of SQLite, without the statement and its arguments. For a failed step of a copy there is none, only the code.
    package var causeDescription: String? { message == "not an error" ? DatabaseError(resultCode: resultCode).message : message }
}
