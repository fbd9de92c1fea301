#if Thumbnails
    internal import CPNG

    /// PNG decoding with the simplified interface of libpng, which returns errors instead of using `longjmp`; larger images use `PNGRowReader`.
    enum PNGFile {
        /// The background of transparent pixels: the gray between a light page and a dark one.
        private static let background = png_color(red: 128, green: 128, blue: 128)

        /// Decodes an image of any kind: with a palette, in grayscale, with 16 bits, with transparency.
        static func pixels(of bytes: [UInt8], for geometry: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap {
            var image = png_image()
            image.version = png_uint_32(PNG_IMAGE_VERSION)
            defer { png_image_free(&image) }
            // The decoder retains the address of the bytes between the two calls.
            let result = bytes.withUnsafeBytes { memory in
                Result { () throws(ImageDecodingError) in try read(&image, memory, geometry) }
            }
            return try result.get()
        }

        private static func read(
            _ image: inout png_image, _ memory: UnsafeRawBufferPointer, _ shape: ThumbnailGeometry
        ) throws(ImageDecodingError) -> PixelMap {
            guard png_image_begin_read_from_memory(&image, memory.baseAddress, memory.count) != 0 else { throw error(image) }
            let size = try PixelSize(width: Int(image.width), height: Int(image.height)).validated(limit: PNGRowReader.pixelLimit)
            guard size.count <= PixelSize.pixelLimit else { return try PNGRowReader(memory).pixels(for: shape) }
            image.format = png_uint_32(PNG_FORMAT_FLAG_COLOR)
            // Otherwise libpng reads 16-bit samples of unknown gamma as linear, unlike browsers.
            image.flags |= png_uint_32(PNG_IMAGE_FLAG_16BIT_sRGB)
            var pixels = [UInt8](repeating: 0, count: size.count * PixelMap.channels)
            var ground = background
            guard png_image_finish_read(&image, &ground, &pixels, 0, nil) != 0 else { throw error(image) }
            return PixelMap(size: size, bytes: pixels)
        }

        private static func error(_ image: png_image) -> ImageDecodingError {
            error(withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }

        /// Returns the error for a message of libpng.
        static func error(_ message: String) -> ImageDecodingError {
            message.contains("read beyond end of data") || message.contains("Not enough") ? .truncated : .malformed(reason: message)
        }
    }
#endif
