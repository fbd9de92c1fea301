/// Which part of a picture a thumbnail shows, and how large; none is ever larger than its picture.
package enum ThumbnailGeometry: Hashable, Sendable {
    /// The middle of the picture as a square of this side, in pixels.
    case centerSquare(Int)
    /// All of the picture, within this width and height in pixels.
    case scaledToFit(PixelSize)

    /// The part of a picture that is taken, and the size it is brought to.
    struct Plan: Hashable, Sendable {
        let crop: PixelRectangle
        let size: PixelSize
    }

    /// What becomes of a picture of a size, which is not empty.
    func plan(for imageSize: PixelSize) -> Plan {
        switch self {
        case .centerSquare(let side):
            let shorter = min(imageSize.width, imageSize.height)
            let side = min(max(1, side), shorter)
            let crop = PixelRectangle(
                x: (imageSize.width - shorter) / 2, y: (imageSize.height - shorter) / 2, size: PixelSize(width: shorter, height: shorter))
            return Plan(crop: crop, size: PixelSize(width: side, height: side))
        case .scaledToFit(let bounds):
            return Plan(crop: PixelRectangle(x: 0, y: 0, size: imageSize), size: imageSize.fitted(in: bounds))
        }
    }

    /// The shape in the file of a picture that is shown so.
    func oriented(by orientation: ImageOrientation) -> ThumbnailGeometry {
        switch self {
        case .scaledToFit(let bounds) where orientation.isTransposed: .scaledToFit(bounds.transposed)
        case .centerSquare, .scaledToFit: self
        }
    }

    /// Whether a picture that was read at a smaller size is still large enough for the thumbnail of the whole one.
    func isSatisfied(by decoded: PixelSize, insteadOf original: PixelSize) -> Bool {
        let needed = plan(for: original).size
        switch self {
        case .centerSquare: return min(decoded.width, decoded.height) >= needed.width
        case .scaledToFit: return decoded.width >= needed.width && decoded.height >= needed.height
        }
    }
}

/// A width and a height in pixels.
package struct PixelSize: Hashable, Sendable {
    package let width: Int
    package let height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    /// The most pixels that a picture is read at; what claims more is refused before anything is made room for.
    package static let pixelLimit = 32 << 20
    /// The longest side of a picture that is read.
    package static let sideLimit = 65_500

    var count: Int { width * height }

    /// Width and height in each other's place.
    var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// - Parameter limit: The most pixels.
    /// - Throws: `ImageDecodingError.noPixels`, `.tooManyPixels`
    func validated(limit: Int = Self.pixelLimit) throws(ImageDecodingError) -> PixelSize {
        guard width > 0, height > 0 else { throw .noPixels }
        guard width <= Self.sideLimit, height <= Self.sideLimit, count <= limit else { throw .tooManyPixels(self) }
        return self
    }

    /// The largest size of the same proportions within bounds; never larger than this one.
    fileprivate func fitted(in bounds: PixelSize) -> PixelSize {
        let scale = min(1, min(Double(max(1, bounds.width)) / Double(width), Double(max(1, bounds.height)) / Double(height)))
        return PixelSize(width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded())))
    }
}

/// A part of a picture, in pixels from its upper left corner.
struct PixelRectangle: Hashable, Sendable {
    let x: Int
    let y: Int
    let size: PixelSize
}
