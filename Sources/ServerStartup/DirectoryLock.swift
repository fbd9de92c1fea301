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
    /// The open file descriptor that carries the lock; nil once released.
    private let descriptor: Mutex<Int32?>

    /// Creates the directory when it is missing, and takes it.
    ///
    /// Two parts of one program may each own something in the same directory under different file names.
    package init(of directory: URL, fileName: String = "lading.lock") throws(Failure) {
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        } catch {
            throw .unusable(directory, cause: error)
        }
        let path = directory.appending(path: fileName).path
        let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard file >= 0 else {
            throw .unusable(directory, cause: POSIXError.current)
        }
        guard flock(file, LOCK_EX | LOCK_NB) == 0 else {
            let error = POSIXError.current
            let owner = Self.owner(in: file)
            close(file)
            throw error.code == .EWOULDBLOCK ? .held(directory, by: owner) : .unusable(directory, cause: error)
        }
        descriptor = Mutex(file)
        Self.write("\(getpid())\n", to: file)
    }

    deinit {
        release()
    }

    /// Gives the directory back; a second call does nothing.
    package func release() {
        descriptor.withLock { descriptor in
            guard let file = descriptor.take() else { return }
            Self.write("", to: file)
            close(file)
        }
    }

    private static func owner(in file: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(file, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        let text = String(decoding: buffer.prefix(count), as: UTF8.self)
        return Int32(text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the file says is for people; the lock holds without it, so that a full disk is no reason to fail.
    private static func write(_ text: String, to file: Int32) {
        _ = ftruncate(file, 0)
        _ = pwrite(file, text, text.utf8.count, 0)
    }
}

extension DirectoryLock {
    /// Why a directory could not be taken.
    package enum Failure: Error {
        /// Another owner has it; the process id is nil while that owner is just starting or stopping.
        case held(URL, by: Int32?)
        case unusable(URL, cause: any Error)
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

extension POSIXError {
    /// The error of the system call that failed last on this thread.
    fileprivate static var current: POSIXError {
        POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
}
