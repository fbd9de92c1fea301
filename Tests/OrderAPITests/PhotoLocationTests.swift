import Testing

@testable import OrderAPI

@Suite("Locations in photos")
struct PhotoLocationTests {
    @Test(arguments: [false, true])
    func `GPS fields of a JPEG are overwritten, and its orientation stays`(isBigEndian: Bool) {
        let exif = SamplePhotos.exif(isBigEndian: isBigEndian)
        let photo = SamplePhotos.jpeg(exif: exif)

        let cleaned = PhotoLocation.removed(from: photo)

        let start = photo.count - SamplePhotos.jpeg().count + 2 - exif.count
        #expect(cleaned.count == photo.count)
        #expect(cleaned[..<(start + 44)] == photo[..<(start + 44)])
        #expect(cleaned[(start + 44)..<(start + exif.count)].filter { $0 != 0 }.isEmpty)
        #expect(cleaned[(start + exif.count)...] == photo[(start + exif.count)...])
        #expect(PhotoLocation.removed(from: cleaned) == cleaned)
    }

    @Test func `XMP data of a JPEG, and Exif data that cannot be read, are removed`() {
        let plain = SamplePhotos.jpeg()

        #expect(PhotoLocation.removed(from: SamplePhotos.jpeg(exif: Array("http://ns.adobe.com/xap/1.0/\0<x/>".utf8))) == plain)
        #expect(PhotoLocation.removed(from: SamplePhotos.jpeg(exif: Array("Exif\0\0MM\0".utf8))) == plain)
        #expect(PhotoLocation.removed(from: SamplePhotos.jpeg(exif: SamplePhotos.exif().dropLast(70))) == plain)
        #expect(PhotoLocation.removed(from: plain) == plain)
    }

    @Test(arguments: [(64, true), (65, false)])
    func `Exif data with more GPS fields than there are tags are removed`(fields: Int, isKept: Bool) {
        let photo = SamplePhotos.jpeg(exif: SamplePhotos.exif(fields: fields))

        #expect(PhotoLocation.removed(from: photo).count == (isKept ? photo : SamplePhotos.jpeg()).count)
    }

    @Test func `Metadata of PNG and WebP files is removed`() {
        let (header, data) = (("IHDR", [UInt8](repeating: 0, count: 13)), ("IDAT", [UInt8(1), 2]))
        let png = SamplePhotos.png([header, ("eXIf", [1]), data, ("iTXt", [2, 3]), ("IEND", [])])
        let webP = SamplePhotos.webP([("VP8X", [0b0010_1100, 0, 0]), ("VP8 ", [1]), ("EXIF", [1, 2, 3]), ("XMP ", [4])])

        #expect(PhotoLocation.removed(from: png) == SamplePhotos.png([header, data, ("IEND", [])]))
        #expect(PhotoLocation.removed(from: webP) == SamplePhotos.webP([("VP8X", [0b0010_0000, 0, 0]), ("VP8 ", [1])]))
    }

    @Test func `Bytes behind the end of a WebP file do not become part of it`() {
        let bytes = Array("any bytes".utf8)
        let photo = SamplePhotos.webP([("VP8 ", [1]), ("EXIF", [1, 2])]) + bytes

        let cleaned = PhotoLocation.removed(from: photo)

        #expect(cleaned == SamplePhotos.webP([("VP8 ", [1])]) + bytes)
        #expect(ImageParser.isWebP(photo) && ImageParser.isWebP(cleaned))
    }

    @Test func `Any bytes are accepted`() {
        var generator = SystemRandomNumberGenerator()
        let seeds = [
            SamplePhotos.jpeg(exif: SamplePhotos.exif()), SamplePhotos.png([("IHDR", []), ("IEND", [])]),
            SamplePhotos.webP([("EXIF", [1])]),
        ]

        for seed in seeds {
            for _ in 0..<2_000 {
                var bytes = seed
                for _ in 0..<3 { bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator) }
                let cut = Array(bytes.prefix(Int.random(in: 0...bytes.count, using: &generator)))
                #expect(PhotoLocation.removed(from: bytes).count <= bytes.count)
                #expect(PhotoLocation.removed(from: cut).count <= cut.count)
            }
        }
    }
}
