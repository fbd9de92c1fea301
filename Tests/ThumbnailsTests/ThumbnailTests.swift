#if Thumbnails
    import CPNG
    import CTurboJPEG
    import Testing

    @testable import Thumbnails

    @Suite struct ThumbnailTests {
        @Test func aSquareShowsTheMiddleOfAWidePicture() throws {
            let picture = Pictures.map(width: 900, height: 300) { x, _ in
                x < 300 ? Pictures.red : x < 600 ? Pictures.green : Pictures.blue
            }

            let thumbnail = try #require(try Thumbnail(of: Pictures.jpeg(picture), in: .square(100)))

            #expect(thumbnail.size == PixelSize(width: 100, height: 100))
            let pixels = try thumbnail.pixels
            for x in [4, 50, 95] { #expect(pixels.isNear(Pictures.green, x: x, y: 50)) }
        }

        @Test func withinASizeAllOfThePictureIsShownInItsProportions() throws {
            let picture = Pictures.halves(Pictures.red, Pictures.blue, width: 800, height: 400)

            let thumbnail = try #require(try Thumbnail(of: Pictures.jpeg(picture), in: .within(PixelSize(width: 200, height: 200))))

            #expect(thumbnail.size == PixelSize(width: 200, height: 100))
            let pixels = try thumbnail.pixels
            #expect(pixels.isNear(Pictures.red, x: 10, y: 50) && pixels.isNear(Pictures.blue, x: 190, y: 50))
        }

        @Test func aSmallPictureIsNotMadeLarger() throws {
            let picture = try Pictures.jpeg(Pictures.halves(Pictures.red, Pictures.blue, width: 40, height: 20))

            #expect(try Thumbnail(of: picture, in: .square(100))?.size == PixelSize(width: 20, height: 20))
            #expect(try Thumbnail(of: picture, in: .within(PixelSize(width: 90, height: 90)))?.size == PixelSize(width: 40, height: 20))
        }

        @Test func aLineOfPixelsKeepsOne() throws {
            let picture = try Pictures.jpeg(Pictures.map(width: 500, height: 1) { _, _ in Pictures.green })

            #expect(try Thumbnail(of: picture, in: .within(PixelSize(width: 50, height: 50)))?.size == PixelSize(width: 50, height: 1))
            #expect(try Thumbnail(of: picture, in: .square(50))?.size == PixelSize(width: 1, height: 1))
        }

        @Test func aShapeWithoutPixelsGivesOne() throws {
            let picture = try Pictures.jpeg(Pictures.halves(Pictures.red, Pictures.blue, width: 40, height: 20))

            #expect(try Thumbnail(of: picture, in: .square(0))?.size == PixelSize(width: 1, height: 1))
            #expect(try Thumbnail(of: picture, in: .within(PixelSize(width: -5, height: 0)))?.size == PixelSize(width: 1, height: 1))
        }

        @Test func aThumbnailIsTheSameEveryTime() throws {
            let picture = Pictures.png(Pictures.halves(Pictures.red, Pictures.blue, width: 300, height: 200))

            #expect(try Thumbnail(of: picture, in: .square(64)) == Thumbnail(of: picture, in: .square(64)))
        }

        @Test(arguments: [TJSAMP_444, TJSAMP_422, TJSAMP_420, TJSAMP_411, TJSAMP_GRAY].map(\.rawValue))
        func everySamplingIsRead(_ sampling: UInt32) throws {
            let grey = Pictures.map(width: 256, height: 256) { _, _ in Pictures.Colour(90, 90, 90) }
            let picture = Pictures.jpeg(grey.bytes, grey.size, TJPF_RGB, TJSAMP(sampling), flags: TJFLAG_PROGRESSIVE)

            let thumbnail = try #require(try Thumbnail(of: picture, in: .square(40)))

            #expect(try thumbnail.pixels.isNear(Pictures.Colour(90, 90, 90), x: 20, y: 20))
        }

        @Test func aPictureForPrintIsShownInItsColours() throws {
            // How much of the paper each ink leaves: all but red is taken away.
            let inks = Array(repeating: [UInt8]([230, 20, 20, 255]), count: 64 * 64).flatMap(\.self)
            let picture = Pictures.jpeg(inks, PixelSize(width: 64, height: 64), TJPF_CMYK, TJSAMP_444)

            let thumbnail = try #require(try Thumbnail(of: picture, in: .square(32)))

            #expect(try thumbnail.pixels.isNear(Pictures.Colour(230, 20, 20), x: 16, y: 16))
        }

        @Test func greysPalettesAnd16BitsAreRead() throws {
            let size = PixelSize(width: 64, height: 64)
            let grey = Pictures.png(Array(repeating: 77, count: size.count), size, format: 0)
            let palette = Pictures.png(
                (0..<size.count).map { UInt8($0 % 64 < 32 ? 0 : 1) }, size,
                format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_COLORMAP), palette: [220, 30, 20, 20, 40, 210])
            let linear = [UInt16](repeating: .max, count: size.count * 3)
            let deep = linear.withUnsafeBytes {
                Pictures.png(Array($0), size, format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_LINEAR))
            }

            #expect(try Thumbnail(of: grey, in: .square(32))?.pixels.isNear(Pictures.Colour(77, 77, 77), x: 9, y: 9) == true)
            let halves = try #require(try Thumbnail(of: palette, in: .square(32))).pixels
            #expect(halves.isNear(Pictures.red, x: 4, y: 16) && halves.isNear(Pictures.blue, x: 27, y: 16))
            #expect(try Thumbnail(of: deep, in: .square(32))?.pixels.isNear(Pictures.Colour(255, 255, 255), x: 9, y: 9) == true)
        }

        @Test func whatCanBeSeenThroughLiesOnGrey() throws {
            let size = PixelSize(width: 64, height: 64)
            let clear = Array(repeating: [UInt8]([255, 0, 0, 0]), count: size.count).flatMap(\.self)
            let picture = Pictures.png(clear, size, format: UInt32(PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA))

            #expect(try Thumbnail(of: picture, in: .square(32))?.pixels.isNear(Pictures.Colour(128, 128, 128), x: 16, y: 16) == true)
        }

        @Test func whatBrowsersShowAndThisDoesNotReadIsShownAsItIs() throws {
            #expect(try Thumbnail(of: Array("GIF89a and so on".utf8), in: .square(32)) == nil)
            #expect(try Thumbnail(of: Array("RIFF....WEBPVP8 ".utf8), in: .square(32)) == nil)
        }
    }
#endif
