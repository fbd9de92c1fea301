#if Thumbnails
    import Testing

    @testable import Thumbnails

    /// PNG pictures with more pixels than are read whole: they are read row by row, or by their first passes.
    @Suite struct LargePNGTests {
        /// A little more than `PixelSize.pixelLimit`.
        private static let large = PixelSize(width: 5_801, height: 5_803)

        @Test(arguments: [false, true]) func `A picture of more than 33 megapixels gets its thumbnail`(isInterlaced: Bool) throws {
            let file = BitPicture(Self.large).file(isInterlaced: isInterlaced)

            let thumbnail = try #require(try Thumbnail(of: file, in: .square(64)))

            let pixels = try JPEGFile.pixels(of: thumbnail.bytes, for: .square(64))
            let quarters = try #require(pixels).quarters
            #expect(thumbnail.size == PixelSize(width: 64, height: 64))
            #expect(quarters[0] < 16 && quarters[1] > 239 && quarters[2] > 239 && quarters[3] < 16)
        }

        @Test func `A thumbnail that would need more of it than is read is refused`() {
            let size = PixelSize(width: 5_800, height: 5_800)

            #expect(throws: PictureError.tooManyPixels(Self.large)) {
                try Thumbnail(of: BitPicture(Self.large).file(isInterlaced: false), in: .within(size))
            }
        }

        @Test(arguments: [false, true]) func `A large picture that ends too soon is no picture`(isInterlaced: Bool) {
            let file = BitPicture(Self.large).file(isInterlaced: isInterlaced)

            #expect(throws: PictureError.truncated) { try Thumbnail(of: Array(file.prefix(60)), in: .square(64)) }
        }

        /// Both readers make the same of pictures that either can read.
        @Test(arguments: [
            PixelSize(width: 64, height: 48), PixelSize(width: 17, height: 18), PixelSize(width: 1, height: 33),
            PixelSize(width: 41, height: 1),
        ])
        func `What is read row by row is what is read at once`(size: PixelSize) throws {
            let picture = BitPicture(size)
            for isInterlaced in [false, true] {
                let file = picture.file(isInterlaced: isInterlaced)

                let whole = try PNGFile.pixels(of: file, for: .square(1))
                let rows = try file.withUnsafeBytes { try PNGRows($0).pixels(for: .within(size)) }
                let small = try file.withUnsafeBytes { try PNGRows($0).pixels(for: .square(1)) }

                #expect(rows.size == size && rows.bytes == whole.bytes)
                #expect(small.size == size.divided(by: 8) && small.bytes.first == whole.bytes.first)
            }
        }

        @Test func `Pixels that can be seen through lie over the same grey, whichever way a picture is read`() throws {
            let size = PixelSize(width: 16, height: 8)
            let pixels: [UInt8] = (0..<size.count).flatMap { index -> [UInt8] in [UInt8(index), 200, 20, UInt8(index * 2 % 256)] }
            let file = Pictures.png(pixels, size, format: UInt32(0x03))

            let whole = try PNGFile.pixels(of: file, for: .square(1))
            let rows = try file.withUnsafeBytes { try PNGRows($0).pixels(for: .within(size)) }

            let farthest = zip(whole.bytes, rows.bytes).map { abs(Int($0) - Int($1)) }.max()
            #expect(farthest.map { $0 <= 3 } == true)
        }

        @Test func `Blocks at the edges are the means of what there is`() {
            var means = BlockMeans(of: PixelSize(width: 3, height: 3), factor: 2)
            means.add([0, 0, 0, 10, 0, 0, 100, 0, 0])
            means.add([20, 0, 0, 30, 0, 0, 200, 0, 0])
            means.add([7, 0, 0, 8, 0, 0, 9, 0, 0])

            #expect(means.map.size == PixelSize(width: 2, height: 2))
            #expect(means.map.bytes == [15, 0, 0, 150, 0, 0, 8, 0, 0, 9, 0, 0])
        }
    }

    extension PixelMap {
        /// The red in the middle of each quarter.
        fileprivate var quarters: [UInt8] {
            [1, 3].flatMap { y in [1, 3].map { x in bytes[(size.height * y / 4 * size.width + size.width * x / 4) * PixelMap.channels] } }
        }
    }
#endif
