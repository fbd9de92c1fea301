import FilePermissions
package import Foundation

/// The checksum of a database file, in a file beside it between a clean close and the next open.
///
/// SQLite detects damage to the structure of a file only, not a flipped bit in a value. An existing checksum belongs to the current content of the
/// file. A missing one means that the file is in use, or was when the program was killed.
package struct ChecksumFile {
    /// The number of bytes that are read at once.
    private static let chunkLength = 1 << 20

    private let file: URL
    private let checksumFile: URL

    package init(of file: URL) {
        self.file = file
        checksumFile = URL(filePath: file.path(percentEncoded: false) + "-sum", directoryHint: .notDirectory)
    }

    /// Removes the checksum before the file changes, durably: after a power cut a stale checksum would make an intact file appear damaged.
    package func remove() {
        guard unlink(checksumFile.path(percentEncoded: false)) == 0 else { return }
        syncDirectory()
    }

    /// Writes the checksum of a closed file, unless changes remain in its write-ahead log.
    package func write() throws {
        guard !hasWriteAheadLog else { return }
        let draft = checksumFile.appendingPathExtension("part")
        try PrivateFiles.write(Data(try checksum().utf8), to: draft)
        guard rename(draft.path(percentEncoded: false), checksumFile.path(percentEncoded: false)) == 0 else {
            throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
        }
    }

    /// Whether the file is unchanged since it was closed; nil when there is no checksum.
    package func isValid() throws -> Bool? {
        guard let written = try? String(contentsOf: checksumFile, encoding: .utf8), !hasWriteAheadLog else { return nil }
        guard try written != checksum() else { return true }
        // A program that opened the file meanwhile has removed the checksum.
        return (try? String(contentsOf: checksumFile, encoding: .utf8)) == written ? false : nil
    }

    private var hasWriteAheadLog: Bool {
        var status = stat()
        return stat(file.path(percentEncoded: false) + "-wal", &status) == 0 && status.st_size > 0
    }

    private func checksum() throws -> String {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        var (length, sum) = (0, UInt64(0))
        var chunk = try Self.nextChunk(of: handle)
        while !chunk.isEmpty {
            sum = Checksum.of(chunk, seed: sum)
            length += chunk.count
            chunk = try Self.nextChunk(of: handle)
        }
        return "\(length) \(String(sum, radix: 16))\n"
    }

    /// Returns the next chunk of a file, filled completely even if system calls return fewer bytes; empty at the end.
    private static func nextChunk(of handle: FileHandle) throws -> Data {
        var chunk = Data()
        while chunk.count < chunkLength, let bytes = try handle.read(upToCount: chunkLength - chunk.count), !bytes.isEmpty {
            chunk += bytes
        }
        return chunk
    }

    /// Syncs the directory of the file, so that the removal is durable.
    private func syncDirectory() {
        let descriptor = open(checksumFile.deletingLastPathComponent().path(percentEncoded: false), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        _ = fsync(descriptor)
        close(descriptor)
    }
}
