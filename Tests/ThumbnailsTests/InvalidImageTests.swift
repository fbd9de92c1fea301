import LadingTesting
import Thumbnails

#if Thumbnails
    import CTurboJPEG
    import LadingTesting
    import Testing

    @testable import Thumbnails

    @Suite struct InvalidImageTests {
        private static let geometries: [ThumbnailGeometry] = [.centerSquare(32), .scaledToFit(PixelSize(width: 40, height: 30))]

        @Test(arguments: [
            ([], ImageDecodingError.empty),
            (Array("  \r\n<!doctype html><title>503</title>".utf8), .webPage),
            ([0xEF, 0xBB, 0xBF] + Array("<html>".utf8), .webPage),
            (Array(#"{"errors":"Invalid Rover Name"}"#.utf8), .unknownFormat),
            ([0xFF, 0xD8], .unknownFormat),
            (Array("BM6000".utf8), .unknownFormat),
        ])
        func `Content that is not an image is reported by its kind`(_ bytes: [UInt8], _ error: ImageDecodingError) {
            for shape in Self.geometries {
                #expect(throws: error) { try Thumbnail(of: bytes, geometry: shape) }
            }
        }

        @Test func `A file over the size limit is refused`() {
            let bytes = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: ImageFormat.byteLimit)

            #expect(throws: ImageDecodingError.tooLong(bytes.count)) { try Thumbnail(of: bytes, geometry: .centerSquare(32)) }
        }

        @Test(arguments: [3, 20, 200, 600])
        func `A truncated image is an error`(_ count: Int) throws {
            let map = TestImages.map(width: 200, height: 200) { x, y in TestImages.Color(UInt8(x), UInt8(y), UInt8(x ^ y)) }

            for whole in [try TestImages.jpeg(map), TestImages.png(map)] {
                #expect(throws: ImageDecodingError.self) { try Thumbnail(of: Array(whole.prefix(count)), geometry: .centerSquare(32)) }
                #expect(throws: ImageDecodingError.truncated) {
                    try Thumbnail(of: Array(whole.dropLast(whole.count / 2)), geometry: .centerSquare(32))
                }
            }
        }

        @Test func `A PNG with too many pixels is refused before memory is allocated`() throws {
            var bytes = TestImages.png(TestImages.map(width: 8, height: 8) { _, _ in TestImages.red })
            bytes.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
            bytes.replaceSubrange(29..<33, with: Self.checksum(of: bytes[12..<29]))

            #expect(throws: ImageDecodingError.tooManyPixels(PixelSize(width: 50_000, height: 50_000))) {
                try Thumbnail(of: bytes, geometry: .centerSquare(32))
            }
        }

        @Test func `A JPEG with too many pixels is refused before memory is allocated`() throws {
            var bytes = try TestImages.jpeg(TestImages.map(width: 8, height: 8) { _, _ in TestImages.red })
            let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])

            #expect(throws: ImageDecodingError.tooManyPixels(PixelSize(width: 65_500, height: 65_500))) {
                try Thumbnail(of: bytes, geometry: .centerSquare(32))
            }
        }

        @Test func `A progressive JPEG of 100 megapixels is refused before memory is allocated`() throws {
            let map = TestImages.map(width: 8, height: 8) { _, _ in TestImages.red }
            var bytes = TestImages.jpeg(map.bytes, map.size, TJPF_RGB, TJSAMP_444, flags: TJFLAG_PROGRESSIVE)
            let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC2 })
            bytes.replaceSubrange(frame + 5..<frame + 9, with: [0x27, 0x10, 0x27, 0x10])

            #expect(throws: ImageDecodingError.tooManyPixels(PixelSize(width: 10_000, height: 10_000))) {
                try Thumbnail(of: bytes, geometry: .centerSquare(32))
            }
        }

        @Test func `The limit of pixels is lower where the decoder stores the whole image`() throws {
            let map = TestImages.map(width: 8, height: 8) { _, _ in TestImages.red }
            let sequential = TestImages.jpeg(map.bytes, map.size, TJPF_RGB, TJSAMP_444)
            let progressive = TestImages.jpeg(map.bytes, map.size, TJPF_RGB, TJSAMP_444, flags: TJFLAG_PROGRESSIVE)
            let scan = try #require(sequential.indices.dropLast().first { sequential[$0] == 0xFF && sequential[$0 + 1] == 0xDA })
            var separate = sequential
            separate[scan + 4] = 1
            let frame = try TestImages.frame(of: sequential)
            let padded = Array(sequential[..<frame]) + [0, 0xFF, 0, 0xFF, 0xFF, 0xD0] + Array(sequential[frame...])

            for bytes in [sequential, padded] { #expect(JPEGFile.maximumPixelCount(of: bytes) == JPEGFile.pixelLimit) }
            for bytes in [progressive, separate, Array(sequential[..<scan]), [0xFF]] {
                #expect(JPEGFile.maximumPixelCount(of: bytes) == PixelSize.pixelLimit)
            }
        }

        @Test func `An error after a warning is reported`() throws {
            var bytes = try TestImages.jpeg(TestImages.map(width: 64, height: 64) { _, _ in TestImages.red })
            let frame = try TestImages.frame(of: bytes)
            let warned = Array(bytes[..<frame]) + [0, 0] + Array(bytes[frame...])
            // The colors reference a missing quantization table.
            bytes[frame + 12] = 3
            let broken = Array(bytes[..<frame]) + [0, 0] + Array(bytes[frame...])

            #expect(try Thumbnail(of: warned, geometry: .centerSquare(32))?.pixels.isNear(TestImages.red, x: 16, y: 16) == true)
            #expect(throws: ImageDecodingError.self) { try Thumbnail(of: broken, geometry: .centerSquare(32)) }
        }

        @Test(arguments: TestSeeds.seeds(count: 4))
        func `A corrupted image gives a thumbnail or an error`(_ seed: UInt64) throws {
            var random = SeededRandom(seed: seed)
            let map = TestImages.map(width: 90, height: 70) { x, y in TestImages.Color(UInt8(x * 2), UInt8(y * 3), UInt8(x + y)) }
            var outcomes = (pictures: 0, errors: 0)

            for file in [try TestImages.jpeg(map), TestImages.png(map)] {
                for _ in 0..<150 {
                    let bytes = Self.corrupted(file, &random)
                    do throws(ImageDecodingError) {
                        _ = try Thumbnail(of: bytes, geometry: Self.geometries.randomElement(using: &random)!)
                        outcomes.pictures += 1
                    } catch {
                        outcomes.errors += 1
                    }
                }
            }

            #expect(outcomes.pictures > 0 && outcomes.errors > 0, "LADING_SEED=\(seed)")
        }

        private static func corrupted(_ file: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
            var bytes = file
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count - 2, using: &random)) }
            return bytes
        }

        /// Returns the checksum of a PNG chunk (ISO 15948 annex D).
        private static func checksum(of bytes: ArraySlice<UInt8>) -> [UInt8] {
            var sum: UInt32 = .max
            for byte in bytes {
                sum ^= UInt32(byte)
                for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
            return withUnsafeBytes(of: (~sum).bigEndian) { Array($0) }
        }
    }
#endif
