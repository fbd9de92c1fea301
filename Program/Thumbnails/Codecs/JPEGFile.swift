#if Thumbnails
    internal import CTurboJPEG

    /// JPEG decoding and encoding with libjpeg-turbo, which reports errors as codes, so that no file terminates the process.
    enum JPEGFile {
        /// The maximum number of pixels of an image that is decoded at a reduced size, row by row.
        static let pixelLimit = 100_000_000
        /// The markers of frames whose first scan has the final pixels: sequential coding (ISO/IEC 10918-1 table B.1).
        private static let sequentialFrames: Set<UInt8> = [0xC0, 0xC1, 0xC9]

        /// Decodes an image at the smallest size that suffices for the thumbnail.
        ///
        /// Returns nil for a kind of JPEG that the codec does not support.
        static func pixels(of bytes: [UInt8], for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap? {
            let codec = try JPEGCodec(tjInitDecompress())
            guard let header = try codec.header(of: bytes) else { return nil }
            let size = try header.size.validated(limit: maximumPixelCount(of: bytes))
            let scaled = scales(of: size).first { shape.isSatisfied(by: $0, insteadOf: size) } ?? size
            return try codec.pixels(of: bytes, header, scaledTo: scaled.validated())
        }

        /// Returns the maximum number of pixels of an image.
        ///
        /// If one scan does not have all channels and all bits of a pixel, the decoder stores the coefficients of the whole image, whatever
        /// the size of the thumbnail: two bytes per channel.
        static func maximumPixelCount(of bytes: [UInt8]) -> Int {
            var channels: UInt8?
            for segment in JPEGSegments(of: bytes) {
                if sequentialFrames.contains(segment.marker) { channels = segment.content.dropFirst(5).first }
                if segment.marker == JPEGSegments.scanMarker, let channels, segment.content.first == channels { return pixelLimit }
            }
            return PixelSize.pixelLimit
        }

        static func bytes(of pixels: PixelMap, quality: Int) throws(ImageDecodingError) -> [UInt8] {
            try JPEGCodec(tjInitCompress()).encode(pixels, quality: quality)
        }

        /// Returns the reduced sizes at which an image can be decoded directly, smallest first.
        private static func scales(of size: PixelSize) -> [PixelSize] {
            var count: Int32 = 0
            guard let factors = tjGetScalingFactors(&count) else { return [] }
            return UnsafeBufferPointer(start: factors, count: Int(count)).filter { $0.num <= $0.denom }.map { size.scaled(by: $0) }
                .sorted { $0.count < $1.count }
        }
    }

    /// A TurboJPEG codec, destroyed at the end of its lifetime.
    private struct JPEGCodec: ~Copyable {
        /// The properties of an image in its header.
        struct Header {
            let size: PixelSize
            /// Whether the color space is cyan, magenta, yellow and black.
            let isCMYK: Bool
        }

        /// The decoding flags, which refuse images with more than 500 scans as too slow.
        private static let flags = TJFLAG_LIMITSCANS
        /// The prefixes of warnings after which the pixels are available (jerror.h, JWRN).
        private static let warnings = [
            "Corrupt JPEG data", "Inconsistent progression sequence", "Invalid SOS parameters", "Unknown Adobe color transform", "Warning",
            "Application transferred too many scanlines",
        ]
        /// The texts in errors about unsupported kinds of JPEG, as opposed to damage.
        private static let unsupportedMessages = ["Unsupported", "not implemented"]

        private let handle: tjhandle

        init(_ handle: tjhandle?) throws(ImageDecodingError) {
            guard let handle else { throw .outOfMemory }
            self.handle = handle
        }

        deinit { tjDestroy(handle) }

        /// Returns nil for a kind of JPEG that the codec does not support.
        borrowing func header(of bytes: [UInt8]) throws(ImageDecodingError) -> Header? {
            var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let code = tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
            // The error may be an unnamed subsampling; then the size is known and the pixels can be decoded.
            if code != 0, width < 1 || height < 1, try isUnsupportedFormat() { return nil }
            let isCMYK = [TJCS_CMYK, TJCS_YCCK].contains { Int32($0.rawValue) == space }
            return Header(size: PixelSize(width: Int(width), height: Int(height)), isCMYK: isCMYK)
        }

        /// Returns nil for a kind of JPEG that the codec does not support.
        borrowing func pixels(of bytes: [UInt8], _ header: Header, scaledTo size: PixelSize) throws(ImageDecodingError) -> PixelMap? {
            let format = header.isCMYK ? TJPF_CMYK : TJPF_RGB
            var pixels = [UInt8](repeating: 0, count: size.count * (header.isCMYK ? 4 : PixelMap.channels))
            let code = tjDecompress2(
                handle, bytes, UInt(bytes.count), &pixels, Int32(size.width), 0, Int32(size.height), Int32(format.rawValue), Self.flags)
            if code != 0, try isUnsupportedFormat() { return nil }
            return PixelMap(size: size, bytes: header.isCMYK ? Self.rgb(fromCMYK: pixels) : pixels)
        }

        borrowing func encode(_ pixels: PixelMap, quality: Int) throws(ImageDecodingError) -> [UInt8] {
            var buffer: UnsafeMutablePointer<UInt8>?
            var length: UInt = 0
            defer { tjFree(buffer) }
            let code = tjCompress2(
                handle, pixels.bytes, Int32(pixels.size.width), 0, Int32(pixels.size.height), Int32(TJPF_RGB.rawValue), &buffer, &length,
                Int32(TJSAMP_420.rawValue), Int32(quality), 0)
            guard code == 0, let buffer else { throw .outOfMemory }
            return Array(UnsafeBufferPointer(start: buffer, count: Int(length)))
        }

        /// Whether the last call failed because the kind of JPEG is not supported.
        ///
        /// Warnings are ignored, as in browsers, except for missing data. An error after a warning has the code of the warning, so that
        /// only the message distinguishes them.
        private borrowing func isUnsupportedFormat() throws(ImageDecodingError) -> Bool {
            let message = String(cString: tjGetErrorStr2(handle))
            if message.contains("Premature end") { throw .truncated }
            if tjGetErrorCode(handle) == TJERR_WARNING.rawValue, Self.warnings.contains(where: { message.hasPrefix($0) }) { return false }
            if Self.unsupportedMessages.contains(where: { message.contains($0) }) { return true }
            throw .malformed(reason: message)
        }

        /// Returns the RGB pixels of CMYK data, which is inverted as in Adobe's files.
        private static func rgb(fromCMYK inks: [UInt8]) -> [UInt8] {
            var pixels: [UInt8] = []
            pixels.reserveCapacity(inks.count / 4 * PixelMap.channels)
            for start in stride(from: 0, to: inks.count, by: 4) {
                let black = Int(inks[start + 3])
                for ink in inks[start..<start + 3] { pixels.append(UInt8(Int(ink) * black / 255)) }
            }
            return pixels
        }
    }

    extension PixelSize {
        /// Returns the scaled size, rounded like the codec does.
        fileprivate func scaled(by factor: tjscalingfactor) -> PixelSize {
            let (numerator, denominator) = (Int(factor.num), Int(factor.denom))
            return PixelSize(
                width: (width * numerator + denominator - 1) / denominator, height: (height * numerator + denominator - 1) / denominator)
        }
    }
#endif
