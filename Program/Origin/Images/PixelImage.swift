/// An RGB image with three bytes per pixel, in rows from the top.
struct PixelImage: Sendable {
    let width: Int
    let height: Int
    private(set) var pixels: [UInt8]

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
        pixels = [UInt8](repeating: 0, count: width * height * 3)
    }

    mutating func change(_ body: (UnsafeMutableBufferPointer<UInt8>) -> Void) {
        pixels.withUnsafeMutableBufferPointer { body($0) }
    }
}
