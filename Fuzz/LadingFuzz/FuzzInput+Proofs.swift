import Foundation

@testable import OrderAPI

extension FuzzInput {
    /// A location in a photo; its length is even, as WebP requires.
    private static let place = Array("ThePlaceOfThisTest".utf8)

    /// Removes the location from a photo, and from the same one with a further location.
    func parseProof() {
        _ = Self.withoutLocation(bytes)
        guard !Self.containsPlace(bytes), let photo = photoWithPlace else { return }
        precondition(!Self.containsPlace(Self.withoutLocation(photo)), "no photo keeps a location from being removed")
    }

    private static func containsPlace(_ bytes: [UInt8]) -> Bool { Data(bytes).range(of: Data(place)) != nil }

    private static func withoutLocation(_ bytes: [UInt8]) -> [UInt8] {
        let result = PhotoLocation.removed(from: bytes)
        precondition(result.count <= bytes.count, "a photo does not become longer")
        for isFormat in [ImageParser.isJPEG, ImageParser.isPNG, ImageParser.isWebP] {
            precondition(!isFormat(bytes) || isFormat(result), "a photo retains its format")
        }
        return result
    }

    /// The photo with a location at its beginning; nil for other bytes.
    private var photoWithPlace: [UInt8]? {
        if ImageParser.isJPEG(bytes) {
            return inserting([0xFF, 0xE1, 0, UInt8(Self.exif.count + 2)] + Self.exif, at: 2)
        }
        if ImageParser.isPNG(bytes), let header = ImageParser.pngChunks(bytes)?.first {
            let head = [0, 0, 0, UInt8(Self.place.count)] + Array("eXIf".utf8)
            return inserting(head + Self.place + [0, 0, 0, 0], at: header.range.upperBound)
        }
        guard ImageParser.isWebP(bytes) else { return nil }
        let chunk = Array("EXIF".utf8) + [UInt8(Self.place.count), 0, 0, 0] + Self.place
        var photo = inserting(chunk, at: 12)
        var length = bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + chunk.count
        for index in 4..<8 {
            photo[index] = UInt8(truncatingIfNeeded: length)
            length >>= 8
        }
        return photo
    }

    private func inserting(_ part: [UInt8], at index: Int) -> [UInt8] {
        var result = bytes
        result.insert(contentsOf: part, at: index)
        return result
    }

    /// Exif data with the place as the latitude.
    private static let exif: [UInt8] = {
        let header: [UInt8] = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8]
        let directory: [UInt8] = [0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0]
        let location: [UInt8] = [0, 1, 0, 2, 0, 2, 0, 0, 0, UInt8(place.count), 0, 0, 0, 44, 0, 0, 0, 0]
        return header + directory + location + place
    }()
}
