/// A downsampler by an integer factor that receives an image row by row: each pixel is the mean of a block.
struct BlockDownsampler {
    let size: PixelSize
    private let source: PixelSize
    private let factor: Int
    private var sums: [UInt32]
    private var rowsInBlock = 0
    private var rowsRead = 0
    private var bytes: [UInt8] = []

    init(of source: PixelSize, factor: Int) {
        self.source = source
        self.factor = factor
        size = source.divided(by: factor)
        sums = [UInt32](repeating: 0, count: size.width * PixelMap.channels)
        bytes.reserveCapacity(size.count * PixelMap.channels)
    }

    /// Adds the next row.
    mutating func addRow(_ row: [UInt8]) {
        for x in 0..<source.width {
            let (from, to) = (x * PixelMap.channels, x / factor * PixelMap.channels)
            for channel in 0..<PixelMap.channels { sums[to + channel] += UInt32(row[from + channel]) }
        }
        (rowsInBlock, rowsRead) = (rowsInBlock + 1, rowsRead + 1)
        if rowsInBlock == factor || rowsRead == source.height { flush() }
    }

    /// The reduced image, complete after the last row.
    var pixelMap: PixelMap { PixelMap(size: size, bytes: bytes) }

    private mutating func flush() {
        for x in 0..<size.width {
            let columns = min(factor, source.width - x * factor)
            let count = UInt32(columns * rowsInBlock)
            for channel in 0..<PixelMap.channels { bytes.append(UInt8((sums[x * PixelMap.channels + channel] + count / 2) / count)) }
        }
        for index in sums.indices { sums[index] = 0 }
        rowsInBlock = 0
    }
}

extension PixelSize {
    /// Returns the size with one pixel for each block, including partial blocks at the edges.
    func divided(by factor: Int) -> PixelSize {
        PixelSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }
}
