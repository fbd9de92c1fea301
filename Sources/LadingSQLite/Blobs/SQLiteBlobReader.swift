import FileAccess
import LadingCaching
import Synchronization

/// A reader of a stored body that checks each block before it returns any of its bytes.
///
/// An open body remains readable after its removal: the file is open, and bytes in the database were read on opening.
final class SQLiteBlobReader: BlobReader {
    private struct Block {
        var index: Int
        var bytes: [UInt8]
    }

    /// The maximum number of blocks that one read call reads.
    private static let chunkBlockLimit = 16

    private let key: BlobKey
    private let length: Int
    private let checksums: [UInt64]
    /// nil if the whole body is the first block.
    private let file: RandomAccessFile?
    private let threads: FileThreadPool
    private let onCorrupt: @Sendable () -> Void
    /// The most recently read block.
    private let lastBlock: Mutex<Block>

    /// Reads the first block.
    ///
    /// - Throws: `BlobStoreError.corrupt`; `POSIXError` if the file does not exist.
    init(
        _ blob: Blob, at location: BlobTables.BodyLocation, in files: BodyFiles, on threads: FileThreadPool,
        onCorrupt: @escaping @Sendable () -> Void
    ) throws {
        guard location.length == blob.length, location.checksums.count == BodyBlocks.count(of: blob.length) else {
            throw BlobStoreError.corrupt(blob.key)
        }
        (key, length, checksums, self.threads, self.onCorrupt) = (blob.key, blob.length, location.checksums, threads, onCorrupt)
        var (bytes, file) = (location.content ?? [], RandomAccessFile?.none)
        if let number = location.file {
            let opened = try RandomAccessFile.openForReading(files.url(of: number))
            guard try opened.length == blob.length else { throw BlobStoreError.corrupt(blob.key) }
            bytes = try opened.read(0..<min(BodyBlocks.size, blob.length))
            file = blob.length > BodyBlocks.size ? opened : nil
        }
        self.file = file
        lastBlock = Mutex(Block(index: 0, bytes: bytes))
        guard bytes.count == min(BodyBlocks.size, blob.length), BodyBlocks.checksums(of: bytes).elementsEqual(location.checksums.prefix(1))
        else {
            throw BlobStoreError.corrupt(blob.key)
        }
    }

    func read(from offset: Int, count: Int) async throws -> [UInt8] {
        let start = min(max(0, offset), length)
        let end = start + min(max(0, count), length - start)
        guard start < end else { return [] }
        if let known = cached(start..<end) { return known }
        var found: [UInt8] = []
        while case let next = start + found.count, next < end { found += try await readChunk(next..<end) }
        return found
    }

    /// Returns the bytes if they are in the most recently read block.
    private func cached(_ range: Range<Int>) -> [UInt8]? {
        lastBlock.withLock { block in
            let start = block.index * BodyBlocks.size
            guard range.lowerBound >= start, range.upperBound <= start + block.bytes.count else { return nil }
            return range.count == block.bytes.count ? block.bytes : Array(block.bytes[range.lowerBound - start..<range.upperBound - start])
        }
    }

    /// Returns the bytes of a range, or as many as one read call reads.
    private func readChunk(_ range: Range<Int>) async throws -> [UInt8] {
        let first = range.lowerBound / BodyBlocks.size
        let end = min(first + Self.chunkBlockLimit, BodyBlocks.count(of: range.upperBound))
        let bytes = try await threads.run { [self] in try checkedBlocks(first..<end) }
        let start = first * BodyBlocks.size
        return Array(bytes[range.lowerBound - start..<min(range.upperBound - start, bytes.count)])
    }

    /// Reads and checks whole blocks; may block.
    private func checkedBlocks(_ indexes: Range<Int>) throws -> [UInt8] {
        let range = indexes.lowerBound * BodyBlocks.size..<min(indexes.upperBound * BodyBlocks.size, length)
        let bytes = try file?.read(range) ?? []
        guard bytes.count == range.count, BodyBlocks.checksums(of: bytes).elementsEqual(checksums[indexes]) else {
            onCorrupt()
            throw BlobStoreError.corrupt(key)
        }
        let lastStart = (indexes.count - 1) * BodyBlocks.size
        lastBlock.withLock { $0 = Block(index: indexes.upperBound - 1, bytes: Array(bytes[lastStart...])) }
        return bytes
    }
}
