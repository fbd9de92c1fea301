@testable import Thumbnails

#if Thumbnails
    import Testing

    @testable import Thumbnails

    /// PNG images that are too large to decode at once, and are decoded row by row or from their first passes.
    @Suite struct LargePNGTests {
        /// A size slightly above `PixelSize.pixelLimit`.
        private static let large = PixelSize(width: 5_801, height: 5_803)

        @Test(arguments: [false, true]) func `An image of more than 33 megapixels gets a thumbnail`(isInterlaced: Bool) throws {
            let file = OneBitPNG(Self.large).file(isInterlaced: isInterlaced)

            let thumbnail = try #require(try Thumbnail(of: file, geometry: .centerSquare(64)))

            let pixels = try JPEGFile.pixels(of: thumbnail.bytes, for: .centerSquare(64))
            let quarters = try #require(pixels).quarters
            #expect(thumbnail.size == PixelSize(width: 64, height: 64))
            #expect(quarters[0] < 16 && quarters[1] > 239 && quarters[2] > 239 && quarters[3] < 16)
        }

        @Test func `A thumbnail that needs the full resolution of a large image is refused`() {
            let size = PixelSize(width: 5_800, height: 5_800)

            #expect(throws: ImageDecodingError.tooManyPixels(Self.large)) {
                try Thumbnail(of: OneBitPNG(Self.large).file(isInterlaced: false), geometry: .scaledToFit(size))
            }
        }

        @Test(arguments: [false, true]) func `A truncated large image is an error`(isInterlaced: Bool) {
            let file = OneBitPNG(Self.large).file(isInterlaced: isInterlaced)

            #expect(throws: ImageDecodingError.truncated) { try Thumbnail(of: Array(file.prefix(60)), geometry: .centerSquare(64)) }
        }

        /// Both decoders give the same result for images that either can decode.
        @Test(arguments: [
            PixelSize(width: 64, height: 48), PixelSize(width: 17, height: 18), PixelSize(width: 1, height: 33),
            PixelSize(width: 41, height: 1),
        ])
        func `Reading row by row gives the same pixels as reading at once`(size: PixelSize) throws {
            let image = OneBitPNG(size)
            for isInterlaced in [false, true] {
                let file = image.file(isInterlaced: isInterlaced)

                let whole = try PNGFile.pixels(of: file, for: .centerSquare(1))
                let rows = try file.withUnsafeBytes { try PNGRowReader($0).pixels(for: .scaledToFit(size)) }
                let small = try file.withUnsafeBytes { try PNGRowReader($0).pixels(for: .centerSquare(1)) }

                #expect(rows.size == size && rows.bytes == whole.bytes)
                #expect(small.size == size.divided(by: 8) && small.bytes.first == whole.bytes.first)
            }
        }

        @Test func `Transparent pixels are blended with the same gray by both readers`() throws {
            let size = PixelSize(width: 16, height: 8)
            let pixels: [UInt8] = (0..<size.count).flatMap { index -> [UInt8] in [UInt8(index), 200, 20, UInt8(index * 2 % 256)] }
            let file = TestImages.png(pixels, size, format: UInt32(0x03))

            let whole = try PNGFile.pixels(of: file, for: .centerSquare(1))
            let rows = try file.withUnsafeBytes { try PNGRowReader($0).pixels(for: .scaledToFit(size)) }

            let farthest = zip(whole.bytes, rows.bytes).map { abs(Int($0) - Int($1)) }.max()
            #expect(farthest.map { $0 <= 3 } == true)
        }

        @Test func `Blocks at the edges are averaged over their pixels`() {
            var downsampler = BlockDownsampler(of: PixelSize(width: 3, height: 3), factor: 2)
            downsampler.addRow([0, 0, 0, 10, 0, 0, 100, 0, 0])
            downsampler.addRow([20, 0, 0, 30, 0, 0, 200, 0, 0])
            downsampler.addRow([7, 0, 0, 8, 0, 0, 9, 0, 0])

            #expect(downsampler.pixelMap.size == PixelSize(width: 2, height: 2))
            #expect(downsampler.pixelMap.bytes == [15, 0, 0, 150, 0, 0, 8, 0, 0, 9, 0, 0])
        }
    }

    extension PixelMap {
        /// The red values at the center of each quarter.
        fileprivate var quarters: [UInt8] {
            [1, 3].flatMap { y in [1, 3].map { x in bytes[(size.height * y / 4 * size.width + size.width * x / 4) * PixelMap.channels] } }
        }
    }
#endif
