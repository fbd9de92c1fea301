/// The part of an image that a thumbnail shows, and its size; a thumbnail is never larger than its image.
package enum ThumbnailGeometry: Hashable, Sendable {
    /// The central square of the image with this side length, in pixels.
    case centerSquare(Int)
    /// The whole image, within this width and height in pixels.
    case scaledToFit(PixelSize)

    /// The cropped part of an image and its target size.
    struct Plan: Hashable, Sendable {
        let crop: PixelRegion
        let size: PixelSize
    }

    /// Returns the plan for a non-empty image of a size.
    func plan(for imageSize: PixelSize) -> Plan {
        switch self {
        case .centerSquare(let side):
            let shorter = min(imageSize.width, imageSize.height)
            let side = min(max(1, side), shorter)
            let crop = PixelRegion(
                x: (imageSize.width - shorter) / 2, y: (imageSize.height - shorter) / 2, size: PixelSize(width: shorter, height: shorter))
            return Plan(crop: crop, size: PixelSize(width: side, height: side))
        case .scaledToFit(let bounds):
            return Plan(crop: PixelRegion(x: 0, y: 0, size: imageSize), size: imageSize.scaledDown(in: bounds))
        }
    }

    /// Returns the geometry in the stored orientation of an image.
    func applying(_ orientation: ImageOrientation) -> ThumbnailGeometry {
        switch self {
        case .scaledToFit(let bounds) where orientation.isTransposed: .scaledToFit(bounds.transposed)
        case .centerSquare, .scaledToFit: self
        }
    }

    /// Whether an image decoded at a reduced size suffices for the thumbnail of the original.
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

    /// The maximum number of pixels of a decoded image; larger ones are refused before memory is allocated.
    package static let pixelLimit = 32 << 20
    /// The maximum width and height of a decoded image.
    package static let sideLimit = 65_500

    var count: Int { width * height }

    /// The size with width and height exchanged.
    var transposed: PixelSize { PixelSize(width: height, height: width) }

    /// Returns the size if it is within the limits.
    ///
    /// - Parameter limit: The maximum number of pixels.
    /// - Throws: `ImageDecodingError.noPixels`, `.tooManyPixels`
    func validated(limit: Int = Self.pixelLimit) throws(ImageDecodingError) -> PixelSize {
        guard width > 0, height > 0 else { throw .noPixels }
        guard width <= Self.sideLimit, height <= Self.sideLimit, count <= limit else { throw .tooManyPixels(self) }
        return self
    }

    /// Returns the largest size of the same proportions within bounds, never larger than this one.
    fileprivate func scaledDown(in bounds: PixelSize) -> PixelSize {
        let scale = min(1, min(Double(max(1, bounds.width)) / Double(width), Double(max(1, bounds.height)) / Double(height)))
        return PixelSize(width: max(1, Int((Double(width) * scale).rounded())), height: max(1, Int((Double(height) * scale).rounded())))
    }
}

/// A rectangle in an image, in pixels from its upper left corner.
struct PixelRegion: Hashable, Sendable {
    let x: Int
    let y: Int
    let size: PixelSize
}
