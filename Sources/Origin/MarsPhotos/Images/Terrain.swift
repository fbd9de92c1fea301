/// What a camera looks at, and how.
enum TerrainView: Sendable {
    /// Hills in colour.
    case landscape
    case greyLandscape
    /// The ground before the wheels, through a very wide lens.
    case wheels
    /// The ground from close by.
    case ground
    /// A far rock in a round field.
    case telescope
    /// Dust and the sun.
    case sky
}

/// A piece of Mars as one photo shows it, drawn from a few numbers: the same numbers make the same picture at every size.
struct Terrain: Sendable {
    /// One line of hills, from the far ones to the near ones.
    struct Ridge: Sendable {
        /// Where it lies on the whole, as a share of the height from above.
        let level: Float
        /// How high its hills are, as a share of the height.
        let roughness: Float
        /// Where its shape begins in the noise.
        let noiseOffset: Int
        /// How much of the air lies before it, from 0 to 1.
        let haze: Float
    }

    /// A stone on the ground.
    struct Rock: Sendable {
        /// From 0 at the horizon to 1 at the feet.
        let nearness: Float
        /// From 0 at the left to 1.
        let x: Float
        /// As a share of the width, at the feet.
        let size: Float
        let shade: Float
    }

    let view: TerrainView
    let ridges: [Ridge]
    /// From the far ones to the near ones.
    let rocks: [Rock]
    /// Where the texture of the ground begins in the noise.
    let groundNoiseOffset: (x: Int, y: Int)
    /// How bright it is on the whole, around 1: the time of day.
    let light: Float
    /// How much dust is in the air, around 1.
    let dust: Float
    /// Where the sun stands, as shares of width and height.
    let sun: (x: Float, y: Float)

    init(_ view: TerrainView, using generator: inout SplitMix64) {
        func random(_ range: ClosedRange<Float>) -> Float {
            range.lowerBound + Float(generator.nextDouble()) * (range.upperBound - range.lowerBound)
        }
        self.view = view
        let horizon = random(0.28...0.46)
        ridges = (0..<3).map { index in
            Ridge(
                level: horizon + Float(index) * random(0.02...0.05), roughness: random(0.05...0.2) / Float(index + 1),
                noiseOffset: generator.integer(in: 0...TerrainNoise.side * TerrainNoise.side - 1), haze: 0.55 - Float(index) * 0.22)
        }
        let count = generator.integer(in: view == .ground ? 60...160 : 25...110)
        rocks = (0..<count)
            .map { _ in
                let nearness = random(0.02...1)
                return Rock(
                    nearness: nearness * nearness, x: random(-0.02...1.02), size: random(0.004...0.03) + pow4(random(0...0.5)),
                    shade: random(0.55...1.1))
            }
            .sorted { $0.nearness < $1.nearness }
        groundNoiseOffset = (generator.integer(in: 0...TerrainNoise.mask), generator.integer(in: 0...TerrainNoise.mask))
        light = random(0.78...1.12)
        dust = random(0.7...1.3)
        sun = (random(0.1...0.9), random(0.08...0.6))
    }

    /// Whether it has no colours.
    var isGrey: Bool { [.greyLandscape, .wheels, .telescope].contains(view) }

    func rendered(width: Int, height: Int) -> TerrainImage {
        var image = TerrainImage(width: width, height: height)
        var canvas = TerrainCanvas(self, width: width, height: height)
        image.change { canvas.draw(on: $0) }
        return image
    }
}

private func pow4(_ value: Float) -> Float { value * value * value * value }

/// Three bytes a pixel: red, green, blue; row by row from above.
struct TerrainImage: Sendable {
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
