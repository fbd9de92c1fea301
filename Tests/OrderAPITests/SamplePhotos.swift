/// The structures of image files, without pictures.
enum SamplePhotos {
    /// Returns a JPEG with one frame, and Exif data if there are any.
    static func jpeg(exif: [UInt8]? = nil) -> [UInt8] {
        let frame: [UInt8] = [0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
        let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0, 0x2A, 0x2A, 0xFF, 0xD9]
        return [0xFF, 0xD8] + (exif.map(segment) ?? []) + frame + scan
    }

    private static func segment(_ content: [UInt8]) -> [UInt8] {
        let length = content.count + 2
        return [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 0xFF)] + content
    }

    /// Returns Exif data with an orientation of 6 and a latitude of 40° 42′ 46″, to which each GPS field refers.
    static func exif(isBigEndian: Bool = false, fields: Int = 1) -> [UInt8] {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            let bytes = (0..<size).map { UInt8(value >> (8 * $0) & 0xFF) }
            return isBigEndian ? bytes.reversed() : bytes
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            number(tag, 2) + number(type, 2) + number(count, 4) + value
        }
        let order: [UInt8] = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        let header = order + number(42, 2) + number(8, 4)
        var directory = number(2, 2) + entry(0x0112, 3, 1, number(6, 2) + [0, 0])
        directory += entry(0x8825, 4, 1, number(38, 4)) + number(0, 4)
        let field = entry(2, 5, 3, number(44 + 12 * fields, 4))
        let location = number(fields, 2) + Array(repeatElement(field, count: fields).joined()) + number(0, 4)
        var bytes = Array("Exif\0\0".utf8) + header + directory + location
        for part in [40, 1, 42, 1, 46, 1] { bytes += number(part, 4) }
        return bytes
    }

    static func png(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
        var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        for chunk in chunks {
            bytes += withUnsafeBytes(of: UInt32(chunk.content.count).bigEndian) { Array($0) }
            bytes += Array(chunk.name.utf8) + chunk.content + [0, 0, 0, 0]
        }
        return bytes
    }

    static func webP(_ chunks: [(name: String, content: [UInt8])]) -> [UInt8] {
        func length(_ count: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(count).littleEndian) { Array($0) } }
        var content: [UInt8] = []
        for chunk in chunks {
            content += Array(chunk.name.utf8) + length(chunk.content.count) + chunk.content
            if chunk.content.count % 2 == 1 { content.append(0) }
        }
        return Array("RIFF".utf8) + length(content.count + 4) + Array("WEBP".utf8) + content
    }
}
