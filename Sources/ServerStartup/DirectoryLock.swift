import DiskSpace
import FileLocks
import FilePermissions
package import Foundation
import Synchronization

/// The ownership of one directory by one program, held as an advisory lock (`flock`) on a file inside it.
///
/// The system gives the lock back when the process ends, however it ends. The file stays and holds the owner's process
/// id while it is locked, so that a second program can say who is there.
///
/// ```swift
/// let lock = try DirectoryLock(of: directory)
/// defer { lock.release() }
/// ```
package final class DirectoryLock: Sendable {
    /// The lock on the file; nil once released.
    private let lock: Mutex<FileLock?>

    /// Creates the directory for its owner alone when it is missing, and takes it.
    ///
    /// Two parts of one program may each own something in the same directory under different file names.
    package init(of directory: URL, fileName: String = "lading.lock") throws(Failure) {
        do {
            try PrivateFiles.createDirectory(directory)
        } catch {
            throw .unusable(directory, cause: error)
        }
        let lock: FileLock
        do throws(FileLock.Failure) {
            lock = try FileLock(directory.appending(path: fileName, directoryHint: .notDirectory))
        } catch {
            switch error {
            case .held(let owner): throw Failure.held(directory, by: owner)
            case .unusable(let cause): throw Failure.unusable(directory, cause: cause)
            }
        }
        self.lock = Mutex(lock)
    }

    /// Takes a directory as the initializer does; returns nil when another owner has it.
    package static func tryLock(of directory: URL, fileName: String) throws(Failure) -> DirectoryLock? {
        do throws(Failure) {
            return try DirectoryLock(of: directory, fileName: fileName)
        } catch {
            guard case .held = error else { throw error }
            return nil
        }
    }

    deinit {
        release()
    }

    /// Gives the directory back; a second call does nothing.
    package func release() {
        lock.withLock { $0.take() }?.release()
    }
}

extension DirectoryLock {
    /// Why a directory could not be taken.
    package enum Failure: Error {
        /// Another owner has it; the process id is nil while that owner is just starting or stopping.
        case held(URL, by: Int32?)
        case unusable(URL, cause: any Error)

        /// Whether the disk has no room for the lock or its directory.
        package var isDiskFull: Bool {
            guard case .unusable(_, let cause) = self else { return false }
            return FullDisk.isCause(of: cause)
        }
    }
}

extension DirectoryLock.Failure: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .held(let directory, let owner):
            """
            \(directory.path) belongs to \(owner.map { "the running process \($0)" } ?? "another running program"): \
            stop that one first, or choose another directory with --data.
            """
        case .unusable(let directory, let cause):
            """
            Cannot write to \(directory.path) (\(cause.localizedDescription)): \
            make it writable, or choose another directory with --data.
            """
        }
    }
}
