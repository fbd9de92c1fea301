/// The format and size of an image file, read without decoding; a truncated file is an error.
struct ImageHeader {
    let format: MarsImage.Format
    let width: Int
    let height: Int

    /// Returns nil when the bytes begin like none of the formats.
    init?(_ bytes: [UInt8]) throws(MarsImageError) {
        let reader = ImageBytes(bytes)
        if reader.starts(with: [0xFF, 0xD8, 0xFF]) {
            (format, (width, height)) = (.jpeg, try reader.sizeOfJPEG())
        } else if reader.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
            (format, (width, height)) = (.png, try reader.sizeOfPNG())
        } else if reader.starts(with: Array("GIF8".utf8)) {
            (format, (width, height)) = (.gif, try reader.sizeOfGIF())
        } else if reader.starts(with: Array("RIFF".utf8)), reader.text(at: 8) == "WEBP" {
            (format, (width, height)) = (.webp, try reader.sizeOfWebP())
        } else {
            return nil
        }
    }
}

/// A reader of bytes at any offset of an image file.
struct ImageBytes {
    let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func starts(with prefix: [UInt8]) -> Bool { bytes.starts(with: prefix) }

    func byte(_ offset: Int) throws(MarsImageError) -> Int {
        guard offset < bytes.count else { throw .truncated }
        return Int(bytes[offset])
    }

    /// Returns a big-endian number.
    func number(at offset: Int, length: Int) throws(MarsImageError) -> Int {
        guard offset + length <= bytes.count else { throw .truncated }
        return bytes[offset..<(offset + length)].reduce(0) { $0 << 8 | Int($1) }
    }

    func littleEndianNumber(at offset: Int, length: Int) throws(MarsImageError) -> Int {
        guard offset + length <= bytes.count else { throw .truncated }
        return bytes[offset..<(offset + length)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Returns four characters; nil past the end.
    func text(at offset: Int) -> String? {
        offset + 4 <= bytes.count ? String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self) : nil
    }
}
