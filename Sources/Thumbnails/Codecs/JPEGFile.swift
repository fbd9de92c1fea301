#if Thumbnails
    internal import CTurboJPEG

    /// Reads and writes JPEG with libjpeg-turbo, which reports errors as codes: nothing that is in a file ends the process.
    enum JPEGFile {
        /// Reads the pixels of a picture, as small as the codec can make them while they are enough for a thumbnail.
        static func pixels(of bytes: [UInt8], for shape: ThumbnailShape) throws(PictureError) -> PixelMap {
            let codec = try TurboCodec(tjInitDecompress())
            let header = try codec.header(of: bytes)
            let size = try header.size.checked()
            let scaled = scales(of: size).first { shape.isServed(by: $0, insteadOf: size) } ?? size
            return try codec.pixels(of: bytes, header, scaledTo: scaled)
        }

        static func bytes(of pixels: PixelMap, quality: Int) throws(PictureError) -> [UInt8] {
            try TurboCodec(tjInitCompress()).file(of: pixels, quality: quality)
        }

        /// The sizes that a picture can be read at without being read whole, smallest first.
        private static func scales(of size: PixelSize) -> [PixelSize] {
            var count: Int32 = 0
            guard let factors = tjGetScalingFactors(&count) else { return [] }
            return UnsafeBufferPointer(start: factors, count: Int(count)).filter { $0.num <= $0.denom }.map { size.scaled(by: $0) }
                .sorted { $0.count < $1.count }
        }
    }

    /// A codec of TurboJPEG, given back when it is done with.
    private struct TurboCodec: ~Copyable {
        /// What is known of a picture before it is read.
        struct Header {
            let size: PixelSize
            /// Whether it is made for print, in cyan, magenta, yellow and black.
            let isForPrint: Bool
        }

        /// Pictures in very many passes would take for ever: no more than 500 are read.
        private static let flags = TJFLAG_LIMITSCANS

        private let handle: tjhandle

        init(_ handle: tjhandle?) throws(PictureError) {
            guard let handle else { throw .noRoom }
            self.handle = handle
        }

        deinit { tjDestroy(handle) }

        borrowing func header(of bytes: [UInt8]) throws(PictureError) -> Header {
            var (width, height, sampling, space) = (Int32(0), Int32(0), Int32(0), Int32(0))
            let code = tjDecompressHeader3(handle, bytes, UInt(bytes.count), &width, &height, &sampling, &space)
            if code != 0 { try check() }
            let printed = [TJCS_CMYK, TJCS_YCCK].contains { Int32($0.rawValue) == space }
            return Header(size: PixelSize(width: Int(width), height: Int(height)), isForPrint: printed)
        }

        borrowing func pixels(of bytes: [UInt8], _ header: Header, scaledTo size: PixelSize) throws(PictureError) -> PixelMap {
            let format = header.isForPrint ? TJPF_CMYK : TJPF_RGB
            var pixels = [UInt8](repeating: 0, count: size.count * (header.isForPrint ? 4 : PixelMap.channels))
            let code = tjDecompress2(
                handle, bytes, UInt(bytes.count), &pixels, Int32(size.width), 0, Int32(size.height), Int32(format.rawValue), Self.flags)
            if code != 0 { try check() }
            return PixelMap(size: size, bytes: header.isForPrint ? Self.shown(pixels) : pixels)
        }

        borrowing func file(of pixels: PixelMap, quality: Int) throws(PictureError) -> [UInt8] {
            var buffer: UnsafeMutablePointer<UInt8>?
            var length: UInt = 0
            defer { tjFree(buffer) }
            let code = tjCompress2(
                handle, pixels.bytes, Int32(pixels.size.width), 0, Int32(pixels.size.height), Int32(TJPF_RGB.rawValue), &buffer, &length,
                Int32(TJSAMP_420.rawValue), Int32(quality), 0)
            guard code == 0, let buffer else { throw .noRoom }
            return Array(UnsafeBufferPointer(start: buffer, count: Int(length)))
        }

        /// Warnings are let pass, as browsers do, but for the one that says that the rest is missing.
        private borrowing func check() throws(PictureError) {
            let message = String(cString: tjGetErrorStr2(handle))
            if message.contains("Premature end") { throw .truncated }
            if tjGetErrorCode(handle) == TJERR_FATAL.rawValue { throw .damaged(reason: message) }
        }

        /// Inks as they look on a screen; files hold how much of the paper they leave, as Adobe's do.
        private static func shown(_ inks: [UInt8]) -> [UInt8] {
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
        /// As the codec rounds it.
        fileprivate func scaled(by factor: tjscalingfactor) -> PixelSize {
            let (numerator, denominator) = (Int(factor.num), Int(factor.denom))
            return PixelSize(
                width: (width * numerator + denominator - 1) / denominator, height: (height * numerator + denominator - 1) / denominator)
        }
    }
#endif
