package import FileLocks
package import Foundation

/// An open file that is read and written with blocking system calls.
///
/// Reads and writes at the speed of a network go to the page cache, and block a thread no longer than a copy takes. `sync` and reads of a whole file
/// belong on a thread that may block.
package final class RandomAccessFile: Sendable {
    /// The maximum size of a chunk, in bytes.
    static let chunkSize = 1 << 20

    package let url: URL
    private let descriptor: Int32

    private init(url: URL, descriptor: Int32) {
        self.url = url
        self.descriptor = descriptor
    }

    deinit { _ = Foundation.close(descriptor) }

    /// Opens a file for reading.
    package static func openForReading(_ url: URL) throws -> RandomAccessFile {
        RandomAccessFile(url: url, descriptor: try check(open(url.path, O_RDONLY | O_CLOEXEC)))
    }

    /// Opens a file for appending, creating it if it is missing.
    ///
    /// - Parameter permissions: The permissions of a new file.
    package static func openForAppending(_ url: URL, permissions: UInt16) throws -> RandomAccessFile {
        let flags = O_RDWR | O_CREAT | O_CLOEXEC | O_APPEND | O_NOFOLLOW
        return RandomAccessFile(url: url, descriptor: try check(open(url.path, flags, mode_t(permissions))))
    }

    /// Opens a file for writing at any offset, creating it if it is missing, and locks it where its file system supports locks.
    package static func openLocked(_ url: URL) throws(LockedFile.Failure) -> RandomAccessFile {
        let file = try LockedFile(url.path, permissions: 0o666, followsLinks: false, requiresLock: false)
        return RandomAccessFile(url: url, descriptor: file.descriptor)
    }

    package var length: Int { get throws { Int(try status().st_size) } }

    /// Returns the size, in bytes, and the modification time, in nanoseconds since 1970.
    package func sizeAndModificationTime() throws -> (size: Int, modified: Int64) {
        let status = try status()
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        return (Int(status.st_size), Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    /// Whether the file is a regular one, not a folder or a pipe.
    package var isRegular: Bool { get throws { try status().st_mode & S_IFMT == S_IFREG } }

    package func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            rest = rest.dropFirst(try Self.check(count))
        }
    }

    /// Writes bytes at an offset.
    package func write(_ bytes: [UInt8], at offset: Int) throws {
        var written = 0
        while written < bytes.count {
            // Bytes remain to be written, so the buffer is not empty and has an address.
            let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + written, $0.count - written, off_t(offset + written)) }
            if count < 0, errno == EINTR { continue }
            written += try Self.check(count)
        }
    }

    /// Returns the bytes of a range; fewer when the file ends within it.
    package func read(_ range: Range<Int>) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: range.count) { buffer, filled in
            while filled < range.count {
                guard let base = buffer.baseAddress else { return }
                let count = pread(descriptor, base + filled, range.count - filled, off_t(range.lowerBound + filled))
                if count < 0, errno == EINTR { continue }
                guard try Self.check(count) > 0 else { return }
                filled += count
            }
        }
    }

    /// Passes the bytes of a range to a closure, in chunks.
    package func read(_ range: Range<Int>, each use: ([UInt8]) throws -> Void) throws {
        var start = range.lowerBound
        while start < range.upperBound {
            let bytes = try read(start..<min(start + Self.chunkSize, range.upperBound))
            guard !bytes.isEmpty else { throw POSIXError(.EIO) }
            try use(bytes)
            start += bytes.count
        }
    }

    package func truncate(to length: Int) throws { try Self.check(ftruncate(descriptor, off_t(length))) }

    /// Waits until written data is on disk.
    package func sync() throws {
        #if canImport(Darwin)
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        try Self.check(fsync(descriptor))
    }

    private func status() throws -> stat {
        var status = stat()
        try Self.check(fstat(descriptor, &status))
        return status
    }

    @discardableResult static func check<Number: SignedInteger>(_ result: Number) throws -> Number {
        guard result >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        return result
    }
}

// MARK: - Locks

extension RandomAccessFile {
    /// Acquires an advisory lock (`flock`) on the file; false when another open file has it. The system releases it when the process ends.
    package func tryLock() -> Bool {
        guard flock(descriptor, LOCK_EX | LOCK_NB) != 0 else { return true }
        // A file system without locks cannot report the lock of another process.
        return errno != EWOULDBLOCK
    }

    package func unlock() { _ = flock(descriptor, LOCK_UN) }

    /// Whether a path leads to this file.
    package func isFile(at url: URL) -> Bool {
        LockedFile.isFile(descriptor, at: url.path, followsLinks: false)
    }
}

// MARK: - Publishing

extension RandomAccessFile {
    /// Renames a file to its final name and syncs the folder.
    ///
    /// - Parameter replacing: Whether an existing file may be replaced; otherwise the call throws `EEXIST`.
    package static func publish(_ part: URL, as target: URL, replacing: Bool) throws {
        if replacing {
            try check(rename(part.path, target.path))
        } else if link(part.path, target.path) == 0 || isSame(part, target) {
            try check(unlink(part.path))
        } else if errno == EEXIST {
            throw POSIXError(.EEXIST)
        } else {
            // The file system has no hard links.
            guard access(target.path, F_OK) != 0 else { throw POSIXError(.EEXIST) }
            try check(rename(part.path, target.path))
        }
        try syncFolder(of: target)
    }

    /// Whether both names lead to one file: the process was killed between adding the new name and removing the old one.
    private static func isSame(_ left: URL, _ right: URL) -> Bool {
        guard errno == EEXIST else { return false }
        var (one, other) = (stat(), stat())
        let isSame =
            lstat(left.path, &one) == 0 && lstat(right.path, &other) == 0 && one.st_ino == other.st_ino && one.st_dev == other.st_dev
        errno = EEXIST
        return isSame
    }

    static func syncFolder(of file: URL) throws {
        let folder = try check(open(file.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC))
        defer { _ = Foundation.close(folder) }
        #if canImport(Darwin)
            if fcntl(folder, F_FULLFSYNC) == 0 { return }
        #endif
        try check(fsync(folder))
    }

    /// Returns the number of bytes that can be written to the file system of a folder; nil when it is unknown.
    package static func availableCapacity(in folder: URL) -> Int? {
        #if canImport(Darwin)
            // Space that the system would purge counts, too. Some volumes report 0.
            let values = try? folder.resourceValues(forKeys: [.volumeAvailableCapacityForImportantUsageKey])
            if let room = values?.volumeAvailableCapacityForImportantUsage, room > 0 { return Int(clamping: room) }
        #endif
        var status = statvfs()
        guard statvfs(folder.path, &status) == 0 else { return nil }
        let (capacity, isTooMuch) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
        return isTooMuch ? nil : Int(clamping: capacity)
    }
}
