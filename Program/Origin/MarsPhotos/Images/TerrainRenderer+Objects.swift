// Rocks, the wheels of the rover, and the shadow of a lens. Noise is read at another offset in each row, so that no columns are visible.
extension TerrainRenderer {
    /// Renders the rocks from far to near: smaller towards the horizon, or of their own size on ground at a uniform distance.
    func renderRocks(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        let isClose = terrain.view == .ground || terrain.view == .circularGround
        let line = groundLine
        for rock in terrain.rocks {
            let column = max(0, min(width - 1, Int(rock.x * Float(width))))
            let horizon = isClose ? 0 : Float(line[column]) / Float(height)
            let middle = (horizon + rock.nearness * (1 - horizon)) * Float(height)
            let scale = isClose ? 1 : 0.1 + rock.nearness * 1.6
            let radius = rock.size * scale * Float(width)
            guard radius >= 1 else { continue }
            renderRock(pixels, x: rock.x * Float(width), y: middle, radius: radius, shade: rock.shade)
        }
    }

    /// Draws a rounded rock lit from the upper left, with its shadow.
    private func renderRock(_ pixels: UnsafeMutableBufferPointer<UInt8>, x: Float, y: Float, radius: Float, shade: Float) {
        let verticalRadius = radius * 0.7
        let rows = rows(from: y - verticalRadius, to: y + verticalRadius * 1.3)
        let columns = columns(from: x - radius, to: x + radius * 1.8)
        let noise = TerrainNoise.shared.whiteNoise
        for row in rows {
            let down = (Float(row) - y) / verticalRadius
            for column in columns {
                let right = (Float(column) - x) / radius
                let offset = (row * width + column) * 3
                if right * right + down * down < 1 {
                    let roughness = Float(noise[(row &* 191 &+ column) & 0xFFFF]) / 255 - 0.5
                    let light = (0.95 - right * 0.45 - down * 0.5 + roughness * 0.25) * shade * terrain.light * 128
                    let value = Int32(light)
                    setPixel(pixels, offset, (lit(baseColor.red, value), lit(baseColor.green, value), lit(baseColor.blue, value)))
                } else if isInShadow(right, down) {
                    dim(pixels, offset, to: 150)
                }
            }
        }
    }

    /// Whether a point is in the shadow of a stone: an ellipse to the lower right of it.
    ///
    /// - Parameters:
    ///   - right: The distance from the center of the stone, in radii.
    ///   - down: The distance from the center, in vertical radii.
    private func isInShadow(_ right: Float, _ down: Float) -> Bool {
        let (x, y) = ((right - 0.7) / 1.1, (down - 0.55) / 0.6)
        return x * x + y * y < 1
    }

    /// Renders two wheels with treads, one at the left and one at the right edge of the image.
    func renderWheels(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        let noise = TerrainNoise.shared.whiteNoise
        for side in [Float(-0.06), 1.06] {
            let (x, y, radius) = (side * Float(width), 0.86 * Float(height), 0.24 * Float(width))
            for row in rows(from: y - radius, to: y + radius) {
                for column in columns(from: x - radius, to: x + radius) {
                    let (right, down) = ((Float(column) - x) / radius, (Float(row) - y) / radius)
                    let distance = right * right + down * down
                    guard distance < 1 else { continue }
                    let isTread = (Int(Float(row) / Float(height) * 90) + Int(distance * 6)) % 4 == 0
                    let value = Int32(isTread ? 42 : 78) + Int32(noise[(row &* 59 &+ column) & 0xFFFF] >> 4)
                    setPixel(pixels, (row * width + column) * 3, (value, value, value))
                }
            }
        }
    }

    /// Darkens the image towards the edge of a circular field of view, and outside of it.
    func applyLensShadow(_ pixels: UnsafeMutableBufferPointer<UInt8>) {
        let (x, y, radius) = (Float(width) / 2, Float(height) / 2, Float(min(width, height)) * 0.49)
        for row in 0..<height {
            for column in 0..<width {
                let (right, down) = ((Float(column) - x) / radius, (Float(row) - y) / radius)
                let distance = right * right + down * down
                dim(pixels, (row * width + column) * 3, to: distance < 1 ? Int32(256 - distance * 110) : 8)
            }
        }
    }

    /// Darkens a pixel.
    ///
    /// - Parameter share: The remaining light, of 256.
    private func dim(_ pixels: UnsafeMutableBufferPointer<UInt8>, _ offset: Int, to share: Int32) {
        for channel in offset..<offset + 3 { pixels[channel] = UInt8(truncatingIfNeeded: (Int32(pixels[channel]) &* share) >> 8) }
    }

    /// Returns the rows of the image between two positions.
    private func rows(from top: Float, to bottom: Float) -> Range<Int> {
        let start = max(0, min(Float(height), top))
        return Int(start)..<Int(max(start, min(Float(height), bottom)))
    }

    /// Returns the columns of the image between two positions.
    private func columns(from left: Float, to right: Float) -> Range<Int> {
        let start = max(0, min(Float(width), left))
        return Int(start)..<Int(max(start, min(Float(width), right)))
    }
}
