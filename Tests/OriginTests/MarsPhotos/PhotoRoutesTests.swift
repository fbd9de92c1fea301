import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import Origin

@Suite("Photo routes")
struct PhotoRoutesTests {
    private static let service = "/mars-photos/api/v1"

    private struct Photos: Decodable {
        struct Photo: Decodable {
            struct Camera: Decodable {
                let name: String
                let full_name: String
            }

            struct Rover: Decodable {
                let id: Int
                let name: String
                let landing_date: String
                let status: String
            }

            let id: Int
            let sol: Int
            let camera: Camera
            let img_src: String
            let earth_date: String
            let rover: Rover
        }

        let photos: [Photo]
    }

    private struct LatestPhotos: Decodable {
        let latest_photos: [Photos.Photo]
    }

    private struct Manifest: Decodable {
        struct Entry: Decodable {
            let sol: Int
            let earth_date: String
            let total_photos: Int
            let cameras: [String]
        }

        struct Content: Decodable {
            let name: String
            let max_sol: Int
            let max_date: String
            let total_photos: Int
            let photos: [Entry]
        }

        let photo_manifest: Content
    }

    private func photos(_ query: String, _ origin: OriginServer, rover: String = "curiosity") async throws -> [Photos.Photo] {
        try await origin.response(to: "\(Self.service)/rovers/\(rover)/photos\(query)").decoded(Photos.self).photos
    }

    @Test func `A sol is complete without a page number and paged by 25 with one`() async throws {
        let origin = try await makeOrigin()
        let whole = try await photos("?sol=1000", origin)
        var paged: [Int] = []
        for page in 1...21 { paged += try await photos("?sol=1000&page=\(page)", origin).map(\.id) }

        #expect(whole.count == 500)
        #expect(paged == whole.map(\.id))
        #expect(try await photos("?sol=1000&page=99999999999", origin).isEmpty)
        let first = try #require(whole.first)
        #expect(first.img_src == "http://localhost/mars-photos/images/curiosity/1000/\(first.camera.name)-0.jpg")
        #expect((first.sol, first.earth_date, first.rover.name) == (1_000, "2015-05-30", "Curiosity"))
    }

    @Test(arguments: [("10", 10), ("1000", 500), ("1001", 25), ("0", 25), ("-3", 25), ("x", 25), ("", 25)])
    func `The page size is the requested one within limits and 25 otherwise`(length: String, count: Int) async throws {
        let origin = try await makeOrigin()
        let whole = try await photos("?sol=1000&per_page=\(length)", origin).map(\.id)

        #expect(whole.count == 500)
        #expect(try await photos("?sol=1000&per_page=\(length)&page=1", origin).map(\.id) == Array(whole.prefix(count)))
        #expect(
            try await photos("?sol=1000&per_page=\(length)&page=2", origin).map(\.id) == Array(whole.dropFirst(count).prefix(count)))
    }

    @Test func `An Earth date may omit leading zeros`() async throws {
        let origin = try await makeOrigin()
        let manifest = try await origin.response(to: "\(Self.service)/manifests/curiosity").decoded(Manifest.self).photo_manifest
        let day = try #require(manifest.photos.map(\.earth_date).first { $0.contains("-0") && $0.hasSuffix("-02") })
        let padded = try await photos("?earth_date=\(day)", origin).map(\.id)

        #expect(!padded.isEmpty)
        #expect(try await photos("?earth_date=\(day.replacing("-0", with: "-"))", origin).map(\.id) == padded)
        #expect(try await photos("?earth_date=-", origin).isEmpty)
    }

    @Test func `The camera filter ignores case and an unknown camera matches nothing`() async throws {
        let origin = try await makeOrigin()
        let whole = try await photos("?sol=1000", origin)
        let camera = try #require(whole.last?.camera.name)

        #expect(
            try await photos("?sol=1000&camera=\(camera.lowercased())", origin).map(\.id)
                == whole.filter { $0.camera.name == camera }.map(\.id))
        #expect(try await photos("?sol=1000&camera=nosuch", origin).isEmpty)
        #expect(try await photos("?sol=99999", origin).isEmpty)
        #expect(try await photos("?earth_date=2015-05-30", origin).map(\.id) == whole.map(\.id))
    }

    @Test(arguments: ["Curiosity", "opportunity", "SPIRIT", "perseverance"])
    func `Totals of a manifest are those of its sols, and those of the lists`(name: String) async throws {
        let origin = try await makeOrigin()
        let manifest = try await origin.response(to: "\(Self.service)/manifests/\(name)").decoded(Manifest.self).photo_manifest

        #expect(manifest.total_photos == manifest.photos.reduce(0) { $0 + $1.total_photos })
        #expect(manifest.max_sol == manifest.photos.last?.sol && manifest.max_date == manifest.photos.last?.earth_date)
        for entry in manifest.photos.prefix(3) + manifest.photos.suffix(3) {
            let listed = try await photos("?sol=\(entry.sol)", origin, rover: name)
            #expect(listed.count == entry.total_photos)
            #expect(Set(listed.map(\.camera.name)) == Set(entry.cameras))
        }
    }

    @Test(arguments: [
        ("manifests/beagle", "Invalid Rover Name"), ("rovers/beagle", "Invalid Rover Name"),
        ("rovers/beagle/photos?sol=1", "Invalid Rover Name"),
        ("rovers/spirit/photos", "sol or earth_date is missing"), ("rovers/spirit/photos?sol=x", "sol must be an integer of at least 0"),
        ("rovers/spirit/photos?sol=-1", "sol must be an integer of at least 0"),
        ("rovers/spirit/photos?sol=1&page=0", "page must be an integer of at least 1"),
        ("rovers/spirit/latest_photos?page=0", "page must be an integer of at least 1"),
    ])
    func `An invalid query is refused with the reason`(path: String, reason: String) async throws {
        let response = try await makeOrigin().response(to: "\(Self.service)/\(path)")

        #expect(response.status == .badRequest)
        #expect(response.headers[.contentType] == "application/json")
        #expect(response.text == #"{"errors":"\#(reason)"}"#)
    }

    @Test func `Rovers are listed with their cameras, and the latest photos are those of the last sol`() async throws {
        let origin = try await makeOrigin()
        let text = try await origin.response(to: "\(Self.service)/rovers").text

        #expect(
            text.hasPrefix(
                #"{"rovers":[{"id":5,"name":"Curiosity","landing_date":"2012-08-06","launch_date":"2011-11-26","status":"active""#))
        #expect(text.contains(#"{"name":"PANCAM","full_name":"Panoramic Camera"}"#))
        #expect(try await origin.response(to: "\(Self.service)/rovers/spirit/latest_photos").text.hasPrefix(#"{"latest_photos":[{"id":"#))
    }

    @Test(arguments: ["curiosity", "opportunity", "spirit", "perseverance"])
    func `The latest photos are complete without a page number and paged with one`(rover: String) async throws {
        let origin = try await makeOrigin()
        func latest(_ query: String = "") async throws -> [Int] {
            let response = try await origin.response(to: "\(Self.service)/rovers/\(rover)/latest_photos\(query)")
            return try response.decoded(LatestPhotos.self).latest_photos.map(\.id)
        }
        let whole = try await latest()

        #expect(try await latest("?page=1") == Array(whole.prefix(25)))
        #expect(try await latest("?page=1&per_page=1") == Array(whole.prefix(1)))
        #expect(try await latest("?page=2&per_page=1") == Array(whole.dropFirst().prefix(1)))
        #expect(try await latest("?page=99999999999").isEmpty)
    }

    @Test func `A response with a matching validator is 304`() async throws {
        let origin = try await makeOrigin()
        for path in [
            "\(Self.service)/manifests/spirit", "\(Self.service)/rovers/spirit/photos?sol=1000",
            "/mars-photos/images/spirit/1000/NAVCAM-0.jpg",
        ] {
            let first = try await origin.response(to: path)
            let second = try await origin.response(to: path, headers: [.ifNoneMatch: try #require(first.headers[.eTag])])

            #expect(first.status == .ok && second.status == .notModified && second.body.readableBytes == 0)
        }
    }

    @Test func `A photo is an image that never changes, drawn the same again by another origin`() async throws {
        let path = "/mars-photos/images/curiosity/1000/NAVCAM-0.jpg"
        let (one, other) = (try await makeOrigin().response(to: path), try await makeOrigin().response(to: path))
        let neighbour = try await makeOrigin().response(to: "/mars-photos/images/curiosity/1000/NAVCAM-1.jpg")

        #expect(one.headers[.cacheControl] == "public, max-age=31536000, immutable")
        #expect(one.headers[.contentType] == "image/jpeg")
        #expect(one.body == other.body && one.body != neighbour.body)
        #expect((40_000...200_000).contains(one.body.readableBytes))
    }

    @Test(arguments: [
        "curiosity/1000/FHAZ-99999.jpg", "curiosity/99999/FHAZ-0.jpg", "curiosity/1000/PANCAM-0.jpg", "curiosity/1000/FHAZ-00.jpg",
        "Curiosity/1000/NAVCAM-0.jpg", "curiosity/1000/NAVCAM-0.png", "curiosity/1000/..%2F..%2Fsecret",
    ])
    func `An unknown photo gets 404`(path: String) async throws {
        #expect(try await makeOrigin().response(to: "/mars-photos/images/\(path)").status == .notFound)
    }

    // MARK: Raw images

    private struct Items: Decodable {
        struct Item: Decodable {
            let id: Int
            let sol: Int
        }

        let items: [Item]
        let more: Bool
        let total: Int
    }

    private func items(_ query: String, _ origin: OriginServer) async throws -> Items {
        try await origin.response(to: "/api/v1/raw_image_items/?\(query)").decoded(Items.self)
    }

    @Test func `Curiosity's raw images come in pages counted from 0`() async throws {
        let origin = try await makeOrigin()
        var (ids, page, more) = ([Int](), 0, true)
        while more, page < 10 {
            let response = try await items("per_page=200&page=\(page)&condition_1=msl:mission&condition_2=1000:sol:in", origin)
            #expect(response.total == 500)
            (ids, page, more) = (ids + response.items.map(\.id), page + 1, response.more)
        }

        #expect(page == 3)
        #expect(ids == (try await photos("?sol=1000", origin)).map(\.id))
    }

    @Test func `The first raw image on either side of a sol is found`() async throws {
        let origin = try await makeOrigin()
        let sols = DemoSols(seed: 1).sols(of: .curiosity).map(\.number)
        let gap = try #require((1..<4_000).first { !sols.contains($0) })

        let after = try await items("order=sol%20asc&per_page=1&page=0&condition_1=msl:mission&condition_2=\(gap):sol:gte", origin)
        let before = try await items("order=sol%20desc&per_page=1&page=0&condition_1=msl:mission&condition_2=\(gap):sol:lte", origin)

        #expect(after.items.map(\.sol) == sols.first { $0 > gap }.map { [$0] })
        #expect(before.items.map(\.sol) == sols.last { $0 < gap }.map { [$0] })
        #expect(try await items("condition_1=insight:mission", origin).items.isEmpty)
    }

    @Test func `Perseverance's raw images come whole, with a small version`() async throws {
        let origin = try await makeOrigin()
        let text = try await origin.response(to: "/rss/api/?feed=raw_images&category=mars2020&feedtype=json&sol=1000").text
        let second = try await origin.response(to: "/rss/api/?feed=raw_images&category=mars2020&feedtype=json&sol=1000&page=1").text
        let small = try await origin.response(to: "/mars-photos/images/perseverance/1000/FRONT_HAZCAM_RIGHT_A-0-small.jpg")

        #expect(text.components(separatedBy: #""imageid":"#).count - 1 == 500)
        #expect(!second.contains(#""imageid":"#))
        #expect(text.contains(#""small":"http://localhost/mars-photos/images/perseverance/1000/FRONT_HAZCAM_RIGHT_A-0-small.jpg""#))
        #expect(small.status == .ok && small.body.readableBytes < 40_000)
    }
}
