/// The orientation of the stored rows and columns of an image (Exif 2.3 §4.6.4 A, tag Orientation).
struct ImageOrientation: Hashable, Sendable {
    static let normal = ImageOrientation(1)

    /// Whether stored rows are shown as columns.
    let isTransposed: Bool
    /// Whether stored columns are shown in reverse, before any transposition.
    let mirrorsColumns: Bool
    /// Whether stored rows are shown in reverse, before any transposition.
    let mirrorsRows: Bool

    /// - Parameter number: The value of the tag, from 1 to 8; any other counts as 1.
    init(_ number: Int) {
        isTransposed = (5...8).contains(number)
        mirrorsColumns = [2, 3, 7, 8].contains(number)
        mirrorsRows = [3, 4, 6, 7].contains(number)
    }

    /// Reads the orientation of a JPEG file; upright when it is missing or invalid.
    init(ofJPEG bytes: [UInt8]) {
        self.init(ExifBlock(ofJPEG: bytes)?.orientation ?? 1)
    }
}

extension PixelMap {
    /// Returns the image in its display orientation.
    func applying(_ orientation: ImageOrientation) -> PixelMap {
        guard orientation != .normal else { return self }
        let shown = orientation.isTransposed ? size.transposed : size
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count)
        for y in 0..<shown.height {
            for x in 0..<shown.width {
                let (column, row) = orientation.isTransposed ? (y, x) : (x, y)
                let offset =
                    (orientation.mirrorsRows ? size.height - 1 - row : row) * stride
                    + (orientation.mirrorsColumns ? size.width - 1 - column : column) * Self.channels
                result += bytes[offset..<offset + Self.channels]
            }
        }
        return PixelMap(size: shown, bytes: result)
    }
}

/// The first Exif block of a JPEG file, in TIFF format; reads past its end return nil.
private struct ExifBlock {
    private static let signature: [UInt8] = Array("Exif".utf8) + [0, 0]
    private static let orientationTag = 0x0112
    /// The TIFF type of 16-bit numbers.
    private static let shortType = 3

    private let bytes: [UInt8]
    private let isLittleEndian: Bool

    /// Returns nil when there is no block before the coded data.
    init?(ofJPEG file: [UInt8]) {
        guard let content = Self.content(ofJPEG: file) else { return nil }
        bytes = Array(content)
        isLittleEndian = content.first == UInt8(ascii: "I")
    }

    private static func content(ofJPEG file: [UInt8]) -> ArraySlice<UInt8>? {
        let block = JPEGSegments(of: file).first { $0.marker == JPEGSegments.exifMarker && $0.content.starts(with: signature) }
        return block?.content.dropFirst(signature.count)
    }

    /// The orientation in the first directory.
    var orientation: Int? {
        guard let directory = number(at: 4, length: 4), let count = number(at: directory, length: 2) else { return nil }
        let entries = (0..<count).lazy.map { directory + 2 + 12 * $0 }
        guard let entry = entries.first(where: { number(at: $0, length: 2) == Self.orientationTag }),
            number(at: entry + 2, length: 2) == Self.shortType
        else { return nil }
        return number(at: entry + 8, length: 2)
    }

    private func number(at offset: Int, length: Int) -> Int? {
        guard offset + length <= bytes.count else { return nil }
        var number = 0
        for index in 0..<length { number = number << 8 | Int(bytes[isLittleEndian ? offset + length - 1 - index : offset + index]) }
        return number
    }
}
