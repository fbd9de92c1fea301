package import Foundation

/// An exclusive advisory lock (`flock`) on a file of its own, held by one open file at a time in any process.
///
/// The system releases it when the process ends, however it ends. The file remains, and holds the process id of the owner while it is locked.
package struct FileLock: Sendable {
    /// An error of locking a file.
    package enum Failure: Error {
        /// Another open file holds the lock; the process id is nil while that one is starting or ending.
        case locked(by: Int32?)
        case unavailable(POSIXError)
    }

    private let descriptor: Int32

    /// Creates the file if it is missing, and locks it without waiting.
    package init(_ file: URL) throws(Failure) {
        let path = file.path(percentEncoded: false)
        let locked: LockedFile
        do throws(LockedFile.Failure) {
            locked = try LockedFile(path, permissions: 0o600, followsLinks: true, requiresLock: true)
        } catch {
            switch error {
            case .locked: throw Failure.locked(by: Self.owner(at: path))
            case .unavailable(let cause): throw Failure.unavailable(cause)
            }
        }
        descriptor = locked.descriptor
        Self.write("\(getpid())\n", to: descriptor)
    }

    /// Releases the lock. Call it once.
    package func release() {
        Self.write("", to: descriptor)
        close(descriptor)
    }

    private static func owner(at path: String) -> Int32? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 16)
        let count = pread(descriptor, &buffer, buffer.count, 0)
        guard count > 0 else { return nil }
        return Int32(String(decoding: buffer.prefix(count), as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// Writes the process id, which is informational: the lock holds without it.
    private static func write(_ text: String, to descriptor: Int32) {
        _ = ftruncate(descriptor, 0)
        _ = pwrite(descriptor, text, text.utf8.count, 0)
    }
}
