#if Thumbnails
    import LadingTesting
    import Testing

    @testable import Thumbnails

    @Suite struct BadPictureTests {
        private static let shapes: [ThumbnailShape] = [.square(32), .within(PixelSize(width: 40, height: 30))]

        @Test(arguments: [
            ([], PictureError.empty),
            (Array("  \r\n<!doctype html><title>503</title>".utf8), .webPage),
            ([0xEF, 0xBB, 0xBF] + Array("<html>".utf8), .webPage),
            (Array(#"{"errors":"Invalid Rover Name"}"#.utf8), .noPicture),
            ([0xFF, 0xD8], .noPicture),
            (Array("BM6000".utf8), .noPicture),
        ])
        func whatIsNoPictureSaysSo(_ bytes: [UInt8], _ error: PictureError) {
            for shape in Self.shapes {
                #expect(throws: error) { try Thumbnail(of: bytes, in: shape) }
            }
        }

        @Test func aFileThatIsTooLongIsNotRead() {
            let bytes = [0xFF, 0xD8, 0xFF] + [UInt8](repeating: 0, count: PictureFormat.byteLimit)

            #expect(throws: PictureError.tooLong(bytes.count)) { try Thumbnail(of: bytes, in: .square(32)) }
        }

        @Test(arguments: [3, 20, 200, 600])
        func aPictureThatEndsTooSoonIsNoPicture(_ count: Int) throws {
            let map = Pictures.map(width: 200, height: 200) { x, y in Pictures.Colour(UInt8(x), UInt8(y), UInt8(x ^ y)) }

            for whole in [try Pictures.jpeg(map), Pictures.png(map)] {
                #expect(throws: PictureError.self) { try Thumbnail(of: Array(whole.prefix(count)), in: .square(32)) }
                #expect(throws: PictureError.truncated) { try Thumbnail(of: Array(whole.dropLast(whole.count / 2)), in: .square(32)) }
            }
        }

        @Test func aPNGThatClaimsToBeHugeIsRefusedBeforeRoomIsMade() throws {
            var bytes = Pictures.png(Pictures.map(width: 8, height: 8) { _, _ in Pictures.red })
            bytes.replaceSubrange(16..<24, with: [0, 0, 0xC3, 0x50, 0, 0, 0xC3, 0x50])
            bytes.replaceSubrange(29..<33, with: Self.checksum(of: bytes[12..<29]))

            #expect(throws: PictureError.tooManyPixels(PixelSize(width: 50_000, height: 50_000))) {
                try Thumbnail(of: bytes, in: .square(32))
            }
        }

        @Test func aJPEGThatClaimsToBeHugeIsRefusedBeforeRoomIsMade() throws {
            var bytes = try Pictures.jpeg(Pictures.map(width: 8, height: 8) { _, _ in Pictures.red })
            let frame = try #require(bytes.indices.first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
            bytes.replaceSubrange(frame + 5..<frame + 9, with: [0xFF, 0xDC, 0xFF, 0xDC])

            #expect(throws: PictureError.tooManyPixels(PixelSize(width: 65_500, height: 65_500))) {
                try Thumbnail(of: bytes, in: .square(32))
            }
        }

        @Test func whatIsBrokenBehindAWarningIsNoPicture() throws {
            var bytes = try Pictures.jpeg(Pictures.map(width: 64, height: 64) { _, _ in Pictures.red })
            let frame = try Pictures.frame(of: bytes)
            let warned = Array(bytes[..<frame]) + [0, 0] + Array(bytes[frame...])
            // The colours are coded with a table that is not there.
            bytes[frame + 12] = 3
            let broken = Array(bytes[..<frame]) + [0, 0] + Array(bytes[frame...])

            #expect(try Thumbnail(of: warned, in: .square(32))?.pixels.isNear(Pictures.red, x: 16, y: 16) == true)
            #expect(throws: PictureError.self) { try Thumbnail(of: broken, in: .square(32)) }
        }

        @Test(arguments: Seeds.several(4))
        func damageOfAnyKindEndsInAPictureOrInAnError(_ seed: UInt64) throws {
            var random = SeededRandom(seed: seed)
            let map = Pictures.map(width: 90, height: 70) { x, y in Pictures.Colour(UInt8(x * 2), UInt8(y * 3), UInt8(x + y)) }
            var outcomes = (pictures: 0, errors: 0)

            for file in [try Pictures.jpeg(map), Pictures.png(map)] {
                for _ in 0..<150 {
                    let bytes = Self.damaged(file, &random)
                    do throws(PictureError) {
                        _ = try Thumbnail(of: bytes, in: Self.shapes.randomElement(using: &random)!)
                        outcomes.pictures += 1
                    } catch {
                        outcomes.errors += 1
                    }
                }
            }

            #expect(outcomes.pictures > 0 && outcomes.errors > 0, "LADING_SEED=\(seed)")
        }

        private static func damaged(_ file: [UInt8], _ random: inout SeededRandom) -> [UInt8] {
            var bytes = file
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                bytes[Int.random(in: 2..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            if Bool.random(using: &random) { bytes.removeLast(Int.random(in: 0..<bytes.count - 2, using: &random)) }
            return bytes
        }

        /// The checksum of a PNG chunk (ISO 15948 annex D).
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
