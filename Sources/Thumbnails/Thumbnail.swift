/// A small copy of a picture, as a JPEG file.
package struct Thumbnail: Hashable, Sendable {
    package static let mediaType = "image/jpeg"
    /// What is given up for smallness, from 1 to 100.
    static let quality = 82

    package let size: PixelSize
    package let bytes: [UInt8]

    /// Whether this build can make any; without the trait `Thumbnails` the originals are shown.
    package static var areMade: Bool {
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
    /// - Throws: `PictureError`
    package init?(of picture: [UInt8], in shape: ThumbnailShape) throws(PictureError) {
        switch try PictureFormat(of: picture) {
        case .jpeg: try self.init(picture, shape, PictureOrientation(ofJPEG: picture), decode: Self.readJPEG)
        case .png: try self.init(picture, shape, decode: Self.readPNG)
        case .gif, .webP, .avif: return nil
        }
    }

    private typealias Decoder = ([UInt8], ThumbnailShape) throws(PictureError) -> PixelMap?

    private init?(
        _ picture: [UInt8], _ shape: ThumbnailShape, _ orientation: PictureOrientation = .upright, decode: Decoder
    ) throws(PictureError) {
        let shape = shape.turned(by: orientation)
        guard let pixels = try decode(picture, shape) else { return nil }
        let plan = shape.plan(for: pixels.size)
        let small = pixels.scaled(plan.crop, to: plan.size).turned(by: orientation)
        guard let bytes = try Self.file(of: small) else { return nil }
        (size, self.bytes) = (small.size, bytes)
    }
}

#if Thumbnails
    extension Thumbnail {
        private static func readJPEG(_ bytes: [UInt8], for shape: ThumbnailShape) throws(PictureError) -> PixelMap? {
            try JPEGFile.pixels(of: bytes, for: shape)
        }

        private static func readPNG(_ bytes: [UInt8], for shape: ThumbnailShape) throws(PictureError) -> PixelMap? {
            try PNGFile.pixels(of: bytes, for: shape)
        }

        private static func file(of pixels: PixelMap) throws(PictureError) -> [UInt8]? {
            try JPEGFile.bytes(of: pixels, quality: quality)
        }
    }
#else
    extension Thumbnail {
        private static func readJPEG(_ bytes: [UInt8], for shape: ThumbnailShape) throws(PictureError) -> PixelMap? { nil }

        private static func readPNG(_ bytes: [UInt8], for shape: ThumbnailShape) throws(PictureError) -> PixelMap? { nil }

        private static func file(of pixels: PixelMap) throws(PictureError) -> [UInt8]? { nil }
    }
#endif
