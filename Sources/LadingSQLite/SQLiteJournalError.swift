public import Foundation

/// Why a journal or a store cannot be used; its text says what to do.
public enum SQLiteJournalError: Error {
    /// A later release has written it; it was left untouched.
    case newer(URL)
    case unusable(URL, cause: any Error)
    /// There is no room on the disk to create or to open it.
    case diskFull(URL)
    /// What is confirmed would not be on the disk.
    case notDurable(URL)
}

extension SQLiteJournalError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .newer(let file):
            "\(file.path) was written by a newer release and was left untouched: update this program, or choose another directory"
        case .notDurable(let file): "cannot be sure that what is written to \(file.path) reaches the disk: choose another directory"
        case .diskFull(let file): "cannot use \(file.path), because the disk is full: make room, or choose another directory"
        case .unusable(let file, let cause): "cannot use \(file.path) (\(cause)): make it writable, or choose another directory"
        }
    }
}
