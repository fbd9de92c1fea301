extension ImageBytes {
    /// Returns the size in the header by iterating over the chunks up to the last (PNG §5.3).
    func sizeOfPNG() throws(MarsImageError) -> (width: Int, height: Int) {
        guard text(at: 12) == "IHDR" else {
            throw bytes.count < 16 ? .truncated : .malformed("the header is missing")
        }
        let size = (try number(at: 16, length: 4), try number(at: 20, length: 4))
        var offset = 8
        while true {
            let length = try number(at: offset, length: 4)
            let name = text(at: offset + 4)
            // Length, name and checksum have four bytes each.
            offset += 12 + length
            guard offset <= bytes.count else { throw .truncated }
            if name == "IEND" { return size }
        }
    }

    /// Returns the size in the header after checking for the trailer byte (GIF89a §27).
    func sizeOfGIF() throws(MarsImageError) -> (width: Int, height: Int) {
        let size = (try littleEndianNumber(at: 6, length: 2), try littleEndianNumber(at: 8, length: 2))
        guard bytes.last == 0x3B else { throw .truncated }
        return size
    }

    /// Returns the size in the first chunk after checking the file length in the header (RFC 9649 §2).
    func sizeOfWebP() throws(MarsImageError) -> (width: Int, height: Int) {
        guard bytes.count >= (try littleEndianNumber(at: 4, length: 4)) + 8 else { throw .truncated }
        switch text(at: 12) {
        case "VP8X": return (try littleEndianNumber(at: 24, length: 3) + 1, try littleEndianNumber(at: 27, length: 3) + 1)
        case "VP8L":
            let bits = try littleEndianNumber(at: 21, length: 4)
            return (bits & 0x3FFF + 1, (bits >> 14) & 0x3FFF + 1)
        case "VP8 ": return (try littleEndianNumber(at: 26, length: 2) & 0x3FFF, try littleEndianNumber(at: 28, length: 2) & 0x3FFF)
        default: throw .malformed("the image data is missing")
        }
    }
}
