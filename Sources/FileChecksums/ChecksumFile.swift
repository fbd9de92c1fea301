import FileAccess
import FilePermissions
package import Foundation

/// The checksum of a file, in another file beside it.
///
/// SQLite detects damage to the structure of a database only, not a flipped bit in a value. So a database has a checksum between a clean
/// close and the next open. An existing checksum is that of the current content; a missing one means that the file is in use, or was when
/// the program was killed.
package struct ChecksumFile {
    /// The number of bytes read at a time.
    private static let chunkLength = 1 << 20

    private let file: URL
    private let checksumFile: URL
    /// The write-ahead log of a database; nil for other files.
    private let log: URL?

    /// Locates the checksum of a database.
    package init(of file: URL) {
        let path = file.path(percentEncoded: false)
        self.file = file
        checksumFile = URL(filePath: path + "-sum", directoryHint: .notDirectory)
        log = URL(filePath: path + "-wal", directoryHint: .notDirectory)
    }

    /// Locates the checksum of a file that is replaced but never changed. Its own file is hidden.
    package init(ofImmutable file: URL) {
        self.file = file
        checksumFile = file.deletingLastPathComponent().appending(path: ".\(file.lastPathComponent)-sum", directoryHint: .notDirectory)
        log = nil
    }

    /// Removes the checksum durably; to be called before the file changes.
    ///
    /// A stale checksum after a power failure would make an intact file appear damaged.
    package func remove() {
        guard unlink(checksumFile.path(percentEncoded: false)) == 0 else { return }
        syncDirectory()
    }

    /// Writes the checksum of a closed file, unless changes remain in its write-ahead log.
    package func write() throws {
        guard !hasWriteAheadLog else { return }
        try write(checksum())
    }

    /// Writes a checksum that `checksum()` returned, atomically but not durably.
    package func write(_ checksum: String) throws {
        let draft = checksumFile.appendingPathExtension("part")
        do {
            try PrivateFiles.write(Data(checksum.utf8), to: draft)
            guard rename(draft.path(percentEncoded: false), checksumFile.path(percentEncoded: false)) == 0 else {
                throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
            }
        } catch {
            _ = unlink(draft.path(percentEncoded: false))
            throw error
        }
    }

    /// Whether the file is unchanged since it was closed; nil when there is no checksum.
    package func isValid() throws -> Bool? {
        guard let written = try? String(contentsOf: checksumFile, encoding: .utf8), !hasWriteAheadLog else { return nil }
        // A power failure can leave an incomplete checksum, because it is not synced.
        guard written.hasSuffix("\n") else { return nil }
        guard try written != checksum() else { return true }
        // A program that opened the file meanwhile has removed the checksum.
        return (try? String(contentsOf: checksumFile, encoding: .utf8)) == written ? false : nil
    }

    private var hasWriteAheadLog: Bool {
        guard let log else { return false }
        var status = stat()
        return stat(log.path(percentEncoded: false), &status) == 0 && status.st_size > 0
    }

    /// Returns the length and the checksum of the current content of the file, as text.
    package func checksum() throws -> String {
        let content = try RandomAccessFile.openForReading(file)
        var (length, sum) = (0, UInt64(0))
        while case let chunk = try content.read(length..<length + Self.chunkLength), !chunk.isEmpty {
            sum = Checksum.of(chunk, seed: sum)
            length += chunk.count
        }
        return "\(length) \(String(sum, radix: 16))\n"
    }

    /// Syncs the directory of the file, so that the removal is durable.
    private func syncDirectory() {
        let descriptor = open(checksumFile.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
