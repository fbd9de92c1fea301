import Testing

@testable import Origin

/// Rendered images and their names.
@Suite("Mars images")
struct PhotoImageTests {
    private func image(_ camera: MarsCamera, rover: MarsRover = .curiosity, index: Int = 0) -> PhotoImage {
        PhotoImage(rover, sol: 1_000, camera, index)
    }

    @Test func `An image is found by its name`() throws {
        for image in [image(.fhaz, index: 3), image(.frontHazcamLeft, rover: .perseverance).small] {
            let parts = image.path.split(separator: "/")
            #expect(PhotoImage(rover: parts[0], sol: parts[1], fileName: parts[2]) == image)
        }
    }

    @Test(arguments: [MarsCamera.mast, .navcam, .fhaz, .mahli, .chemcam])
    func `A photo takes between 40 and 200 KB`(camera: MarsCamera) {
        let file = ImageFile(image(camera), seed: 1)

        #expect(file.mediaType == "image/jpeg")
        #expect(file.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && file.bytes.suffix(2) == [0xFF, 0xD9])
        #expect((40_000...200_000).contains(file.bytes.count), "\(camera) takes \(file.bytes.count) bytes")
    }

    @Test func `Some images are PNG regardless of their names`() throws {
        let indices = (0..<80).filter { image(.mast, index: $0).isPNG }
        let file = ImageFile(image(.mast, index: try #require(indices.first)), seed: 1)

        #expect(indices.count == 2)
        #expect(file.mediaType == "image/png")
        #expect(file.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && (40_000...200_000).contains(file.bytes.count))
    }

    @Test func `Images have the documented size and are not blank`() {
        for camera in [MarsCamera.mast, .fhaz, .skycam, .supercam, .watson] {
            let image = image(camera).terrain(seed: 1).rendered(width: 64, height: 48)
            #expect(image.pixels.count == 64 * 48 * 3)
            #expect(Set(image.pixels).count > 20)
        }
    }

    @Test func `A grey camera has no colours`() {
        let pixels = image(.navcam).terrain(seed: 1).rendered(width: 64, height: 48).pixels
        for place in stride(from: 0, to: pixels.count, by: 3) { #expect(Set(pixels[place..<place + 3]).count == 1) }
    }
}
