/// The stored searchable texts of adjacent places, in order and separated by zero bytes.
struct TextChunk {
    /// The number of places in a chunk. Reading a chunk costs more than its bytes, and a page rewrites the chunks of its places.
    static let size = 256

    /// The text of each place; empty for a place without a row.
    private var texts: [ArraySlice<UInt8>]

    init(_ content: [UInt8]) {
        texts = content.isEmpty ? [] : content.split(separator: 0, omittingEmptySubsequences: false)
    }

    static func number(of place: Int) -> Int { place >> 8 }
    static func slot(of place: Int) -> Int { place & 255 }
    static func place(_ chunk: Int, _ slot: Int) -> Int { chunk << 8 + slot }

    subscript(slot: Int) -> ArraySlice<UInt8> {
        get { slot < texts.count ? texts[slot] : [] }
        set {
            while texts.count <= slot { texts.append([]) }
            texts[slot] = newValue
            while texts.last?.isEmpty == true { texts.removeLast() }
        }
    }

    var isEmpty: Bool { texts.isEmpty }

    /// The stored form of the texts.
    var content: [UInt8] {
        var content: [UInt8] = []
        content.reserveCapacity(texts.reduce(texts.count) { $0 + $1.count })
        for (slot, text) in texts.enumerated() {
            if slot > 0 { content.append(0) }
            content += text
        }
        return content
    }
}
