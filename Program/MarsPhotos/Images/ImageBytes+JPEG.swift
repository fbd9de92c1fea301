extension ImageBytes {
    /// Returns the display size by iterating over the markers up to the end of the image (ITU T.81 §B.1.1).
    func sizeOfJPEG() throws(MarsImageError) -> (width: Int, height: Int) {
        var size: (width: Int, height: Int)?
        var exif: ExifBytes?
        var offset = 2
        while true {
            let marker = try marker(&offset)
            switch marker {
            case 0xD9:
                guard let size else { throw .malformed("it ends before it says how large it is") }
                return exif?.isTransposed == true ? (width: size.height, height: size.width) : size
            case 0x01, 0xD0...0xD7:
                continue
            case 0xC0...0xCF where ![0xC4, 0xC8, 0xCC].contains(marker):
                size = (try number(at: offset + 5, length: 2), try number(at: offset + 3, length: 2))
            case 0xE1:
                exif = exif ?? ExifBytes(self, at: offset)
            default:
                break
            }
            let length = try number(at: offset, length: 2)
            guard length >= 2 else { throw .malformed("a segment of \(length) bytes") }
            offset += length
            if marker == 0xDA { offset = try endOfScan(from: offset) }
        }
    }

    /// Returns the marker at an offset and advances the offset past it; markers may be preceded by fill bytes 0xFF.
    private func marker(_ offset: inout Int) throws(MarsImageError) -> Int {
        guard try byte(offset) == 0xFF else { throw .malformed("a marker is missing") }
        while try byte(offset) == 0xFF { offset += 1 }
        offset += 1
        return try byte(offset - 1)
    }

    /// Returns the offset of the first marker after coded data; zeros and restart markers are part of the data.
    private func endOfScan(from start: Int) throws(MarsImageError) -> Int {
        var offset = start
        while let next = bytes[min(offset, bytes.count)...].firstIndex(of: 0xFF) {
            guard next + 1 < bytes.count else { break }
            switch bytes[next + 1] {
            case 0x00, 0xD0...0xD7: offset = next + 2
            default: return next
            }
        }
        throw .truncated
    }
}
