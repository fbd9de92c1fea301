import LadingCaching

/// A body on its way into a store: short ones are gathered in memory, others go to a file, block by block.
struct BlobDraft: Sendable {
    /// How much is gathered before it is written, in bytes: whole blocks.
    static let pieceSize = 4 * BodyBlocks.size

    let key: BlobKey
    var note: [UInt8]
    private(set) var file: BodyFile?
    private(set) var length = 0
    private(set) var checksums: [UInt64] = []
    /// What is not in the file yet.
    private var rest: [UInt8] = []

    init(_ key: BlobKey, note: [UInt8]) {
        (self.key, self.note) = (key, note)
    }

    /// What it takes of the bound.
    var cost: Int { length + note.count + key.cost }

    /// Whether there is enough to be written.
    var isDue: Bool { rest.count >= Self.pieceSize }

    /// Where it lies when all has been written.
    var place: BlobTables.Place {
        BlobTables.Place(length: length, checksums: checksums, file: file?.number, content: file == nil ? rest : nil)
    }

    mutating func add(_ bytes: [UInt8]) {
        rest += bytes
        length += bytes.count
    }

    /// Writes what is whole blocks.
    mutating func write(makeFile: () throws -> BodyFile) throws {
        let whole = rest.count - rest.count % BodyBlocks.size
        let piece = whole == rest.count ? rest : Array(rest[..<whole])
        rest.removeFirst(whole)
        try write(piece, makeFile)
    }

    /// Writes the rest, unless all of it is short.
    mutating func close(inlineLimit: Int, makeFile: () throws -> BodyFile) throws {
        if file == nil, length <= inlineLimit { return checksums = BodyBlocks.checksums(of: rest) }
        let piece = rest
        rest = []
        try write(piece, makeFile)
    }

    private mutating func write(_ piece: [UInt8], _ makeFile: () throws -> BodyFile) throws {
        guard !piece.isEmpty else { return }
        let file = try self.file ?? makeFile()
        self.file = file
        checksums += BodyBlocks.checksums(of: piece)
        try file.append(piece)
    }
}
