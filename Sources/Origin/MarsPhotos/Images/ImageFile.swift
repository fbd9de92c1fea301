#if Thumbnails
    import CTurboJPEG
#endif

/// A photo as an image file: a JPEG; or a PNG if the photo is one, or if no JPEG encoder is available.
struct ImageFile: Sendable {
    /// The quality of a JPEG, from 1 to 100.
    private static let quality: Int32 = 80
    private static let fullSize = (width: 1_024, height: 768)
    private static let smallSize = (width: 320, height: 240)
    /// The size of PNG images, small because of their file size.
    private static let pngSize = (width: 320, height: 240)

    let bytes: [UInt8]
    let mediaType: String

    init(_ photoImage: PhotoImage, seed: UInt64) {
        let terrain = photoImage.terrain(seed: seed)
        #if Thumbnails
            if !photoImage.isPNG, let bytes = Self.jpeg(terrain, photoImage.isSmall ? Self.smallSize : Self.fullSize) {
                (self.bytes, mediaType) = (bytes, "image/jpeg")
                return
            }
        #endif
        let image = terrain.rendered(width: Self.pngSize.width, height: Self.pngSize.height)
        (bytes, mediaType) = (PNGFile.bytes(of: image), "image/png")
    }

    #if Thumbnails
        /// Returns a JPEG; nil when the encoder fails, such as for lack of memory.
        private static func jpeg(_ terrain: Terrain, _ size: (width: Int, height: Int)) -> [UInt8]? {
            let image = terrain.rendered(width: size.width, height: size.height)
            guard let encoder = tjInitCompress() else { return nil }
            defer { tjDestroy(encoder) }
            var file: UnsafeMutablePointer<UInt8>?
            var length: UInt = 0
            defer { tjFree(file) }
            let sampling = terrain.hasColor ? TJSAMP_420 : TJSAMP_GRAY
            let status = image.pixels.withUnsafeBufferPointer { pixels in
                tjCompress2(
                    encoder, pixels.baseAddress, Int32(image.width), 0, Int32(image.height), Int32(TJPF_RGB.rawValue), &file, &length,
                    Int32(sampling.rawValue), quality, TJFLAG_FASTDCT)
            }
            guard status == 0, let file else { return nil }
            return Array(UnsafeBufferPointer(start: file, count: Int(length)))
        }
    #endif
}
