import LadingCaching

/// A body that is being written to a store: a short one is collected in memory, others are written to a file in chunks.
struct BlobDraft: Sendable {
    /// The number of bytes collected before they are written; a multiple of the block size.
    static let chunkSize = 4 * BodyBlocks.size

    let key: BlobKey
    var metadata: [UInt8]
    private(set) var file: BodyFile?
    private(set) var length = 0
    private(set) var checksums: [UInt64] = []
    /// The bytes that are not in the file yet.
    private var buffer: [UInt8] = []

    init(_ key: BlobKey, metadata: [UInt8]) {
        (self.key, self.metadata) = (key, metadata)
    }

    /// The share of the byte limit that the body uses.
    var cost: Int { length + metadata.count + key.cost }

    /// Whether a whole chunk is collected.
    var needsWrite: Bool { buffer.count >= Self.chunkSize }

    /// The location of the body once all of it is written.
    var location: BlobTables.BodyLocation {
        BlobTables.BodyLocation(length: length, checksums: checksums, file: file?.number, content: file == nil ? buffer : nil)
    }

    mutating func append(_ bytes: [UInt8]) {
        buffer += bytes
        length += bytes.count
    }

    /// Writes the whole blocks collected so far.
    mutating func write(makeFile: () throws -> BodyFile) throws {
        let whole = buffer.count - buffer.count % BodyBlocks.size
        let piece = whole == buffer.count ? buffer : Array(buffer[..<whole])
        buffer.removeFirst(whole)
        try writeChunk(piece, makeFile)
    }

    /// Writes the remaining bytes, unless the body is short enough for the index.
    mutating func close(inlineLimit: Int, makeFile: () throws -> BodyFile) throws {
        if file == nil, length <= inlineLimit { return checksums = BodyBlocks.checksums(of: buffer) }
        let piece = buffer
        buffer = []
        try writeChunk(piece, makeFile)
    }

    private mutating func writeChunk(_ piece: [UInt8], _ makeFile: () throws -> BodyFile) throws {
        guard !piece.isEmpty else { return }
        let file = try self.file ?? makeFile()
        self.file = file
        checksums += BodyBlocks.checksums(of: piece)
        try file.append(piece)
    }
}
