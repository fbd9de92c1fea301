import CZlib

/// An encoder of PNG files (PNG §5) with three bytes per pixel and no filter.
enum PNGFile {
    private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    /// The zlib compression level, from 1 (fast) to 9 (small).
    private static let compressionLevel: Int32 = 4

    static func bytes(of image: PixelImage) -> [UInt8] {
        let header = number(image.width) + number(image.height) + [8, 2, 0, 0, 0]
        return signature + chunk("IHDR", header) + chunk("IDAT", deflated(rows(of: image))) + chunk("IEND", [])
    }

    /// Returns the rows, each preceded by the filter type 0 (none).
    private static func rows(of image: PixelImage) -> [UInt8] {
        let length = image.width * 3
        var rows: [UInt8] = []
        rows.reserveCapacity((length + 1) * image.height)
        for row in 0..<image.height {
            rows.append(0)
            rows += image.pixels[row * length..<(row + 1) * length]
        }
        return rows
    }

    private static func deflated(_ bytes: [UInt8]) -> [UInt8] {
        var length = compressBound(UInt(bytes.count))
        return [UInt8](unsafeUninitializedCapacity: Int(length)) { output, count in
            let status = compress2(output.baseAddress, &length, bytes, UInt(bytes.count), compressionLevel)
            precondition(status == Z_OK, "the compression buffer is large enough")
            count = Int(length)
        }
    }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let content = Array(name.utf8) + data
        return number(data.count) + content + number(Int(crc32(0, content, UInt32(content.count))))
    }

    private static func number(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }
}
