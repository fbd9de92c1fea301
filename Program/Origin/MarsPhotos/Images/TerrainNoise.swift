import SeededNumbers

/// Seamless noise textures, created once and shared by all images.
struct TerrainNoise: Sendable {
    static let shared = TerrainNoise()
    /// The side of a texture in texels; a power of two.
    static let side = 256
    static let mask = side - 1

    /// Smooth noise for hills and hollows, from 0 to 255.
    let valueNoise: [UInt8]
    /// White noise for sand.
    let whiteNoise: [UInt8]

    private init() {
        var generator = SplitMix64(seed: 0x4D61_7273, stream: 0)
        let count = Self.side * Self.side
        whiteNoise = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next() >> 56) }
        var sum = [Float](repeating: 0, count: count)
        for (cells, weight) in [(4, 0.5), (8, 0.25), (16, 0.125), (32, 0.08), (64, 0.045)] as [(Int, Float)] {
            let corners = (0..<cells * cells).map { _ in Float(generator.nextDouble()) }
            Self.add(corners, cells: cells, weight: weight, to: &sum)
        }
        valueNoise = sum.map { UInt8(max(0, min(255, (($0 - 0.5) * 1.6 + 0.5) * 255))) }
    }

    /// Adds a grid of values, interpolated smoothly between the corners of its cells.
    private static func add(_ corners: [Float], cells: Int, weight: Float, to sum: inout [Float]) {
        let length = side / cells
        for y in 0..<side {
            let (row, next) = (y / length * cells, (y / length + 1) % cells * cells)
            let v = interpolationWeight(Float(y % length) / Float(length))
            for x in 0..<side {
                let (column, right, u) = (x / length, (x / length + 1) % cells, interpolationWeight(Float(x % length) / Float(length)))
                let top = corners[row + column] * (1 - u) + corners[row + right] * u
                let bottom = corners[next + column] * (1 - u) + corners[next + right] * u
                sum[y * side + x] += weight * (top * (1 - v) + bottom * v)
            }
        }
    }

    private static func interpolationWeight(_ share: Float) -> Float { share * share * (3 - 2 * share) }
}
