import SeededNumbers

/// The scene and the optics of a camera.
enum TerrainView: Sendable {
    /// Hills in colour.
    case landscape
    case landscapeWithoutColor
    /// The ground in front of the wheels, through a fisheye lens.
    case wheels
    /// A close-up of the ground.
    case ground
    /// Ground with rocks in a circular field of view.
    case circularGround
    /// Dust and the sun.
    case sky
}

/// The parameters of one photo's scene: equal parameters produce the same image at every size.
struct Terrain: Sendable {
    /// A ridge of hills.
    struct Ridge: Sendable {
        /// The mean distance of the ridge line from the top, as a fraction of the height.
        let level: Float
        /// The amplitude of its hills, as a fraction of the height.
        let roughness: Float
        /// The start of its shape in the noise.
        let noiseOffset: Int
        /// The density of the haze in front of it, from 0 to 1.
        let haze: Float
    }

    /// A rock on the ground.
    struct Rock: Sendable {
        /// The vertical position, from 0 at the horizon to 1 at the bottom.
        let nearness: Float
        /// The horizontal position, from 0 at the left to 1 at the right.
        let x: Float
        /// The radius as a fraction of the width, before scaling by distance.
        let size: Float
        let shade: Float
    }

    let view: TerrainView
    let ridges: [Ridge]
    /// The rocks from far to near.
    let rocks: [Rock]
    /// The origin of the ground texture in the noise.
    let groundNoiseOffset: (x: Int, y: Int)
    /// The overall brightness, around 1.
    let light: Float
    /// The amount of dust in the air, around 1.
    let dust: Float
    /// The position of the sun, as fractions of width and height.
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

    /// Whether the image is in colour instead of greyscale.
    var hasColor: Bool { ![.landscapeWithoutColor, .wheels, .circularGround].contains(view) }

    func rendered(width: Int, height: Int) -> PixelImage {
        var image = PixelImage(width: width, height: height)
        var renderer = TerrainRenderer(self, width: width, height: height)
        image.change { renderer.render(on: $0) }
        return image
    }
}

private func pow4(_ value: Float) -> Float { value * value * value * value }
