/// A small copy of a picture, as a JPEG file.
package struct Thumbnail: Hashable, Sendable {
    package static let mediaType = "image/jpeg"
    /// What is given up for smallness, from 1 to 100.
    static let quality = 82

    package let size: PixelSize
    package let bytes: [UInt8]

    /// Whether this build can make any; without the trait `Thumbnails` the originals are shown.
    package static var isSupported: Bool {
        #if Thumbnails
            true
        #else
            false
        #endif
    }

    /// Makes the thumbnail of a picture, whatever its bytes claim to be; nil when the original is to be shown instead.
    ///
    /// That is so in a build that makes none, and for what browsers show and this module does not read (GIF, WebP, AVIF, rare JPEG).
    /// Takes a while; call it where work for the processor is done.
    /// - Throws: `ImageDecodingError`
    package init?(of image: [UInt8], geometry: ThumbnailGeometry) throws(ImageDecodingError) {
        switch try ImageFormat(of: image) {
        case .jpeg: try self.init(image, geometry, ImageOrientation(ofJPEG: image), decode: Self.readJPEG)
        case .png: try self.init(image, geometry, decode: Self.readPNG)
        case .gif, .webP, .avif: return nil
        }
    }

    private typealias Decoder = ([UInt8], ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap?

    private init?(
        _ image: [UInt8], _ shape: ThumbnailGeometry, _ orientation: ImageOrientation = .upright, decode: Decoder
    ) throws(ImageDecodingError) {
        let shape = shape.oriented(by: orientation)
        guard let pixels = try decode(image, shape) else { return nil }
        let plan = shape.plan(for: pixels.size)
        let small = pixels.scaled(plan.crop, to: plan.size).oriented(by: orientation)
        guard let bytes = try Self.encoded(small) else { return nil }
        (size, self.bytes) = (small.size, bytes)
    }
}

#if Thumbnails
    extension Thumbnail {
        private static func readJPEG(_ bytes: [UInt8], for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap? {
            try JPEGFile.pixels(of: bytes, for: shape)
        }

        private static func readPNG(_ bytes: [UInt8], for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap? {
            try PNGFile.pixels(of: bytes, for: shape)
        }

        private static func encoded(_ pixels: PixelMap) throws(ImageDecodingError) -> [UInt8]? {
            try JPEGFile.bytes(of: pixels, quality: quality)
        }
    }
#else
    extension Thumbnail {
        private static func readJPEG(_ bytes: [UInt8], for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap? { nil }

        private static func readPNG(_ bytes: [UInt8], for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap? { nil }

        private static func encoded(_ pixels: PixelMap) throws(ImageDecodingError) -> [UInt8]? { nil }
    }
#endif
