import Testing

@testable import Thumbnails

@Suite struct ThumbnailShapeTests {
    struct Case: Sendable {
        let shape: ThumbnailShape
        let picture: PixelSize
        let crop: PixelRectangle
        let size: PixelSize

        init(_ shape: ThumbnailShape, _ width: Int, _ height: Int, crop: (x: Int, y: Int, width: Int, height: Int), size: (Int, Int)) {
            self.shape = shape
            picture = PixelSize(width: width, height: height)
            self.crop = PixelRectangle(x: crop.x, y: crop.y, size: PixelSize(width: crop.width, height: crop.height))
            self.size = PixelSize(width: size.0, height: size.1)
        }
    }

    @Test(arguments: [
        Case(.square(100), 400, 200, crop: (100, 0, 200, 200), size: (100, 100)),
        Case(.square(100), 60, 90, crop: (0, 15, 60, 60), size: (60, 60)),
        Case(.within(PixelSize(width: 100, height: 100)), 300, 200, crop: (0, 0, 300, 200), size: (100, 67)),
        Case(.within(PixelSize(width: 100, height: 50)), 10_000, 1, crop: (0, 0, 10_000, 1), size: (100, 1)),
        Case(.within(PixelSize(width: 500, height: 500)), 30, 20, crop: (0, 0, 30, 20), size: (30, 20)),
    ])
    func aShapeSaysWhatIsTakenAndHowLargeItGets(_ given: Case) {
        #expect(given.shape.plan(for: given.picture) == ThumbnailShape.Plan(crop: given.crop, size: given.size))
    }

    @Test func aPictureReadSmallerServesWhenNothingHasToGrow() {
        let picture = PixelSize(width: 1_024, height: 768)

        #expect(ThumbnailShape.square(320).isServed(by: PixelSize(width: 512, height: 384), insteadOf: picture))
        #expect(!ThumbnailShape.square(320).isServed(by: PixelSize(width: 256, height: 192), insteadOf: picture))
    }

    @Test func aPixelIsTheMeanOfWhatItCovers() {
        let greys: [UInt8] = [0, 90, 30, 60, 30, 90]
        let map = PixelMap(size: PixelSize(width: 3, height: 2), bytes: greys.flatMap { [$0, $0, $0] })

        let small = map.scaled(PixelRectangle(x: 0, y: 0, size: map.size), to: PixelSize(width: 2, height: 1))

        // One pixel and half of the next, in both lines.
        #expect(small.bytes == [40, 40, 40, 60, 60, 60])
    }
}
