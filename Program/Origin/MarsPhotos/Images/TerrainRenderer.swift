/// A renderer of a terrain at one size: sky, hills, ground, rocks, and effects of the camera.
struct TerrainRenderer {
    /// Red, green and blue; `setPixel` clamps them to 0...255.
    typealias Color = (red: Int32, green: Int32, blue: Int32)

    let terrain: Terrain
    let width: Int
    let height: Int
    /// The top row of each ridge for every column; the last ridge is the ground.
    private(set) var topRows: [[Int32]] = []

    private static let groundColor: Color = (186, 118, 76)
    private static let neutralColor: Color = (150, 150, 150)

    init(_ terrain: Terrain, width: Int, height: Int) {
        self.terrain = terrain
        self.width = width
        self.height = height
        topRows = terrain.ridges.map(topRow)
    }

    mutating func render(on pixels: UnsafeMutableBufferPointer<UInt8>) {
        switch terrain.view {
        case .sky: renderSky(pixels, to: height)
        case .ground, .circularGround: renderGround(pixels, from: 0, texels: terrain.view == .ground ? 420 : 200)
        case .landscape, .landscapeWithoutColor, .wheels:
            renderSky(pixels, to: height)
            for (ridge, line) in zip(terrain.ridges, topRows).dropLast() { renderRidge(pixels, below: line, haze: ridge.haze) }
            renderGround(pixels, from: Int(groundLine.min() ?? 0), texels: 0)
        }
        if terrain.view != .sky { renderRocks(pixels) }
        if terrain.view == .wheels { renderWheels(pixels) }
        if terrain.view == .circularGround { applyLensShadow(pixels) }
    }

    /// The top row of the ground for every column.
    var groundLine: [Int32] { topRows[2] }

    var baseColor: Color { terrain.hasColor ? Self.groundColor : Self.neutralColor }

    /// Returns the top row of a ridge for every column.
    private func topRow(of ridge: Terrain.Ridge) -> [Int32] {
        let noise = TerrainNoise.shared.valueNoise
        let bend: Float = terrain.view == .wheels ? 0.22 : 0
        return (0..<width).map { column in
            let share = Float(column) / Float(width)
            let noisePosition = Float(ridge.noiseOffset & ~TerrainNoise.mask) + (share * 170 + Float(ridge.noiseOffset & TerrainNoise.mask))
            let (left, part) = (Int(noisePosition), noisePosition - noisePosition.rounded(.down))
            let (one, other) = (Float(noise[left & 0xFFFF]), Float(noise[(left + 1) & 0xFFFF]))
            let hill = (one + (other - one) * part) / 255 - 0.5
            let level = ridge.level - hill * ridge.roughness * 2 + bend * (share - 0.5) * (share - 0.5) * 4
            return Int32(max(0, min(Float(height - 1), level * Float(height))))
        }
    }

    // MARK: Layers, from far to near

    private func renderSky(_ pixels: UnsafeMutableBufferPointer<UInt8>, to end: Int) {
        let noise = TerrainNoise.shared.whiteNoise
        // Sky without ground has coarser grain, for its dust.
        let isAir = terrain.view == .sky
        let fineness: Int32 = isAir ? 4 : 6
        for row in 0..<end {
            let color = sky(at: Float(row) / Float(height))
            for column in 0..<width {
                let light = (Int32(noise[(row &* 73 &+ column) & 0xFFFF]) >> fineness) + (isAir ? sunLight(row, column) : 0)
                setPixel(pixels, (row * width + column) * 3, (color.red + light, color.green + light, color.blue + light))
            }
        }
    }

    /// Returns the added brightness around the sun.
    private func sunLight(_ row: Int, _ column: Int) -> Int32 {
        let (x, y) = (Float(column) / Float(width) - terrain.sun.x, Float(row) / Float(width) - terrain.sun.y * 0.75)
        return Int32(130 / (1 + (x * x + y * y) * 300))
    }

    /// Returns the colour of the sky: butterscotch, paler towards the horizon.
    private func sky(at share: Float) -> Color {
        let pale = min(1, share * 1.6) * terrain.dust
        let light = terrain.light
        if !terrain.hasColor {
            let value = Int32((140 + 50 * pale) * light)
            return (value, value, value)
        }
        return (Int32((168 + 44 * pale) * light), Int32((132 + 44 * pale) * light), Int32((104 + 40 * pale) * light))
    }

    private func renderRidge(_ pixels: UnsafeMutableBufferPointer<UInt8>, below line: [Int32], haze: Float) {
        let valueNoise = TerrainNoise.shared.valueNoise
        let air = sky(at: 0.6)
        let part = Int32(haze * 256)
        let base = baseColor
        let light = Int32(terrain.light * 110)
        let scale = 600 * 256 / width
        for row in Int(line.min() ?? 0)..<height {
            let noise = ((row &* scale &* 2) >> 8 & TerrainNoise.mask) << 8
            for column in 0..<width where row >= line[column] {
                let shade = light + (Int32(valueNoise[noise | (column &* scale) >> 8 & TerrainNoise.mask]) - 128) >> 2
                setPixel(
                    pixels, (row * width + column) * 3,
                    (
                        composited(base.red, shade, air.red, part), composited(base.green, shade, air.green, part),
                        composited(base.blue, shade, air.blue, part)
                    ))
            }
        }
    }

    /// Blends a lit colour with the air in front of it.
    private func composited(_ color: Int32, _ light: Int32, _ air: Int32, _ part: Int32) -> Int32 {
        (lit(color, light) &* (256 - part) &+ air &* part) >> 8
    }

    /// Scales a colour channel.
    ///
    /// - Parameter light: The brightness; 128 does not change the channel.
    func lit(_ color: Int32, _ light: Int32) -> Int32 { (color &* light) >> 7 }

    /// Draws the ground.
    ///
    /// - Parameter texels: The number of noise texels across the width, for ground at a uniform distance; 0 for ground that recedes to the horizon.
    private func renderGround(_ pixels: UnsafeMutableBufferPointer<UInt8>, from first: Int, texels: Float) {
        let noise = TerrainNoise.shared
        let line = groundLine
        let base = baseColor
        let light = Int32(terrain.light * 128)
        for row in first..<height {
            let down = Float(row - first) / Float(max(1, height - first))
            // Near ground is magnified: one pixel covers fewer texels.
            let distance = 1 / (0.025 + down * 1.4)
            let step = Int32((texels > 0 ? texels : distance * 420) * 256 / Float(width))
            let depth = Int(texels > 0 ? Float(row) * texels / Float(width) : distance * 340) &+ terrain.groundNoiseOffset.y
            // Far ground has less contrast.
            let contrast = texels > 0 ? 140 : Int32(min(150, 50 + down * 300))
            let (broadRow, fineRow) = ((depth & TerrainNoise.mask) << 8, (depth &* 4 & TerrainNoise.mask) << 8)
            let sand = row &* 167
            var across = Int32(terrain.groundNoiseOffset.x << 8) &- step &* Int32(width / 2)
            for column in 0..<width {
                across &+= step
                guard texels > 0 || row >= line[column] else { continue }
                let broad = Int32(noise.valueNoise[broadRow | Int(across >> 8) & TerrainNoise.mask]) - 128
                let fine = Int32(noise.valueNoise[fineRow | Int(across >> 6) & TerrainNoise.mask]) - 128
                let grain = Int32(noise.whiteNoise[(sand &+ column) & 0xFFFF]) - 128
                let shade = light + ((broad + fine >> 1) &* contrast) >> 8 + grain >> (texels > 0 ? 4 : 3)
                setPixel(pixels, (row * width + column) * 3, (lit(base.red, shade), lit(base.green, shade), lit(base.blue, shade)))
            }
        }
    }

    func setPixel(_ pixels: UnsafeMutableBufferPointer<UInt8>, _ offset: Int, _ color: Color) {
        pixels[offset] = UInt8(truncatingIfNeeded: max(0, min(255, color.red)))
        pixels[offset + 1] = UInt8(truncatingIfNeeded: max(0, min(255, color.green)))
        pixels[offset + 2] = UInt8(truncatingIfNeeded: max(0, min(255, color.blue)))
    }
}
