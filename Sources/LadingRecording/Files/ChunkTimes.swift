/// The arrival times of the parts of a body; beyond the limit, neighbouring parts are merged.
struct ChunkTimes {
    /// A part of a body, with the arrival time of its last byte.
    struct Chunk: Codable, Hashable, Sendable {
        /// The time since the exchange began, in seconds.
        var at: Double
        var bytes: Int
    }

    /// The maximum number of parts.
    static let limit = 4_096

    private(set) var chunks: [Chunk] = []
    /// The number of chunks of the body in each part.
    private var chunksPerEntry = 1
    private var countInLast = 0

    /// Records the arrival of a chunk.
    ///
    /// - Parameter time: The time since the exchange began.
    mutating func record(_ byteCount: Int, at time: Duration) {
        let seconds = (time / .milliseconds(1)).rounded() / 1_000
        if !chunks.isEmpty, countInLast < chunksPerEntry {
            chunks[chunks.count - 1] = Chunk(at: seconds, bytes: chunks[chunks.count - 1].bytes + byteCount)
            countInLast += 1
        } else {
            if chunks.count == Self.limit { mergePairs() }
            chunks.append(Chunk(at: seconds, bytes: byteCount))
            countInLast = 1
        }
    }

    private mutating func mergePairs() {
        chunks = stride(from: 0, to: chunks.count, by: 2).map { index in
            guard index + 1 < chunks.count else { return chunks[index] }
            return Chunk(at: chunks[index + 1].at, bytes: chunks[index].bytes + chunks[index + 1].bytes)
        }
        chunksPerEntry *= 2
    }
}
