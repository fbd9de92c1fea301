import Testing

@testable import MarsPhotos

/// What bytes are a photo, and what is wrong with those that are not.
@Suite struct MarsImageTests {
    @Test(arguments: [
        (ImageFiles.jpeg, MarsImage.Format.jpeg), (ImageFiles.png(), .png), (ImageFiles.gif, .gif), (ImageFiles.webp, .webp),
    ])
    func `A format is known by its content`(bytes: [UInt8], format: MarsImage.Format) throws {
        let image = try MarsImage(bytes)

        #expect(image.format == format)
        #expect((image.width, image.height) == (3, 2))
        #expect(image.bytes == bytes)
    }

    @Test(arguments: [ImageFiles.jpeg, ImageFiles.png(), ImageFiles.gif, ImageFiles.webp])
    func `An image that is cut off anywhere is none`(bytes: [UInt8]) {
        for length in 0..<bytes.count {
            #expect(throws: MarsImageError.self) { try MarsImage(Array(bytes.prefix(length))) }
        }
        #expect(throws: MarsImageError.truncated) { try MarsImage(Array(bytes.dropLast())) }
    }

    @Test func `Bytes behind the end do no harm`() throws {
        #expect(try MarsImage(ImageFiles.jpeg + [0, 0, 0]).format == .jpeg)
        #expect(try MarsImage(ImageFiles.png() + [0, 0, 0]).format == .png)
    }

    @Test(arguments: [
        (Array("<!DOCTYPE html><html>".utf8), MarsImageError.webPage), (Array("\n\n <html>".utf8), .webPage), ([], .empty),
        (Array(#"{"errors":"none"}"#.utf8), .unknownFormat), (Array("BM6".utf8), .unknownFormat),
    ])
    func `What is no image says what it is`(bytes: [UInt8], error: MarsImageError) {
        #expect(throws: error) { try MarsImage(bytes) }
    }

    @Test func `An image that would unpack to endless pixels is refused`() {
        #expect(throws: MarsImageError.tooManyPixels(limit: MarsImage.pixelLimit)) {
            try MarsImage(ImageFiles.png(width: 50_000, height: 50_000))
        }
        #expect(throws: MarsImageError.malformed("it has no pixels")) { try MarsImage(ImageFiles.png(width: 0)) }
    }

    @Test func `An image that is too long is refused`() {
        #expect(throws: MarsImageError.tooLong(limit: MarsImage.sizeLimit)) {
            try MarsImage(ImageFiles.jpeg + Array(repeating: 0, count: MarsImage.sizeLimit))
        }
    }

    @Test func `Changed bytes never do harm`() {
        for file in [ImageFiles.jpeg, ImageFiles.png(), ImageFiles.webp] {
            for place in file.indices {
                for value in [0, 0x7F, 0xFF] as [UInt8] {
                    var bytes = file
                    bytes[place] = value
                    if let image = try? MarsImage(bytes) { #expect(image.width * image.height <= MarsImage.pixelLimit) }
                }
            }
        }
    }
}
