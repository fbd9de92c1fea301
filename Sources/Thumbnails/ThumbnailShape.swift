/// Which part of a picture a thumbnail shows, and how large; none is ever larger than its picture.
package enum ThumbnailShape: Hashable, Sendable {
    /// The middle of the picture as a square of this side, in pixels.
    case square(Int)
    /// All of the picture, within this width and height in pixels.
    case within(PixelSize)

    /// The part of a picture that is taken, and the size it is brought to.
    struct Plan: Hashable, Sendable {
        let crop: PixelRectangle
        let size: PixelSize
    }

    /// What becomes of a picture of a size, which is not empty.
    func plan(for picture: PixelSize) -> Plan {
        switch self {
        case .square(let side):
            let shorter = min(picture.width, picture.height)
            let side = min(max(1, side), shorter)
            let crop = PixelRectangle(
                x: (picture.width - shorter) / 2, y: (picture.height - shorter) / 2, size: PixelSize(width: shorter, height: shorter))
            return Plan(crop: crop, size: PixelSize(width: side, height: side))
        case .within(let bounds):
            return Plan(crop: PixelRectangle(x: 0, y: 0, size: picture), size: picture.fitted(in: bounds))
        }
    }

    /// The shape in the file of a picture that is shown so.
    func turned(by orientation: PictureOrientation) -> ThumbnailShape {
        switch self {
        case .within(let bounds) where orientation.isTransposed: .within(bounds.transposed)
        case .square, .within: self
        }
    }

    /// Whether a picture that was read at a smaller size is still large enough for the thumbnail of the whole one.
    func isServed(by read: PixelSize, insteadOf picture: PixelSize) -> Bool {
        let needed = plan(for: picture).size
        switch self {
        case .square: return min(read.width, read.height) >= needed.width
        case .within: return read.width >= needed.width && read.height >= needed.height
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
    /// - Throws: `PictureError.noPixels`, `.tooManyPixels`
    func checked(limit: Int = Self.pixelLimit) throws(PictureError) -> PixelSize {
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
