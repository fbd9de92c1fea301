@testable import Thumbnails

#if Thumbnails
    import CPNG
    import CTurboJPEG
    import Testing

    @testable import Thumbnails

    @Suite struct ThumbnailTests {
        @Test func `A square thumbnail shows the middle of a wide image`() throws {
            let image = TestImages.map(width: 900, height: 300) { x, _ in
                x < 300 ? TestImages.red : x < 600 ? TestImages.green : TestImages.blue
            }

            let thumbnail = try #require(try Thumbnail(of: TestImages.jpeg(image), geometry: .centerSquare(100)))

            #expect(thumbnail.size == PixelSize(width: 100, height: 100))
            let pixels = try thumbnail.pixels
            for x in [4, 50, 95] { #expect(pixels.isNear(TestImages.green, x: x, y: 50)) }
        }

        @Test func `A thumbnail scaled to fit preserves the aspect ratio`() throws {
            let image = TestImages.halves(TestImages.red, TestImages.blue, width: 800, height: 400)

            let thumbnail = try #require(
                try Thumbnail(of: TestImages.jpeg(image), geometry: .scaledToFit(PixelSize(width: 200, height: 200))))

            #expect(thumbnail.size == PixelSize(width: 200, height: 100))
            let pixels = try thumbnail.pixels
            #expect(pixels.isNear(TestImages.red, x: 10, y: 50) && pixels.isNear(TestImages.blue, x: 190, y: 50))
        }

        @Test func `A small image is not enlarged`() throws {
            let image = try TestImages.jpeg(TestImages.halves(TestImages.red, TestImages.blue, width: 40, height: 20))

            #expect(try Thumbnail(of: image, geometry: .centerSquare(100))?.size == PixelSize(width: 20, height: 20))
            #expect(
                try Thumbnail(of: image, geometry: .scaledToFit(PixelSize(width: 90, height: 90)))?.size == PixelSize(width: 40, height: 20)
            )
        }

        @Test func `An image one pixel high preserves its height`() throws {
            let image = try TestImages.jpeg(TestImages.map(width: 500, height: 1) { _, _ in TestImages.green })

            #expect(
                try Thumbnail(of: image, geometry: .scaledToFit(PixelSize(width: 50, height: 50)))?.size == PixelSize(width: 50, height: 1))
            #expect(try Thumbnail(of: image, geometry: .centerSquare(50))?.size == PixelSize(width: 1, height: 1))
        }

        @Test func `An empty geometry gives one pixel`() throws {
            let image = try TestImages.jpeg(TestImages.halves(TestImages.red, TestImages.blue, width: 40, height: 20))

            #expect(try Thumbnail(of: image, geometry: .centerSquare(0))?.size == PixelSize(width: 1, height: 1))
            #expect(
                try Thumbnail(of: image, geometry: .scaledToFit(PixelSize(width: -5, height: 0)))?.size == PixelSize(width: 1, height: 1))
        }

        @Test func `Thumbnails are deterministic`() throws {
            let image = TestImages.png(TestImages.halves(TestImages.red, TestImages.blue, width: 300, height: 200))

            #expect(try Thumbnail(of: image, geometry: .centerSquare(64)) == Thumbnail(of: image, geometry: .centerSquare(64)))
        }

        @Test(arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_411, TJSAMP_GRAY].map(\.rawValue))
        func `Every chroma subsampling is read`(_ sampling: UInt32) throws {
            let gray = TestImages.map(width: 256, height: 256) { _, _ in TestImages.Color(90, 90, 90) }
            let image = TestImages.jpeg(gray.bytes, gray.size, TJPF_RGB, TJSAMP(sampling), flags: TJFLAG_PROGRESSIVE)

            let thumbnail = try #require(try Thumbnail(of: image, geometry: .centerSquare(40)))

            #expect(try thumbnail.pixels.isNear(TestImages.Color(90, 90, 90), x: 20, y: 20))
        }

        /// The colors at the upper left, upper right, lower left and lower right.
        @Test(
            arguments: [
                (0, [0, 1, 2, 3]), (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]), (5, [0, 2, 1, 3]),
                (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]), (9, [0, 1, 2, 3]),
            ] as [(UInt8, [Int])])
        func `The orientation of an image is applied`(_ orientation: UInt8, _ corners: [Int]) throws {
            let colors = [TestImages.red, TestImages.green, TestImages.blue, TestImages.Color(128, 128, 128)]
            let image = try TestImages.jpeg(
                TestImages.map(width: 400, height: 200) { x, y in colors[(x < 200 ? 0 : 1) + (y < 100 ? 0 : 2)] })
            let size = (5...8).contains(orientation) ? PixelSize(width: 200, height: 400) : PixelSize(width: 200, height: 100)

            for isLittleEndian in [false, true] {
                let oriented = TestImages.oriented(image, orientation, isLittleEndian: isLittleEndian)
                let thumbnail = try #require(try Thumbnail(of: oriented, geometry: .scaledToFit(PixelSize(width: 200, height: 1_000))))
                let pixels = try thumbnail.pixels

                #expect(thumbnail.size == size)
                for (corner, colour) in corners.enumerated() {
                    let (x, y) = (size.width / 4 * (corner % 2 * 2 + 1), size.height / 4 * (corner / 2 * 2 + 1))
                    #expect(pixels.isNear(colors[colour], x: x, y: y))
                }
            }
        }

        @Test(arguments: 0..<34) func `A truncated orientation is ignored`(_ length: Int) throws {
            let image = try TestImages.jpeg(TestImages.halves(TestImages.red, TestImages.blue, width: 40, height: 20))
            let oriented = TestImages.oriented(image, 6)

            #expect(ImageOrientation(ofJPEG: Array(oriented.prefix(length))) == .normal)
            #expect(ImageOrientation(ofJPEG: oriented) == ImageOrientation(6))
        }

        @Test func `A large JPEG is decoded at a reduced size`() throws {
            let size = PixelSize(width: 8_000, height: 6_000)
            let image = TestImages.jpeg([UInt8](repeating: 90, count: size.count), size, TJPF_GRAY, TJSAMP_GRAY)

            let thumbnail = try #require(try Thumbnail(of: image, geometry: .centerSquare(32)))

            #expect(try thumbnail.pixels.isNear(TestImages.Color(90, 90, 90), x: 16, y: 16))
            #expect(throws: ImageDecodingError.tooManyPixels(size)) { try Thumbnail(of: image, geometry: .scaledToFit(size)) }
        }

        @Test func `A nonstandard chroma subsampling is read`() throws {
            let gray = TestImages.map(width: 64, height: 64) { _, _ in TestImages.Color(90, 90, 90) }
            var image = TestImages.jpeg(gray.bytes, gray.size, TJPF_RGB, TJSAMP_444)
            // Luminance has three times as many columns as chrominance.
            let frame = try TestImages.frame(of: image)
            image[frame + 11] = 0x31

            #expect(try Thumbnail(of: image, geometry: .centerSquare(32)) != nil)
        }

        @Test func `An unsupported kind of JPEG has no thumbnail`() throws {
            let image = try TestImages.jpeg(TestImages.halves(TestImages.red, TestImages.blue, width: 40, height: 20))
            let frame = try TestImages.frame(of: image)
            var (lossless, deep) = (image, image)
            lossless[frame + 1] = 0xC3
            deep[frame + 4] = 12

            #expect(try Thumbnail(of: lossless, geometry: .centerSquare(32)) == nil)
            #expect(try Thumbnail(of: deep, geometry: .centerSquare(32)) == nil)
        }

        @Test func `A CMYK image is converted to RGB`() throws {
            // Inverted ink amounts: everything but red is absorbed.
            let inks = Array(repeating: [UInt8]([230, 20, 20, 255]), count: 64 * 64).flatMap(\.self)
            let image = TestImages.jpeg(inks, PixelSize(width: 64, height: 64), TJPF_CMYK, TJSAMP_444)

            let thumbnail = try #require(try Thumbnail(of: image, geometry: .centerSquare(32)))

            #expect(try thumbnail.pixels.isNear(TestImages.Color(230, 20, 20), x: 16, y: 16))
        }

        @Test func `Grayscale, palette and 16-bit PNGs are read`() throws {
            let size = PixelSize(width: 64, height: 64)
            let gray = TestImages.png(Array(repeating: 77, count: size.count), size, format: 0)
            let palette = TestImages.png(
                (0..<size.count).map { UInt8($0 % 64 < 32 ? 0 : 1) }, size,
                format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP), palette: [220, 30, 20, 20, 40, 210])
            let linear = [UInt16](repeating: .max, count: size.count * 3)
            let deep = linear.withUnsafeBytes {
                TestImages.png(Array($0), size, format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR))
            }

            #expect(try Thumbnail(of: gray, geometry: .centerSquare(32))?.pixels.isNear(TestImages.Color(77, 77, 77), x: 9, y: 9) == true)
            let halves = try #require(try Thumbnail(of: palette, geometry: .centerSquare(32))).pixels
            #expect(halves.isNear(TestImages.red, x: 4, y: 16) && halves.isNear(TestImages.blue, x: 27, y: 16))
            #expect(
                try Thumbnail(of: deep, geometry: .centerSquare(32))?.pixels.isNear(TestImages.Color(255, 255, 255), x: 9, y: 9) == true)
        }

        /// The sample 0x4040 is 64 of 255 in sRGB, and 136 where the file declares it to be linear.
        @Test func `A PNG without a gamma is sRGB also with 16 bits, decoded at once and row by row`() throws {
            let size = PixelSize(width: 8, height: 8)
            let samples = [UInt16](repeating: 0x4040, count: size.count * 3)
            let linear = samples.withUnsafeBytes {
                TestImages.png(Array($0), size, format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR))
            }

            for (file, value) in [(linear, UInt8(136)), (try TestImages.withoutGamma(linear), 64)] {
                let whole = try PNGFile.pixels(of: file, for: .centerSquare(1))
                let rows = try file.withUnsafeBytes { try PNGRowReader($0).pixels(for: .scaledToFit(size)) }

                #expect(whole.isNear(TestImages.Color(repeating: value), x: 3, y: 3, by: 1))
                #expect(rows.isNear(TestImages.Color(repeating: value), x: 3, y: 3, by: 1))
            }
        }

        @Test func `Transparent pixels are blended with gray`() throws {
            let size = PixelSize(width: 64, height: 64)
            let clear = Array(repeating: [UInt8]([255, 0, 0, 0]), count: size.count).flatMap(\.self)
            let image = TestImages.png(clear, size, format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA))

            #expect(
                try Thumbnail(of: image, geometry: .centerSquare(32))?.pixels.isNear(TestImages.Color(128, 128, 128), x: 16, y: 16) == true)
        }

        @Test func `Formats that are not decoded have no thumbnail`() throws {
            #expect(try Thumbnail(of: Array("GIF89a and so on".utf8), geometry: .centerSquare(32)) == nil)
            #expect(try Thumbnail(of: Array("RIFF....WEBPVP8 ".utf8), geometry: .centerSquare(32)) == nil)
        }
    }
#endif
