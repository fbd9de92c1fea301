package import Foundation

/// The errors that mean that a disk is full, or that its user may store no more on it.
///
/// ```swift
/// do { try data.write(to: file) } catch where FullDisk.isCause(of: error) { report(file) }
/// ```
package enum FullDisk {
    /// The errors of system calls that mean it; `EFBIG` is the limit of a single file.
    package static let codes: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EFBIG]

    /// The size of the file by which a directory is tried, in bytes: more than the shared memory of a SQLite database takes.
    private static let probeSize = 64 << 10

    /// Whether an error of the system or of Foundation means it.
    package static func isCause(of error: any Error) -> Bool {
        switch error {
        case let error as POSIXError: codes.contains(error.code)
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: true
        default: ((error as NSError).userInfo[NSUnderlyingErrorKey] as? any Error).map { isCause(of: $0) } ?? false
        }
    }

    /// Whether an error of SQLite on a file in a directory means it.
    ///
    /// SQLite reports a full disk as `SQLITE_FULL` where it writes rows. A quota, and a full disk where it creates files and shared memory, are an
    /// `SQLITE_IOERR` or `SQLITE_CANTOPEN` like any other: then a small file in the directory is tried.
    ///
    /// - Parameter code: The primary result code.
    package static func isCause(ofSQLite code: Int32, in directory: URL) -> Bool {
        switch code {
        case 13: true
        case 10, 14: isFull(directory)
        default: false
        }
    }

    /// Whether a directory has no room for a small file, which is written and removed; false where no file can be created for another reason.
    package static func isFull(_ directory: URL) -> Bool {
        let path = directory.appending(path: ".space-\(UUID().uuidString)", directoryHint: .notDirectory).path(percentEncoded: false)
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return isFullError(errno) }
        defer {
            close(descriptor)
            _ = unlink(path)
        }
        let bytes = [UInt8](repeating: 0, count: probeSize)
        var written = 0
        while written < probeSize {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress! + written, probeSize - written) }
            guard count > 0 else { return count == 0 || isFullError(errno) }
            written += count
        }
        return false
    }

    private static func isFullError(_ number: Int32) -> Bool { POSIXErrorCode(rawValue: number).map(codes.contains) ?? false }
}
