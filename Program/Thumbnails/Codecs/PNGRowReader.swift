#if Thumbnails
    internal import CPNG

    /// A decoder of large PNG images, row by row into a smaller image.
    ///
    /// Rows of a non-interlaced image are averaged in blocks. An interlaced image (Adam7) has seven passes; the first of them contain every
    /// eighth, fourth or second pixel, which are used unchanged, and the rest is not decoded.
    struct PNGRowReader: ~Copyable {
        /// The maximum number of pixels of an image.
        static let pixelLimit = 100_000_000
        /// The integer factors by which an image can be reduced, largest first.
        private static let factors = [8, 4, 2]
        /// The gray background of transparent pixels.
        private static let background: UInt8 = 128

        private let reader: UnsafeMutablePointer<lading_png_reader>

        /// - Parameter memory: The encoded image; must remain valid during the lifetime of the reader.
        /// - Throws: `ImageDecodingError`
        init(_ memory: UnsafeRawBufferPointer) throws(ImageDecodingError) {
            guard let reader = lading_png_open(memory.baseAddress, memory.count) else { throw .outOfMemory }
            self.reader = reader
        }

        deinit { lading_png_close(reader) }

        /// Decodes the image at the smallest size that suffices for the thumbnail.
        func pixels(for shape: ThumbnailGeometry) throws(ImageDecodingError) -> PixelMap {
            try check(lading_png_read_header(reader))
            let size = try PixelSize(width: Int(reader.pointee.width), height: Int(reader.pointee.height)).validated(limit: Self.pixelLimit)
            let factor = Self.factors.first { shape.isSatisfied(by: size.divided(by: $0), insteadOf: size) } ?? 1
            _ = try size.divided(by: factor).validated()
            try check(lading_png_start(reader, Self.background))
            return reader.pointee.is_interlaced != 0 ? try readFirstPasses(of: size, factor) : try blockAverages(of: size, factor)
        }

        private func blockAverages(of size: PixelSize, _ factor: Int) throws(ImageDecodingError) -> PixelMap {
            var downsampler = BlockDownsampler(of: size, factor: factor)
            var row = [UInt8](repeating: 0, count: size.width * PixelMap.channels)
            for _ in 0..<size.height {
                try check(lading_png_read_row(reader, &row))
                downsampler.addRow(row)
            }
            return downsampler.pixelMap
        }

        private func readFirstPasses(of size: PixelSize, _ factor: Int) throws(ImageDecodingError) -> PixelMap {
            let small = size.divided(by: factor)
            var map = PixelMap(size: small, bytes: [UInt8](repeating: 0, count: small.count * PixelMap.channels))
            var row = [UInt8](repeating: 0, count: size.width * PixelMap.channels)
            for pass in InterlacePass.all where pass.isPart(ofEvery: factor) {
                guard pass.x < size.width else { continue }
                for y in stride(from: pass.y, to: size.height, by: pass.height) {
                    try check(lading_png_read_row(reader, &row))
                    for (index, x) in stride(from: pass.x, to: size.width, by: pass.width).enumerated() {
                        let (from, to) = (index * PixelMap.channels, (y / factor * small.width + x / factor) * PixelMap.channels)
                        for channel in 0..<PixelMap.channels { map.bytes[to + channel] = row[from + channel] }
                    }
                }
            }
            return map
        }

        /// Checks the result of a call of libpng.
        ///
        /// - Throws: The error of the last call when `result` is 0, which denotes a failure.
        private func check(_ result: Int32) throws(ImageDecodingError) {
            guard result == 0 else { return }
            throw PNGFile.error(withUnsafeBytes(of: reader.pointee.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
    }

    /// A pass of an interlaced PNG: the position of its first pixel and the distances between pixels (PNG §8.2, Adam7).
    private struct InterlacePass {
        let x: Int
        let y: Int
        let width: Int
        let height: Int

        static let all = [
            InterlacePass(x: 0, y: 0, width: 8, height: 8), InterlacePass(x: 4, y: 0, width: 8, height: 8),
            InterlacePass(x: 0, y: 4, width: 4, height: 8), InterlacePass(x: 2, y: 0, width: 4, height: 4),
            InterlacePass(x: 0, y: 2, width: 2, height: 4), InterlacePass(x: 1, y: 0, width: 2, height: 2),
            InterlacePass(x: 0, y: 1, width: 1, height: 2),
        ]

        /// Whether all pixels are in columns and rows that are multiples of `factor`.
        func isPart(ofEvery factor: Int) -> Bool {
            [x, y, width, height].allSatisfy { $0.isMultiple(of: factor) }
        }
    }
#endif
