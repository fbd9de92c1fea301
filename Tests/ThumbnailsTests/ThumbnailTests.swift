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

        /// The colours at the upper left, upper right, lower left and lower right.
        @Test(
            arguments: [
                (0, [0, 1, 2, 3]), (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [3, 2, 1, 0]), (4, [2, 3, 0, 1]), (5, [0, 2, 1, 3]),
                (6, [2, 0, 3, 1]), (7, [3, 1, 2, 0]), (8, [1, 3, 0, 2]), (9, [0, 1, 2, 3]),
            ] as [(UInt8, [Int])])
        func aPictureIsTurnedAsItsFileSays(_ orientation: UInt8, _ corners: [Int]) throws {
            let colours = [Pictures.red, Pictures.green, Pictures.blue, Pictures.Colour(128, 128, 128)]
            let picture = try Pictures.jpeg(
                Pictures.map(width: 400, height: 200) { x, y in colours[(x < 200 ? 0 : 1) + (y < 100 ? 0 : 2)] })
            let size = (5...8).contains(orientation) ? PixelSize(width: 200, height: 400) : PixelSize(width: 200, height: 100)

            for isLittleEndian in [false, true] {
                let turned = Pictures.turned(picture, orientation, isLittleEndian: isLittleEndian)
                let thumbnail = try #require(try Thumbnail(of: turned, in: .within(PixelSize(width: 200, height: 1_000))))
                let pixels = try thumbnail.pixels

                #expect(thumbnail.size == size)
                for (corner, colour) in corners.enumerated() {
                    let (x, y) = (size.width / 4 * (corner % 2 * 2 + 1), size.height / 4 * (corner / 2 * 2 + 1))
                    #expect(pixels.isNear(colours[colour], x: x, y: y))
                }
            }
        }

        @Test(arguments: 0..<34) func turningThatIsCutOffIsNone(_ length: Int) throws {
            let picture = try Pictures.jpeg(Pictures.halves(Pictures.red, Pictures.blue, width: 40, height: 20))
            let turned = Pictures.turned(picture, 6)

            #expect(PictureOrientation(ofJPEG: Array(turned.prefix(length))) == .upright)
            #expect(PictureOrientation(ofJPEG: turned) == PictureOrientation(6))
        }

        @Test func aJPEGLargerThanIsReadWholeIsReadSmaller() throws {
            let size = PixelSize(width: 8_000, height: 6_000)
            let picture = Pictures.jpeg([UInt8](repeating: 90, count: size.count), size, TJPF_GRAY, TJSAMP_GRAY)

            let thumbnail = try #require(try Thumbnail(of: picture, in: .square(32)))

            #expect(try thumbnail.pixels.isNear(Pictures.Colour(90, 90, 90), x: 16, y: 16))
            #expect(throws: PictureError.tooManyPixels(size)) { try Thumbnail(of: picture, in: .within(size)) }
        }

        @Test func aSamplingWithoutANameIsRead() throws {
            let grey = Pictures.map(width: 64, height: 64) { _, _ in Pictures.Colour(90, 90, 90) }
            var picture = Pictures.jpeg(grey.bytes, grey.size, TJPF_RGB, TJSAMP_444)
            // Three times as many columns for the brightness as for the colours.
            let frame = try Pictures.frame(of: picture)
            picture[frame + 11] = 0x31

            #expect(try Thumbnail(of: picture, in: .square(32)) != nil)
        }

        @Test func aKindOfJPEGThatIsNotReadIsShownAsItIs() throws {
            let picture = try Pictures.jpeg(Pictures.halves(Pictures.red, Pictures.blue, width: 40, height: 20))
            let frame = try Pictures.frame(of: picture)
            var (lossless, deep) = (picture, picture)
            lossless[frame + 1] = 0xC3
            deep[frame + 4] = 12

            #expect(try Thumbnail(of: lossless, in: .square(32)) == nil)
            #expect(try Thumbnail(of: deep, in: .square(32)) == nil)
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
