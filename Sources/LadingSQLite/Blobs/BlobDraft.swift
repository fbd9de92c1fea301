import LadingCaching

/// A body on its way into a store: short ones are gathered in memory, others go to a file, block by block.
struct BlobDraft: Sendable {
    /// How much is gathered before it is written, in bytes: whole blocks.
    static let chunkSize = 4 * BodyBlocks.size

    let key: BlobKey
    var metadata: [UInt8]
    private(set) var file: BodyFile?
    private(set) var length = 0
    private(set) var checksums: [UInt64] = []
    /// What is not in the file yet.
    private var buffer: [UInt8] = []

    init(_ key: BlobKey, metadata: [UInt8]) {
        (self.key, self.metadata) = (key, metadata)
    }

    /// What it takes of the bound.
    var cost: Int { length + metadata.count + key.cost }

    /// Whether there is enough to be written.
    var needsWrite: Bool { buffer.count >= Self.chunkSize }

    /// Where it lies when all has been written.
    var location: BlobTables.BodyLocation {
        BlobTables.BodyLocation(length: length, checksums: checksums, file: file?.number, content: file == nil ? buffer : nil)
    }

    mutating func append(_ bytes: [UInt8]) {
        buffer += bytes
        length += bytes.count
    }

    /// Writes what is whole blocks.
    mutating func write(makeFile: () throws -> BodyFile) throws {
        let whole = buffer.count - buffer.count % BodyBlocks.size
        let piece = whole == buffer.count ? buffer : Array(buffer[..<whole])
        buffer.removeFirst(whole)
        try writeChunk(piece, makeFile)
    }

    /// Writes the rest, unless all of it is short.
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
