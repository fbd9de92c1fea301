/// A reduced copy of an image, as a JPEG file.
package struct Thumbnail: Hashable, Sendable {
    package static let mediaType = "image/jpeg"
    /// The JPEG quality, from 1 to 100.
    static let quality = 82

    package let size: PixelSize
    package let bytes: [UInt8]

    /// Creates the thumbnail of an image, detecting its format; nil when the original is to be shown instead.
    ///
    /// That is the case in a build without the trait `Thumbnails`, and for formats that browsers show and this module does not decode (GIF,
    /// WebP, AVIF, rare JPEG). This is CPU-intensive; call it in the CPU lane.
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
        _ image: [UInt8], _ shape: ThumbnailGeometry, _ orientation: ImageOrientation = .normal, decode: Decoder
    ) throws(ImageDecodingError) {
        let shape = shape.applying(orientation)
        guard let pixels = try decode(image, shape) else { return nil }
        let plan = shape.plan(for: pixels.size)
        let small = pixels.scaled(plan.crop, to: plan.size).applying(orientation)
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
