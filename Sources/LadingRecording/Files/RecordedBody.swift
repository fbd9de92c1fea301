import Digests
import Foundation

/// The body of a recorded response, read from its file in the chunks in which it arrived.
final class RecordedBody {
    /// The maximum number of bytes to read at once; longer chunks are split.
    private static let readSize = 64 << 10

    private let file: URL
    private let handle: FileHandle
    private let expected: RecordedExchange.Body
    private var chunks: ArraySlice<ChunkTimes.Chunk>
    /// The number of unread bytes of the first chunk; nil for all of them.
    private var remaining: Int?
    private var digest = SHA256()

    /// - Throws: `RecordingError` when the file is missing or has another length.
    init(file: URL, _ expected: RecordedExchange.Body, chunks: [ChunkTimes.Chunk]) throws {
        self.file = file
        self.expected = expected
        self.chunks = chunks[...]
        do {
            handle = try FileHandle(forReadingFrom: file)
            let length = try Int(exactly: handle.seekToEnd()) ?? .max
            guard expected.length == nil || expected.length == length else {
                throw RecordingError.corrupt(file, reason: "the body has \(length) bytes instead of \(expected.length ?? length)")
            }
            try handle.seek(toOffset: 0)
        } catch let error as RecordingError {
            throw error
        } catch {
            throw RecordingError.readFailed(file, cause: error)
        }
    }

    deinit { try? handle.close() }

    /// The arrival time of the next bytes, in seconds since the exchange began; nil when it was not recorded.
    var nextTime: Double? { chunks.first?.at }

    /// Returns the next bytes; nil after the last.
    func next() throws -> [UInt8]? {
        let count = min(Self.readSize, remaining ?? chunks.first?.bytes ?? Self.readSize)
        let bytes: [UInt8]
        do { bytes = try handle.read(upToCount: max(1, count)).map(Array.init) ?? [] } catch {
            throw RecordingError.readFailed(file, cause: error)
        }
        guard !bytes.isEmpty else {
            try verifyDigest()
            return nil
        }
        digest.update(data: bytes)
        advance(by: bytes.count)
        return bytes
    }

    private func advance(by count: Int) {
        guard let chunk = chunks.first else { return }
        let rest = (remaining ?? chunk.bytes) - count
        remaining = rest > 0 ? rest : nil
        if rest <= 0 { chunks.removeFirst() }
    }

    private func verifyDigest() throws {
        guard let sha256 = expected.sha256, sha256.lowercased() != digest.finalize().hexString else { return }
        throw RecordingError.corrupt(file, reason: "the checksum of the body does not match")
    }
}
