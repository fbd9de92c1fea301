import Foundation

/// An exclusive advisory lock (`flock`) on a file of its own, held by one open file at a time, in this process or in another.
///
/// The system releases it when the process ends, however it ends. The file stays, and holds the process id of the owner while it is locked.
struct FileLock: Sendable {
    /// How often the file is opened again when somebody removes it meanwhile.
    private static let openLimit = 8

    private let descriptor: Int32

    /// An error that keeps a file from being locked.
    enum Failure: Error {
        /// Another open file holds the lock; the process id is nil while that one is starting or ending.
        case held(by: Int32?)
        case unusable(POSIXError)
    }

    /// Creates the file when it is missing, and locks it without waiting.
    init(_ file: URL) throws(Failure) {
        let path = file.path(percentEncoded: false)
        for _ in 0..<Self.openLimit {
            let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
            guard descriptor >= 0 else { throw .unusable(.current) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
                let error = POSIXError.current
                defer { close(descriptor) }
                throw error.code == .EWOULDBLOCK ? .held(by: Self.owner(in: descriptor)) : .unusable(error)
            }
            if Self.isFile(descriptor, at: path) {
                self.descriptor = descriptor
                Self.write("\(getpid())\n", to: descriptor)
                return
            }
            close(descriptor)
        }
        throw .unusable(POSIXError(.ESTALE))
    }

    /// Releases the lock; called once.
    func release() {
        Self.write("", to: descriptor)
        close(descriptor)
    }

    /// Whether the path still leads to the file that was opened: a lock on one that was removed keeps nobody out.
    private static func isFile(_ descriptor: Int32, at path: String) -> Bool {
        var (opened, named) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino && opened.st_dev == named.st_dev
    }

    private static func owner(in descriptor: Int32) -> Int32? {
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What the file says is for people; the lock holds without it, so that a full disk is no reason to fail.
    private static func write(_ text: String, to descriptor: Int32) {
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }
}

extension POSIXError {
    /// The error of the system call that failed last on this thread.
    fileprivate static var current: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
