/// The segments of a JPEG file up to the header of its first scan (ISO/IEC 10918-1 §B.1.1), which libjpeg finds by the same rules.
struct JPEGSegments: Sequence, IteratorProtocol {
    /// A marker and what follows it.
    struct Segment {
        let marker: UInt8
        /// The bytes after the length.
        let content: ArraySlice<UInt8>
    }

    static let (scanMarker, exifMarker) = (UInt8(0xDA), UInt8(0xE1))
    private static let endMarker: UInt8 = 0xD9

    private let file: [UInt8]
    private var offset: Int

    init(of file: [UInt8]) {
        self.file = file
        // After the marker of the start.
        offset = Swift.min(2, file.count)
    }

    /// Returns the next segment; nil after the last one, and where the file is truncated or damaged.
    mutating func next() -> Segment? {
        guard let marker = nextMarker(), marker != Self.endMarker, let content = nextContent() else {
            offset = file.count
            return nil
        }
        offset = marker == Self.scanMarker ? file.count : content.endIndex
        return Segment(marker: marker, content: content)
    }

    /// Returns the next marker of a segment. Fill bytes are skipped, and bytes of no segment, which decoders ignore with a warning.
    private mutating func nextMarker() -> UInt8? {
        while let fill = file[offset...].firstIndex(of: 0xFF), let index = file[fill...].firstIndex(where: { $0 != 0xFF }) {
            offset = index + 1
            if !Self.hasNoContent(file[index]) { return file[index] }
        }
        return nil
    }

    /// Whether the byte after `FF` is no marker (0), or that of a restart or of arithmetic coding, which have no segment.
    private static func hasNoContent(_ byte: UInt8) -> Bool { byte <= 1 || (0xD0...0xD7).contains(byte) }

    private func nextContent() -> ArraySlice<UInt8>? {
        guard offset + 2 <= file.count else { return nil }
        let end = offset + (Int(file[offset]) << 8 | Int(file[offset + 1]))
        return end >= offset + 2 && end <= file.count ? file[offset + 2..<end] : nil
    }
}
