/// A parser of the parts of image files, as far as the files are checked and their metadata is found.
enum ImageParser {
    /// A part of a file.
    struct Part {
        /// The marker of a JPEG segment.
        var marker: UInt8 = 0
        /// The four letters of a PNG or WebP chunk.
        var name = ""
        /// The whole part.
        let range: Range<Int>
        /// The content without marker, length and checksum.
        let content: Range<Int>
    }

    private static let pngSignature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

    static func isJPEG(_ bytes: [UInt8]) -> Bool {
        guard let segments = jpegSegments(bytes), let scan = segments.last else { return false }
        let hasFrame = segments.contains { (0xC0...0xCF).contains($0.marker) && ![0xC4, 0xC8, 0xCC].contains($0.marker) }
        // Some cameras write bytes after the end of the image.
        let data = bytes[scan.range.upperBound...]
        return hasFrame && zip(data, data.dropFirst()).contains { $0 == (0xFF, 0xD9) }
    }

    static func isPNG(_ bytes: [UInt8]) -> Bool {
        guard let chunks = pngChunks(bytes) else { return false }
        return chunks.first?.name == "IHDR" && chunks.contains { $0.name == "IDAT" } && chunks.last?.name == "IEND"
    }

    static func isWebP(_ bytes: [UInt8]) -> Bool {
        guard let chunks = webPChunks(bytes) else { return false }
        return chunks.contains { ["VP8 ", "VP8L", "ANMF"].contains($0.name) }
    }

    /// Returns the segments up to the image data (ITU-T T.81, B.1); nil for another file.
    static func jpegSegments(_ bytes: [UInt8]) -> [Part]? {
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) else { return nil }
        var segments: [Part] = []
        var index = 2
        while index + 4 <= bytes.count, bytes[index] == 0xFF {
            let marker = bytes[index + 1]
            guard marker != 0xFF else {
                index += 1
                continue
            }
            let length = Int(bytes[index + 2]) << 8 | Int(bytes[index + 3])
            guard length >= 2, index + 2 + length <= bytes.count else { return nil }
            segments.append(Part(marker: marker, range: index..<index + 2 + length, content: index + 4..<index + 2 + length))
            if marker == 0xDA { return segments }
            index += 2 + length
        }
        return nil
    }

    /// Returns the chunks (PNG specification, 5.3); nil for another file.
    static func pngChunks(_ bytes: [UInt8]) -> [Part]? {
        guard bytes.starts(with: pngSignature) else { return nil }
        var chunks: [Part] = []
        var index = pngSignature.count
        while index + 12 <= bytes.count {
            let length = number(bytes[index..<index + 4])
            guard length <= bytes.count - index - 12 else { return nil }
            let name = String(decoding: bytes[index + 4..<index + 8], as: UTF8.self)
            chunks.append(Part(name: name, range: index..<index + 12 + length, content: index + 8..<index + 8 + length))
            index += 12 + length
            if name == "IEND" { return chunks }
        }
        return nil
    }

    /// Returns the chunks (RFC 9649 §2.3); nil for another file.
    static func webPChunks(_ bytes: [UInt8]) -> [Part]? {
        guard bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) else { return nil }
        let end = 8 + number(bytes[4..<8].reversed())
        guard end <= bytes.count else { return nil }
        var chunks: [Part] = []
        var index = 12
        while index + 8 <= end {
            let length = number(bytes[index + 4..<index + 8].reversed())
            guard length <= end - index - 8 else { return nil }
            let next = min(index + 8 + length + length % 2, end)
            let name = String(decoding: bytes[index..<index + 4], as: UTF8.self)
            chunks.append(Part(name: name, range: index..<next, content: index + 8..<index + 8 + length))
            index = next
        }
        return chunks
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
