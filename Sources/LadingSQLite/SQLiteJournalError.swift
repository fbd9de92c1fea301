public import Foundation

/// Why a journal cannot be used; its text says what to do.
public enum SQLiteJournalError: Error {
    /// A later release has written it; it was left untouched.
    case newer(URL)
    case unusable(URL, cause: any Error)
}

extension SQLiteJournalError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .newer(let file):
            "\(file.path) was written by a newer release and was left untouched: update this program, or choose another directory"
        case .unusable(let file, let cause): "cannot use \(file.path) (\(cause)): make it writable, or choose another directory"
        }
    }
}
