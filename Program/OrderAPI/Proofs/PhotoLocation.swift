/// The removal of the location that a camera writes into photos. The picture and its orientation stay.
enum PhotoLocation {
    private static let exifPrefix = Array("Exif\0\0".utf8)
    /// The tag of the pointer to the GPS fields (Exif 2.32, 4.6.3).
    private static let gpsTag = 0x8825
    /// The maximum number of GPS fields that are overwritten, of which each may refer to a whole segment; Exif defines 32.
    private static let gpsFieldLimit = 64

    /// Returns a photo without a location; the same bytes if it has none.
    ///
    /// GPS fields of a JPEG are overwritten with zeros. Its XMP data, and the Exif and XMP data of other files, which may contain a location, are removed.
    static func removed(from bytes: [UInt8]) -> [UInt8] {
        if let segments = ImageParser.jpegSegments(bytes) { return removed(from: bytes, segments) }
        if let chunks = ImageParser.pngChunks(bytes) {
            return bytes.removing(chunks.filter { ["eXIf", "iTXt", "tEXt", "zTXt"].contains($0.name) }.map(\.range))
        }
        guard let chunks = ImageParser.webPChunks(bytes) else { return bytes }
        return withoutMetadata(bytes, chunks)
    }

    private static func removed(from bytes: [UInt8], _ segments: [ImageParser.Part]) -> [UInt8] {
        var result = bytes
        var removedRanges: [Range<Int>] = []
        for segment in segments where segment.marker == 0xE1 {
            guard bytes[segment.content].starts(with: exifPrefix) else {
                removedRanges.append(segment.range)
                continue
            }
            let tiff = segment.content.dropFirst(exifPrefix.count)
            guard tiff.isEmpty || clearGPS(in: &result, tiff.startIndex..<tiff.endIndex) else {
                removedRanges.append(segment.range)
                continue
            }
        }
        return result.removing(removedRanges)
    }

    /// Overwrites the GPS fields of a TIFF structure with zeros.
    ///
    /// - Returns: Whether the structure could be read and has at most `gpsFieldLimit` GPS fields.
    private static func clearGPS(in bytes: inout [UInt8], _ range: Range<Int>) -> Bool {
        guard let reader = TIFFReader(bytes[range]), let entries = reader.entries(at: reader.firstDirectory) else { return false }
        guard let pointer = entries.first(where: { $0.tag == gpsTag }) else { return true }
        guard let fields = reader.entries(at: pointer.value), fields.count <= gpsFieldLimit else { return false }
        for field in fields {
            let data = range.lowerBound + field.value..<range.lowerBound + field.value + field.size
            if field.size > 4, data.upperBound <= range.upperBound {
                bytes.replaceSubrange(data, with: repeatElement(0, count: data.count))
            }
        }
        let start = range.lowerBound + pointer.value
        bytes.replaceSubrange(start..<start + 2 + fields.count * 12, with: repeatElement(0, count: 2 + fields.count * 12))
        return true
    }

    /// Removes the metadata chunks of a WebP file and their flags, and corrects its length (RFC 9649 §2.7).
    private static func withoutMetadata(_ bytes: [UInt8], _ chunks: [ImageParser.Part]) -> [UInt8] {
        let removed = chunks.filter { ["EXIF", "XMP "].contains($0.name) }
        guard !removed.isEmpty else { return bytes }
        var result = bytes
        if let header = chunks.first(where: { $0.name == "VP8X" && !$0.content.isEmpty }) {
            result[header.content.lowerBound] &= ~0b0000_1100
        }
        result = result.removing(removed.map(\.range))
        // Bytes behind the end of the image are not part of its length.
        let length = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } - (bytes.count - result.count)
        for index in 0..<4 { result[4 + index] = UInt8(truncatingIfNeeded: length >> (8 * index)) }
        return result
    }
}

extension [UInt8] {
    /// Returns the bytes without some ranges, which are in ascending order.
    fileprivate func removing(_ ranges: [Range<Int>]) -> [UInt8] {
        guard !ranges.isEmpty else { return self }
        var result: [UInt8] = []
        var start = 0
        for range in ranges {
            result += self[start..<range.lowerBound]
            start = range.upperBound
        }
        return result + self[start...]
    }
}

/// A reader of the directories of a TIFF structure (TIFF 6.0, section 2), whose offsets are checked.
private struct TIFFReader {
    struct Entry {
        let tag: Int
        /// The length of the value, in bytes.
        let size: Int
        /// The value, or its offset if it has more than four bytes.
        let value: Int
    }

    private static let sizes = [1: 1, 2: 1, 3: 2, 4: 4, 5: 8, 6: 1, 7: 1, 8: 2, 9: 4, 10: 8, 11: 4, 12: 8]

    /// A copy: a reference to the photo would copy all of it when its fields are overwritten.
    private let bytes: [UInt8]
    private let isBigEndian: Bool
    private(set) var firstDirectory = 0

    init?(_ structure: ArraySlice<UInt8>) {
        guard structure.count >= 8 else { return nil }
        bytes = Array(structure)
        switch bytes.prefix(4) {
        case [0x4D, 0x4D, 0, 42]: isBigEndian = true
        case [0x49, 0x49, 42, 0]: isBigEndian = false
        default: return nil
        }
        firstDirectory = number(at: 4, size: 4) ?? 0
    }

    /// Returns the entries of a directory; nil if they are not inside of the structure.
    func entries(at offset: Int) -> [Entry]? {
        guard let count = number(at: offset, size: 2), offset + 2 + count * 12 <= bytes.count else { return nil }
        return (0..<count).compactMap { index in
            let start = offset + 2 + index * 12
            guard let tag = number(at: start, size: 2), let type = number(at: start + 2, size: 2),
                let count = number(at: start + 4, size: 4), let value = number(at: start + 8, size: 4)
            else { return nil }
            return Entry(tag: tag, size: count.multipliedReportingOverflow(by: Self.sizes[type] ?? 1).partialValue, value: value)
        }
    }

    private func number(at offset: Int, size: Int) -> Int? {
        guard offset >= 0, offset + size <= bytes.count else { return nil }
        let part = bytes[offset..<offset + size]
        return isBigEndian ? part.reduce(0) { $0 << 8 | Int($1) } : part.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
