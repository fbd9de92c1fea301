/// Makes a picture smaller by a whole number while its lines arrive: each pixel is the mean of a block.
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

    /// Takes the next line.
    mutating func addRow(_ row: [UInt8]) {
        for x in 0..<source.width {
            let (from, to) = (x * PixelMap.channels, x / factor * PixelMap.channels)
            for channel in 0..<PixelMap.channels { sums[to + channel] += UInt32(row[from + channel]) }
        }
        (rowsInBlock, rowsRead) = (rowsInBlock + 1, rowsRead + 1)
        if rowsInBlock == factor || rowsRead == source.height { flush() }
    }

    /// The picture, after its last line.
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
    /// The size with one pixel for each block, those at the edges included.
    func divided(by factor: Int) -> PixelSize {
        PixelSize(width: (width + factor - 1) / factor, height: (height + factor - 1) / factor)
    }
}
