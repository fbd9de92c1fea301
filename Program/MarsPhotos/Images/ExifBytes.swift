/// The Exif segment of a JPEG file, in TIFF format.
struct ExifBytes {
    private static let signature: [UInt8] = Array("Exif".utf8) + [0, 0]
    private static let orientationTag = 0x0112
    /// The orientations in which stored rows are shown as columns.
    private static let transposedOrientations = 5...8

    private let block: ImageBytes
    private let isLittleEndian: Bool

    /// Returns nil when the segment contains something else.
    ///
    /// - Parameter offset: The offset of the segment's length.
    init?(_ file: ImageBytes, at offset: Int) {
        guard let length = try? file.number(at: offset, length: 2), length >= 2, offset + length <= file.bytes.count else { return nil }
        let content = file.bytes[offset + 2..<offset + length]
        guard content.starts(with: Self.signature) else { return nil }
        block = ImageBytes(Array(content.dropFirst(Self.signature.count)))
        isLittleEndian = block.bytes.first == UInt8(ascii: "I")
    }

    /// Whether stored rows are shown as columns (Exif 2.3 §4.6.4 A, tag Orientation).
    var isTransposed: Bool {
        guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return false }
        let entries = (0..<count).lazy.map { directory + 2 + 12 * $0 }
        let entry = entries.first { number(at: $0, length: 2) == Self.orientationTag }
        return entry.flatMap { number(at: $0 + 8, length: 2) }.map { Self.transposedOrientations.contains($0) } ?? false
    }

    private func number(at offset: Int, length: Int) -> Int? {
        try? isLittleEndian ? block.littleEndianNumber(at: offset, length: length) : block.number(at: offset, length: length)
    }
}
