import SeededNumbers

/// The photos that simulated couriers take at the door: a parcel in front of a door, each with other colours.
struct DemoProofs: Sendable {
    private static let (width, height) = (320, 240)
    private static let doorColors: [UInt32] = [0x7A_1F1F, 0x1F_4E79, 0x2E_5E3A, 0x4A_3B6B, 0x55_4433, 0x20_6A6A]
    private static let wallColors: [UInt32] = [0xC9_B79C, 0xA8_5B44, 0xD8_D4CB, 0x8F_9BA3]
    private static let (step, parcel, tape, knob): (UInt32, UInt32, UInt32, UInt32) = (0x77_7777, 0xB8_8A4A, 0xE3_C99A, 0xE8_C04A)

    let seed: UInt64

    /// Returns a photo as a PNG file.
    func photo(ofOrder order: Int) -> [UInt8] {
        var generator = SplitMix64(seed: seed, stream: order)
        let left = generator.integer(in: 70...120)
        let (size, offset) = (generator.integer(in: 40...70), generator.integer(in: 0...60))
        var image = PixelImage(width: Self.width, height: Self.height)
        image.fill(x: 0..<Self.width, y: 0..<Self.height, generator.element(of: Self.wallColors))
        image.fill(x: 0..<Self.width, y: 200..<Self.height, Self.step)
        image.fill(x: left..<left + 110, y: 20..<200, generator.element(of: Self.doorColors))
        image.fill(x: left + 92..<left + 100, y: 110..<118, Self.knob)
        let box = left + offset
        image.fill(x: box..<box + size, y: 215 - size..<215, Self.parcel)
        image.fill(x: box + size * 2 / 5..<box + size * 3 / 5, y: 215 - size..<215, Self.tape)
        return PNGFile.bytes(of: image)
    }
}

extension PixelImage {
    /// Fills a rectangle with a colour in the form `0xRRGGBB`.
    fileprivate mutating func fill(x columns: Range<Int>, y rows: Range<Int>, _ color: UInt32) {
        let width = width
        change { pixels in
            for row in rows {
                for column in columns {
                    for (channel, shift) in [(0, UInt32(16)), (1, 8), (2, 0)] {
                        pixels[(row * width + column) * 3 + channel] = UInt8(truncatingIfNeeded: color >> shift)
                    }
                }
            }
        }
    }
}
