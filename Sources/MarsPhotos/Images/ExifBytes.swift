/// What cameras tell of an image, in a segment of its JPEG file that is built like a TIFF file.
struct ExifBytes {
    private static let signature: [UInt8] = Array("Exif".utf8) + [0, 0]
    private static let orientationTag = 0x0112
    /// The numbers of those orientations in which lines are shown as columns.
    private static let transposedOrientations = 5...8

    private let block: ImageBytes
    private let isLittleEndian: Bool

    /// nil when the segment has something else.
    ///
    /// - Parameter place: Of the segment's length.
    init?(_ file: ImageBytes, at offset: Int) {
        guard let length = try? file.number(at: offset, length: 2), length >= 2, offset + length <= file.bytes.count else { return nil }
        let content = file.bytes[offset + 2..<offset + length]
        guard content.starts(with: Self.signature) else { return nil }
        block = ImageBytes(Array(content.dropFirst(Self.signature.count)))
        isLittleEndian = block.bytes.first == UInt8(ascii: "I")
    }

    /// Whether the lines of the file are shown as columns (Exif 2.3 §4.6.4 A, tag Orientation).
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
