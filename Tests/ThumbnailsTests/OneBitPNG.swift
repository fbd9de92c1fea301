import Thumbnails

#if Thumbnails
    @testable import Thumbnails

    /// An uncompressed PNG with one bit per pixel: black and white quarters, a checkerboard of two by two, so that few rows differ.
    struct OneBitPNG {
        private static let passes = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
        /// The maximum length of a stored DEFLATE block.
        private static let blockLimit = 65_535

        private let size: PixelSize

        init(_ size: PixelSize) {
            self.size = size
        }

        func file(isInterlaced: Bool) -> [UInt8] {
            let header = bytes(size.width) + bytes(size.height) + [1, 0, 0, 0, isInterlaced ? 1 : 0]
            let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            return signature + chunk("IHDR", header) + chunk("IDAT", zlibStored(rows(isInterlaced))) + chunk("IEND", [])
        }

        private func rows(_ isInterlaced: Bool) -> [UInt8] {
            var rows: [UInt8] = []
            for (x, y, width, height) in isInterlaced ? Self.passes : [(0, 0, 1, 1)] where x < size.width {
                let (upper, lower) = (row(isUpper: true, from: x, by: width), row(isUpper: false, from: x, by: width))
                for line in stride(from: y, to: size.height, by: height) { rows += line < size.height / 2 ? upper : lower }
            }
            return rows
        }

        private func row(isUpper: Bool, from first: Int, by step: Int) -> [UInt8] {
            var row: [UInt8] = [0]
            for (index, x) in stride(from: first, to: size.width, by: step).enumerated() {
                if index.isMultiple(of: 8) { row.append(0) }
                if (x < size.width / 2) != isUpper { row[row.count - 1] |= 0x80 >> UInt8(index % 8) }
            }
            return row
        }

        // MARK: Format

        private func bytes(_ number: Int) -> [UInt8] {
            stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
        }

        private func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
            let named = Array(name.utf8) + content
            return bytes(content.count) + named + bytes(Int(Self.checksum(of: named)))
        }

        /// Returns a zlib stream of stored blocks (RFC 1950, RFC 1951 §3.2.4).
        private func zlibStored(_ content: [UInt8]) -> [UInt8] {
            var stream: [UInt8] = [0x78, 0x01]
            for start in stride(from: 0, to: content.count, by: Self.blockLimit) {
                let block = content[start..<min(start + Self.blockLimit, content.count)]
                let (low, high) = (UInt8(block.count & 0xFF), UInt8(block.count >> 8))
                stream += [block.endIndex == content.count ? 1 : 0, low, high, ~low, ~high]
                stream += block
            }
            var (one, two): (UInt32, UInt32) = (1, 0)
            content.withUnsafeBufferPointer { content in
                for byte in content {
                    one = (one &+ UInt32(byte)) % 65_521
                    two = (two &+ one) % 65_521
                }
            }
            return stream + bytes(Int(two << 16 | one))
        }

        private static let table: [UInt32] = (0..<256).map { number in
            (0..<8).reduce(UInt32(number)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ value >> 1 : value >> 1 }
        }

        private static func checksum(of bytes: [UInt8]) -> UInt32 {
            var value = UInt32.max
            table.withUnsafeBufferPointer { table in
                for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ value >> 8 }
            }
            return ~value
        }
    }
#endif
