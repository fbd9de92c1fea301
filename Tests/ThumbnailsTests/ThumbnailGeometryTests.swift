import Testing

@testable import Thumbnails

@Suite struct ThumbnailGeometryTests {
    struct Case: Sendable {
        let geometry: ThumbnailGeometry
        let imageSize: PixelSize
        let crop: PixelRegion
        let size: PixelSize

        init(_ shape: ThumbnailGeometry, _ width: Int, _ height: Int, crop: (x: Int, y: Int, width: Int, height: Int), size: (Int, Int)) {
            self.geometry = shape
            imageSize = PixelSize(width: width, height: height)
            self.crop = PixelRegion(x: crop.x, y: crop.y, size: PixelSize(width: crop.width, height: crop.height))
            self.size = PixelSize(width: size.0, height: size.1)
        }
    }

    @Test(arguments: [
        Case(.centerSquare(100), 400, 200, crop: (100, 0, 200, 200), size: (100, 100)),
        Case(.centerSquare(100), 60, 90, crop: (0, 15, 60, 60), size: (60, 60)),
        Case(.scaledToFit(PixelSize(width: 100, height: 100)), 300, 200, crop: (0, 0, 300, 200), size: (100, 67)),
        Case(.scaledToFit(PixelSize(width: 100, height: 50)), 10_000, 1, crop: (0, 0, 10_000, 1), size: (100, 1)),
        Case(.scaledToFit(PixelSize(width: 500, height: 500)), 30, 20, crop: (0, 0, 30, 20), size: (30, 20)),
    ])
    func `A geometry gives the crop and the size of a thumbnail`(_ given: Case) {
        #expect(given.geometry.plan(for: given.imageSize) == ThumbnailGeometry.Plan(crop: given.crop, size: given.size))
    }

    @Test func `A reduced image is sufficient if it need not be enlarged`() {
        let image = PixelSize(width: 1_024, height: 768)

        #expect(ThumbnailGeometry.centerSquare(320).isSatisfied(by: PixelSize(width: 512, height: 384), insteadOf: image))
        #expect(!ThumbnailGeometry.centerSquare(320).isSatisfied(by: PixelSize(width: 256, height: 192), insteadOf: image))
    }

    @Test func `A scaled pixel is the mean of the area that it covers`() {
        let grays: [UInt8] = [0, 90, 30, 60, 30, 90]
        let map = PixelMap(size: PixelSize(width: 3, height: 2), bytes: grays.flatMap { [$0, $0, $0] })

        let small = map.scaled(PixelRegion(x: 0, y: 0, size: map.size), to: PixelSize(width: 2, height: 1))

        // One pixel and half of the next, in both rows.
        #expect(small.bytes == [40, 40, 40, 60, 60, 60])
    }
}
