/// What cameras tell of an image, in a segment of its JPEG file that is built like a TIFF file.
struct ExifBytes {
    private static let beginning: [UInt8] = Array("Exif".utf8) + [0, 0]
    private static let orientationTag = 0x0112
    /// The numbers of those orientations in which lines are shown as columns.
    private static let turned = 5...8

    private let block: ImageBytes
    private let isLittleEndian: Bool

    /// nil when the segment has something else.
    ///
    /// - Parameter place: Of the segment's length.
    init?(_ file: ImageBytes, at place: Int) {
        guard let length = try? file.number(at: place, length: 2), length >= 2, place + length <= file.bytes.count else { return nil }
        let content = file.bytes[place + 2..<place + length]
        guard content.starts(with: Self.beginning) else { return nil }
        block = ImageBytes(Array(content.dropFirst(Self.beginning.count)))
        isLittleEndian = block.bytes.first == UInt8(ascii: "I")
    }

    /// Whether the lines of the file are shown as columns (Exif 2.3 §4.6.4 A, tag Orientation).
    var isTurned: Bool {
        guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return false }
        let entries = (0..<count).lazy.map { directory + 2 + 12 * $0 }
        let entry = entries.first { number(at: $0, length: 2) == Self.orientationTag }
        return entry.flatMap { number(at: $0 + 8, length: 2) }.map { Self.turned.contains($0) } ?? false
    }

    private func number(at place: Int, length: Int) -> Int? {
        try? isLittleEndian ? block.littleNumber(at: place, length: length) : block.number(at: place, length: length)
    }
}
