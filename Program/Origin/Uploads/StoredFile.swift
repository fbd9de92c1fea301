import CDispatch
import Foundation
import HTTPFieldValues
import NIOCore

/// An open file with blocking operations.
final class StoredFile: Sendable {
    /// The mode in which a file is opened.
    enum AccessMode {
        case reading
        case appending
        /// Appends to a file, which is created when it is missing.
        case creating

        fileprivate var flags: Int32 {
            switch self {
            case .reading: O_RDONLY
            case .appending: O_RDWR | O_APPEND
            case .creating: O_RDWR | O_APPEND | O_CREAT
            }
        }
    }

    let length: Int
    /// The modification time in nanoseconds since 1970.
    let modified: Int64
    private let inode: UInt64
    private let descriptor: Int32

    /// Opens a regular file, never a symbolic link.
    ///
    /// - Throws: `POSIXError`, `EISDIR` when it is not a regular file.
    init(_ url: URL, for use: AccessMode = .reading) throws {
        descriptor = try Self.check(open(url.path, use.flags | O_CLOEXEC | O_NOFOLLOW, 0o600))
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            _ = Foundation.close(descriptor)
            throw POSIXError(.EISDIR)
        }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        length = Int(status.st_size)
        modified = Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        inode = UInt64(status.st_ino)
    }

    deinit { _ = Foundation.close(descriptor) }

    /// A strong validator: files with a name never change, they are only replaced.
    var tag: EntityTag { EntityTag("\"\(String(inode, radix: 16))-\(String(modified, radix: 16))-\(String(length, radix: 16))\"") }

    var lastModified: HTTPDate { HTTPDate(Date(timeIntervalSince1970: Double(modified / 1_000_000_000))) }

    /// Reads at most `count` bytes at an offset.
    func read(from offset: Int, atMost count: Int) throws -> ByteBuffer {
        var buffer = ByteBuffer()
        try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: count) { space in
            try Self.check(pread(descriptor, space.baseAddress, count, off_t(offset)))
        }
        return buffer
    }

    func append(_ buffer: ByteBuffer) throws {
        var written = 0
        while written < buffer.readableBytes {
            let count = buffer.withUnsafeReadableBytes { write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written) }
            if count < 0, errno == EINTR { continue }
            written += try Self.check(count)
        }
    }

    func truncate(to length: Int) throws { try Self.check(ftruncate(descriptor, off_t(length))) }

    func sync() throws { try Self.sync(descriptor) }

    /// Syncs the entries of a directory to disk.
    static func syncDirectory(_ folder: URL) throws {
        let descriptor = try check(open(folder.path, O_RDONLY | O_CLOEXEC))
        defer { _ = Foundation.close(descriptor) }
        try sync(descriptor)
    }

    private static func sync(_ descriptor: Int32) throws {
        #if canImport(Darwin)
            // An ordinary sync does not flush the cache of the drive.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try check(fsync(descriptor))
    }

    @discardableResult static func check<Number: SignedInteger>(_ result: Number) throws -> Number {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }
}
