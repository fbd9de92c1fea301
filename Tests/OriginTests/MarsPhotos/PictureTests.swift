import Testing

@testable import Origin

/// Drawn pictures, and the names that they have.
@Suite("Pictures of Mars")
struct PictureTests {
    private func picture(_ camera: MarsCamera, rover: MarsRover = .curiosity, place: Int = 0) -> MarsPicture {
        MarsPicture(rover, sol: 1_000, camera, place)
    }

    @Test func `A picture is found by its name`() throws {
        for picture in [picture(.fhaz, place: 3), picture(.frontHazcamLeft, rover: .perseverance).small] {
            let parts = picture.path.split(separator: "/")
            #expect(MarsPicture(rover: parts[0], sol: parts[1], fileName: parts[2]) == picture)
        }
    }

    @Test(arguments: [MarsCamera.mast, .navcam, .fhaz, .mahli, .chemcam])
    func `A photo takes between 40 and 200 KB`(camera: MarsCamera) {
        let file = PictureFile(picture(camera), seed: 1)

        #expect(file.mediaType == "image/jpeg")
        #expect(file.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && file.bytes.suffix(2) == [0xFF, 0xD9])
        #expect((40_000...200_000).contains(file.bytes.count), "\(camera) takes \(file.bytes.count) bytes")
    }

    @Test func `Some pictures are PNG, whatever their names say`() throws {
        let places = (0..<80).filter { picture(.mast, place: $0).isPNG }
        let file = PictureFile(picture(.mast, place: try #require(places.first)), seed: 1)

        #expect(places.count == 2)
        #expect(file.mediaType == "image/png")
        #expect(file.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) && (40_000...200_000).contains(file.bytes.count))
    }

    @Test func `Pictures are as large as was said, and have something to see`() {
        for camera in [MarsCamera.mast, .fhaz, .skycam, .supercam, .watson] {
            let image = picture(camera).terrain(seed: 1).drawn(width: 64, height: 48)
            #expect(image.pixels.count == 64 * 48 * 3)
            #expect(Set(image.pixels).count > 20)
        }
    }

    @Test func `A grey camera has no colours`() {
        let pixels = picture(.navcam).terrain(seed: 1).drawn(width: 64, height: 48).pixels
        for place in stride(from: 0, to: pixels.count, by: 3) { #expect(Set(pixels[place..<place + 3]).count == 1) }
    }
}
