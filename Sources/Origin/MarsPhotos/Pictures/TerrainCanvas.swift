/// Draws a terrain at one size: sky, hills, ground, stones, and what the camera adds.
struct TerrainCanvas {
    /// Red, green, blue; from 0 to 255, in sixteenths where many are added up.
    typealias Color = (red: Int32, green: Int32, blue: Int32)

    let terrain: Terrain
    let width: Int
    let height: Int
    /// For each column, where each ridge begins; the last one is that of the ground.
    private var skylines: [[Int32]] = []

    private static let soil: Color = (186, 118, 76)
    private static let grey: Color = (150, 150, 150)

    init(_ terrain: Terrain, width: Int, height: Int) {
        self.terrain = terrain
        self.width = width
        self.height = height
        skylines = terrain.ridges.map(skyline)
    }

    mutating func draw(on pixels: UnsafeMutableBufferPointer<UInt8>) {
        switch terrain.view {
        case .sky: drawSky(pixels, to: height)
        case .ground, .telescope: drawGround(pixels, from: 0, closeness: terrain.view == .ground ? 10 : 4)
        case .landscape, .greyLandscape, .wheels:
            drawSky(pixels, to: height)
            for (ridge, line) in zip(terrain.ridges, skylines).dropLast() { drawHills(pixels, below: line, haze: ridge.haze) }
            drawGround(pixels, from: Int(skylines[2].min() ?? 0), closeness: 0)
        }
        if terrain.view != .sky { drawRocks(pixels) }
        if terrain.view == .wheels { drawWheels(pixels) }
        if terrain.view == .telescope { cutOut(pixels) }
    }

    var soil: Color { terrain.isGrey ? Self.grey : Self.soil }

    /// Where a line of hills begins in each column.
    private func skyline(of ridge: Terrain.Ridge) -> [Int32] {
        let noise = TerrainNoise.shared.relief
        let bend: Float = terrain.view == .wheels ? 0.22 : 0
        return (0..<width).map { column in
            let share = Float(column) / Float(width)
            let place = Float(ridge.start & ~TerrainNoise.mask) + (share * 170 + Float(ridge.start & TerrainNoise.mask))
            let (left, part) = (Int(place), place - place.rounded(.down))
            let (one, other) = (Float(noise[left & 0xFFFF]), Float(noise[(left + 1) & 0xFFFF]))
            let hill = (one + (other - one) * part) / 255 - 0.5
            let level = ridge.level - hill * ridge.roughness * 2 + bend * (share - 0.5) * (share - 0.5) * 4
            return Int32(max(0, min(Float(height - 1), level * Float(height))))
        }
    }

    // MARK: From far to near

    private func drawSky(_ pixels: UnsafeMutableBufferPointer<UInt8>, to end: Int) {
        let grain = TerrainNoise.shared.grain
        let (sunX, sunY) = (terrain.sun.x * Float(width), terrain.sun.y * Float(height))
        let glow = 22_000 / Float(width)
        for row in 0..<end {
            let color = sky(at: Float(row) / Float(height))
            for column in 0..<width {
                let distance = (Float(column) - sunX) * (Float(column) - sunX) + (Float(row) - sunY) * (Float(row) - sunY)
                let halo = terrain.view == .sky ? Int32(min(120, 6_000_000 / (distance + 40_000)) * glow / 22) : 0
                let speck = Int32(grain[(row &* 73 &+ column) & 0xFFFF] >> 6)
                put(pixels, (row * width + column) * 3, (color.red + halo + speck, color.green + halo + speck, color.blue + halo + speck))
            }
        }
    }

    /// Butterscotch, paler towards the horizon.
    private func sky(at share: Float) -> Color {
        let pale = min(1, share * 1.6) * terrain.dust
        let light = terrain.light
        if terrain.isGrey {
            let value = Int32((140 + 50 * pale) * light)
            return (value, value, value)
        }
        return (Int32((168 + 44 * pale) * light), Int32((132 + 44 * pale) * light), Int32((104 + 40 * pale) * light))
    }

    private func drawHills(_ pixels: UnsafeMutableBufferPointer<UInt8>, below line: [Int32], haze: Float) {
        let relief = TerrainNoise.shared.relief
        let air = sky(at: 0.6)
        let part = Int32(haze * 256)
        let base = soil
        let light = Int32(terrain.light * 200)
        for row in Int(line.min() ?? 0)..<height {
            for column in 0..<width where row >= line[column] {
                let shade = (light + Int32(relief[(row &* 1_024 &+ column &* 2) & 0xFFFF]) - 128) >> 1 + 60
                let place = (row * width + column) * 3
                put(
                    pixels, place,
                    (
                        (base.red &* shade >> 7 &* (256 - part) + air.red &* part) >> 8,
                        (base.green &* shade >> 7 &* (256 - part) + air.green &* part) >> 8,
                        (base.blue &* shade >> 7 &* (256 - part) + air.blue &* part) >> 8
                    ))
            }
        }
    }

    /// - Parameter closeness: How near all of the ground is; 0 for ground that comes from the horizon.
    private func drawGround(_ pixels: UnsafeMutableBufferPointer<UInt8>, from first: Int, closeness: Float) {
        let noise = TerrainNoise.shared
        let line = skylines[2]
        let base = soil
        let light = Int32(terrain.light * 128)
        for row in first..<height {
            let down = Float(row - first) / Float(max(1, height - first))
            // What is near is large: a step to the right leads less far in the noise.
            let distance = closeness > 0 ? 1 / closeness : 1 / (0.02 + down * 1.4)
            let step = Int32(distance * 256 * 900 / Float(width))
            let depth = closeness > 0 ? down * 40 / closeness * 10 : distance * 60
            let rowStart = (Int(depth) &+ terrain.ground.y) & TerrainNoise.mask
            let fineStart = row &* 167
            var across = Int32(terrain.ground.x << 8) &- step &* Int32(width / 2)
            for column in 0..<width {
                across &+= step
                guard closeness > 0 || row >= line[column] else { continue }
                let broad = Int32(noise.relief[rowStart << 8 | Int(across >> 8) & TerrainNoise.mask])
                let fine = Int32(noise.grain[(fineStart &+ column) & 0xFFFF])
                let shade = light + (broad - 128) >> 1 + (fine - 128) >> 3
                let place = (row * width + column) * 3
                put(pixels, place, (base.red &* shade >> 7, base.green &* shade >> 7, base.blue &* shade >> 7))
            }
        }
    }

    func put(_ pixels: UnsafeMutableBufferPointer<UInt8>, _ place: Int, _ color: Color) {
        pixels[place] = UInt8(truncatingIfNeeded: max(0, min(255, color.red)))
        pixels[place + 1] = UInt8(truncatingIfNeeded: max(0, min(255, color.green)))
        pixels[place + 2] = UInt8(truncatingIfNeeded: max(0, min(255, color.blue)))
    }
}
