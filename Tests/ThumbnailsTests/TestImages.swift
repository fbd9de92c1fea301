#if Thumbnails
    import CPNG
    import CTurboJPEG
    import Testing

    @testable import Thumbnails

    /// Pictures that tests make with the codecs themselves.
    enum TestImages {
        typealias Color = SIMD3<UInt8>

        static let red = Color(220, 30, 20)
        static let green = Color(20, 200, 60)
        static let blue = Color(20, 40, 210)

        /// A left and a right half.
        static func halves(_ left: Color, _ right: Color, width: Int, height: Int) -> PixelMap {
            map(width: width, height: height) { x, _ in x < width / 2 ? left : right }
        }

        static func map(width: Int, height: Int, _ colour: (Int, Int) -> Color) -> PixelMap {
            var bytes: [UInt8] = []
            for y in 0..<height {
                for x in 0..<width {
                    let pixel = colour(x, y)
                    bytes += [pixel.x, pixel.y, pixel.z]
                }
            }
            return PixelMap(size: PixelSize(width: width, height: height), bytes: bytes)
        }

        // MARK: Files

        static func jpeg(_ map: PixelMap) throws -> [UInt8] { try JPEGFile.bytes(of: map, quality: 95) }

        /// A JPEG of any kind that TurboJPEG writes.
        static func jpeg(_ pixels: [UInt8], _ size: PixelSize, _ format: TJPF, _ sampling: TJSAMP, flags: Int32 = 0) -> [UInt8] {
            let handle = tjInitCompress()
            var buffer: UnsafeMutablePointer<UInt8>?
            var length: UInt = 0
            defer {
                tjFree(buffer)
                tjDestroy(handle)
            }
            let code = tjCompress2(
                handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(format.rawValue), &buffer, &length,
                Int32(sampling.rawValue), 95, flags)
            precondition(code == 0, String(cString: tjGetErrorStr2(handle)))
            return Array(UnsafeBufferPointer(start: buffer, count: Int(length)))
        }

        /// A JPEG that says how it is to be turned (Exif 2.3 §4.6.4 A).
        static func oriented(_ jpeg: [UInt8], _ orientation: UInt8, isLittleEndian: Bool = false) -> [UInt8] {
            let little: [UInt8] = [42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0, 0, 0, 0, 0]
            let big: [UInt8] = [0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
            let content: [UInt8] = Array("Exif\0\0".utf8) + Array(isLittleEndian ? "II".utf8 : "MM".utf8) + (isLittleEndian ? little : big)
            return Array(jpeg.prefix(2)) + [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content + Array(jpeg.dropFirst(2))
        }

        /// Where the frame of a JPEG begins, which tells its size and its sampling.
        static func frame(of jpeg: [UInt8]) throws -> Int {
            try #require(jpeg.indices.dropLast().first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
        }

        /// A PNG in a format of the simplified interface; with a palette where one is given.
        static func png(_ pixels: [UInt8], _ size: PixelSize, format: UInt32, palette: [UInt8] = []) -> [UInt8] {
            var image = png_image()
            image.version = png_uint_32(PNG_IMAGE_VERSION)
            (image.width, image.height, image.format) = (UInt32(size.width), UInt32(size.height), format)
            image.colormap_entries = UInt32(palette.count / 3)
            var length = size.count * 8 + 4_096
            var file = [UInt8](repeating: 0, count: length)
            let code = pixels.withUnsafeBytes { png_image_write_to_memory(&image, &file, &length, 0, $0.baseAddress, 0, palette) }
            precondition(code != 0)
            return Array(file.prefix(length))
        }

        static func png(_ map: PixelMap) -> [UInt8] { png(map.bytes, map.size, format: UInt32(PNG_FORMAT_FLAG_COLOR)) }
    }

    extension Thumbnail {
        /// Its pixels, read again.
        var pixels: PixelMap { get throws { try #require(try JPEGFile.pixels(of: bytes, for: .scaledToFit(size))) } }
    }

    extension PixelMap {
        subscript(x: Int, y: Int) -> TestImages.Color {
            let offset = (y * size.width + x) * Self.channels
            return TestImages.Color(bytes[offset], bytes[offset + 1], bytes[offset + 2])
        }

        /// Whether a pixel is a colour, as far as a lossy file keeps it.
        func isNear(_ color: TestImages.Color, x: Int, y: Int, by tolerance: Int = 12) -> Bool {
            let pixel = self[x, y]
            return (0..<3).allSatisfy { abs(Int(pixel[$0]) - Int(color[$0])) <= tolerance }
        }
    }
#endif
