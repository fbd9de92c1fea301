package import Foundation

/// An open file with an exclusive advisory lock (`flock`): one open file at a time holds it, in this process or in another.
///
/// The system releases the lock when the descriptor is closed or the process ends, however it ends.
package struct LockedFile: Sendable {
    /// An error of opening or locking a file.
    package enum Failure: Error {
        /// Another open file holds the lock.
        case locked
        case unavailable(POSIXError)
    }

    /// The maximum number of attempts to open a file that is removed meanwhile.
    private static let openLimit = 8

    /// The open file; the caller closes it once.
    package let descriptor: Int32

    /// Opens a file, creates it if it is missing, and locks it without waiting.
    ///
    /// - Parameters:
    ///   - permissions: The permissions of a new file.
    ///   - followsLinks: Whether the path may be a symbolic link.
    ///   - requiresLock: Whether a file system without locks is an error. Without locks, other processes that have the file open are not detected.
    package init(_ path: String, permissions: UInt16, followsLinks: Bool, requiresLock: Bool) throws(Failure) {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | (followsLinks ? 0 : O_NOFOLLOW)
        for _ in 0..<Self.openLimit {
            let descriptor = open(path, flags, mode_t(permissions))
            guard descriptor >= 0 else { throw Failure.unavailable(.current) }
            if let failure = Self.lock(descriptor), requiresLock || failure.isLocked {
                close(descriptor)
                throw failure
            }
            // Between opening and locking, the last owner may have removed or renamed it.
            if Self.isFile(descriptor, at: path, followsLinks: followsLinks) {
                self.descriptor = descriptor
                return
            }
            close(descriptor)
        }
        throw Failure.unavailable(POSIXError(.ESTALE))
    }

    /// Whether a path refers to an open file. A lock on a removed file excludes no other process.
    package static func isFile(_ descriptor: Int32, at path: String, followsLinks: Bool) -> Bool {
        var (opened, named) = (stat(), stat())
        guard fstat(descriptor, &opened) == 0 else { return false }
        guard (followsLinks ? stat(path, &named) : lstat(path, &named)) == 0 else { return false }
        return opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    /// Locks a file without waiting; returns nil on success.
    private static func lock(_ descriptor: Int32) -> Failure? {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return nil }
        let error = POSIXError.current
        return error.code == .EWOULDBLOCK ? Failure.locked : Failure.unavailable(error)
    }
}

extension LockedFile.Failure {
    fileprivate var isLocked: Bool {
        if case .locked = self { true } else { false }
    }
}

extension POSIXError {
    /// The error of the last failed system call on this thread.
    fileprivate static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
