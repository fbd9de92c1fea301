package import Foundation

/// The errors of a full disk or an exceeded quota.
///
/// ```swift
/// do { try data.write(to: file) } catch where FullDisk.isCause(of: error) { report(file) }
/// ```
package enum FullDisk {
    /// The error codes of system calls; `EFBIG` is the limit of a single file.
    package static let codes: [POSIXErrorCode] = [.ENOSPC, .EDQUOT, .EFBIG]

    /// The size of the file that tests a directory, in bytes: more than the shared memory of a SQLite database needs.
    private static let probeSize = 64 << 10

    /// Whether a system or Foundation error was caused by a full disk or quota.
    package static func isCause(of error: any Error) -> Bool {
        switch error {
        case let error as POSIXError: codes.contains(error.code)
        case let error as CocoaError where error.code == .fileWriteOutOfSpace: true
        default: isCause(ofUnbridged: error as NSError)
        }
    }

    /// Returns whether an `NSError` reports a full disk. `FileHandle` throws such errors, which Linux does not bridge to `POSIXError`.
    private static func isCause(ofUnbridged error: NSError) -> Bool {
        switch (error.domain, error.code) {
        case (NSPOSIXErrorDomain, let code): isFullError(Int32(truncatingIfNeeded: code))
        case (NSCocoaErrorDomain, CocoaError.Code.fileWriteOutOfSpace.rawValue): true
        default: (error.userInfo[NSUnderlyingErrorKey] as? any Error).map { isCause(of: $0) } ?? false
        }
    }

    /// Whether an error of SQLite on a file in a directory was caused by a full disk or quota.
    ///
    /// SQLite reports a full disk as `SQLITE_FULL` when it writes rows. Exceeded quotas, and full disks when it creates files and shared memory, are
    /// reported as `SQLITE_IOERR` or `SQLITE_CANTOPEN` like other errors; these are verified by writing a small file to the directory.
    ///
    /// - Parameter code: The primary result code.
    package static func isCause(ofSQLite code: Int32, in directory: URL) -> Bool {
        switch code {
        case 13: true
        case 10, 14: isFull(directory)
        default: false
        }
    }

    /// Whether a directory has no space for a small file, which is written and removed; false when the file cannot be created for another reason.
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
