import DiskSpace
import ErrorDescriptions
import FileLocks
import FilePermissions
package import Foundation
import Synchronization

/// The exclusive ownership of a directory by one program, as an advisory lock (`flock`) on a file inside it.
///
/// The system releases the lock when the process ends, however it ends. The file remains and holds the owner's process id while it is locked, so
/// that a second program can name the owner.
///
/// ```swift
/// let lock = try DirectoryLock(of: directory)
/// defer { lock.release() }
/// ```
package final class DirectoryLock: Sendable {
    /// The lock on the file; nil once released.
    private let lock: Mutex<FileLock?>

    /// Creates the directory with private permissions if it is missing, and locks it.
    ///
    /// Two components of one program can own parts of the same directory under different file names.
    package init(of directory: URL, fileName: String = "lading.lock") throws(Failure) {
        do {
            try PrivateFiles.createDirectory(directory)
        } catch {
            throw .unavailable(directory, cause: error)
        }
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock(directory.appending(path: fileName, directoryHint: .notDirectory))
        } catch {
            switch error {
            case .locked(let owner): throw Failure.locked(directory, by: owner)
            case .unavailable(let cause): throw Failure.unavailable(directory, cause: cause)
            }
        }
        self.lock = Mutex(lock)
    }

    /// Locks a directory as the initializer does; returns nil when another owner holds the lock.
    package static func tryLock(of directory: URL, fileName: String) throws(Failure) -> DirectoryLock? {
        do throws(Failure) {
            return try DirectoryLock(of: directory, fileName: fileName)
        } catch {
            guard case .locked = error else { throw error }
            return nil
        }
    }

    deinit {
        release()
    }

    /// Releases the lock. Further calls have no effect.
    package func release() {
        lock.withLock { $0.take() }?.release()
    }
}

extension DirectoryLock {
    /// An error of locking a directory.
    package enum Failure: Error {
        /// Another owner holds the lock; the process id is nil while that owner is starting or ending.
        case locked(URL, by: Int32?)
        case unavailable(URL, cause: any Error)

        /// Whether the disk has no room for the lock or its directory.
        package var isDiskFull: Bool {
            guard case .unavailable(_, let cause) = self else { return false }
            return FullDisk.isCause(of: cause)
        }
    }
}

extension DirectoryLock.Failure: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .locked(let directory, let owner):
            """
            \(directory.path) is in use by \(owner.map { "process \($0)" } ?? "another process"): \
            stop that process, or choose another directory with --data.
            """
        case .unavailable(let directory, _) where isDiskFull:
            """
            Cannot write to \(directory.path), because the disk is full: \
            free up space, or choose another directory with --data.
            """
        case .unavailable(let directory, let cause):
            """
            Cannot write to \(directory.path)\(cause.descriptionSuffix): \
            make it writable, or choose another directory with --data.
            """
        }
    }
}
