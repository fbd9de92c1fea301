import Testing

@testable import MarsPhotos

/// Detection of image formats and errors.
@Suite struct MarsImageTests {
    @Test func `A file that ends after the name of its format has no image`() {
        #expect(throws: MarsImageError.malformed("the image data is missing")) { try MarsImage(Array("RIFF\0\0\0\0WEBP".utf8)) }
    }

    @Test(arguments: [
        (ImageFiles.jpeg, MarsImage.Format.jpeg), (ImageFiles.png(), .png), (ImageFiles.gif, .gif), (ImageFiles.webp, .webp),
    ])
    func `A format is detected by its content`(bytes: [UInt8], format: MarsImage.Format) throws {
        let image = try MarsImage(bytes)

        #expect(image.format == format)
        #expect((image.width, image.height) == (3, 2))
        #expect(image.bytes == bytes)
    }

    @Test func `Sizes in GIF and WebP files have their least significant byte first`() throws {
        var (gif, webp) = (ImageFiles.gif, ImageFiles.webp)
        gif.replaceSubrange(6..<10, with: [0x02, 0x01, 0x04, 0x03])
        webp.replaceSubrange(24..<30, with: [0x03, 0x02, 0x01, 0x04, 0x03, 0x00])

        let (gifImage, webpImage) = (try MarsImage(gif), try MarsImage(webp))

        #expect((gifImage.width, gifImage.height) == (0x0102, 0x0304))
        // WebP files have the sizes minus 1.
        #expect((webpImage.width, webpImage.height) == (0x010203 + 1, 0x0304 + 1))
    }

    @Test(arguments: [(0, false), (1, false), (4, false), (5, true), (6, true), (8, true), (9, false)] as [(UInt8, Bool)])
    func `The size of an image follows its orientation`(orientation: UInt8, isTurned: Bool) throws {
        let directory: [UInt8] = [0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0, 0, 0, 0, 0]
        let exif: [UInt8] = Array("Exif\0\0MM".utf8) + [0, 42, 0, 0, 0, 8] + directory
        let segment: [UInt8] = [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif

        let image = try MarsImage(Array(ImageFiles.jpeg.prefix(2)) + segment + ImageFiles.jpeg.dropFirst(2))

        #expect((image.width, image.height) == (isTurned ? (2, 3) : (3, 2)))
    }

    @Test(arguments: [ImageFiles.jpeg, ImageFiles.png(), ImageFiles.gif, ImageFiles.webp])
    func `A truncated image is an error`(bytes: [UInt8]) {
        for length in 0..<bytes.count {
            #expect(throws: MarsImageError.self) { try MarsImage(Array(bytes.prefix(length))) }
        }
        #expect(throws: MarsImageError.truncated) { try MarsImage(Array(bytes.dropLast())) }
    }

    @Test func `Trailing bytes are ignored`() throws {
        #expect(try MarsImage(ImageFiles.jpeg + [0, 0, 0]).format == .jpeg)
        #expect(try MarsImage(ImageFiles.png() + [0, 0, 0]).format == .png)
    }

    @Test(arguments: [
        (Array("<!DOCTYPE html><html>".utf8), MarsImageError.webPage), (Array("\n\n <html>".utf8), .webPage), ([], .empty),
        (Array(#"{"errors":"none"}"#.utf8), .unknownFormat), (Array("BM6".utf8), .unknownFormat),
    ])
    func `Content that is not an image is reported by its kind`(bytes: [UInt8], error: MarsImageError) {
        #expect(throws: error) { try MarsImage(bytes) }
    }

    @Test func `An image with too many pixels is refused`() {
        #expect(throws: MarsImageError.tooManyPixels(limit: MarsImage.pixelLimit)) {
            try MarsImage(ImageFiles.png(width: 50_000, height: 50_000))
        }
        #expect(throws: MarsImageError.malformed("the image has no pixels")) { try MarsImage(ImageFiles.png(width: 0)) }
    }

    @Test func `An image that is too long is refused`() {
        #expect(throws: MarsImageError.tooLong(limit: MarsImage.sizeLimit)) {
            try MarsImage(ImageFiles.jpeg + Array(repeating: 0, count: MarsImage.sizeLimit))
        }
    }

    @Test func `Corrupted bytes give an image or an error`() {
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
