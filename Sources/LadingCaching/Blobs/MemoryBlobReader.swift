/// A reader of a body in memory.
struct MemoryBlobReader: BlobReader {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func read(from offset: Int, count: Int) async throws -> [UInt8] {
        let start = min(max(0, offset), bytes.count)
        return Array(bytes[start..<start + min(max(0, count), bytes.count - start)])
    }
}
