import Foundation
import HTTPTypes
import LadingFeeds
import LadingHTTP
import LadingOperations
import LadingTesting
import Testing
@testable import MarsPhotos

/// The three services behind one protocol, on a manual task executor and a scripted executor.
@Suite struct PhotoSourceTests {
    private static let v1 = "https://photos.org/mars-photos/api/v1"
    private static let msl =
        "https://mars.org/api/v1/raw_image_items/?order=sol%20desc&per_page=200&page=0&condition_1=msl%3Amission&condition_2=1%3Asol%3Ain"
    private static let mars2020 = "https://mars.org/rss/api/?feed=raw_images&category=mars2020&feedtype=json&sol=1484"

    private let tasks = ManualTaskExecutor()
    private let executor = ScriptedExecutor()
    private let queue: BackendQueue

    init() {
        queue = BackendQueue(executor: tasks)
    }

    private func source(_ kind: PhotoSourceKind, key: String? = nil) -> any PhotoSource {
        let host = kind == .v1 ? "https://photos.org" : "https://mars.org/"
        return kind.source(at: URL(string: host)!, client: BackendClient(executor: executor), key: key.flatMap { PhotoAPIKey($0) })
    }

    private func value<Value>(of operation: BackendOperation<Value>) throws -> Value {
        queue.submit(operation, priority: .visible)
        tasks.runAll()
        do {
            return try #require(operation.result).get()
        } catch {
            throw OperationError.rootCause(of: error)
        }
    }

    // MARK: Version 1

    @Test func `A sol is requested as a whole, without a page`() throws {
        executor.script(Self.v1 + "/rovers/curiosity/photos?sol=1000", .response(text: PhotoDocuments.photos(PhotoDocuments.photo())))

        let sol = try value(of: source(.v1).photos(of: SolQuery(.curiosity, sol: 1_000)))

        #expect(sol.photos.map(\.id.key) == ["102693"])
    }

    @Test func `A response without content is a sol without photos`() throws {
        executor.script(Self.v1 + "/rovers/curiosity/photos?sol=1000", .response(status: .noContent))

        #expect(try value(of: source(.v1).photos(of: SolQuery(.curiosity, sol: 1_000))).photos.isEmpty)
    }

    @Test func `A camera is requested by its code and a page by its number, from 1`() throws {
        let photos = (0..<25).map { PhotoDocuments.photo("\($0)") }.joined(separator: ",")
        executor.script(
            Self.v1 + "/rovers/curiosity/photos?sol=1000&camera=fhaz&page=2", .response(text: PhotoDocuments.photos(photos)))

        let page = try value(of: source(.v1).page(1, of: SolQuery(.curiosity, sol: 1_000, camera: "Fhaz")))

        #expect(page.photos.count == 25)
        #expect(page.hasMore)
    }

    @Test func `Adjacent sols are read from the manifest`() throws {
        executor.script(Self.v1 + "/manifests/curiosity", .response(text: PhotoDocuments.manifest(PhotoDocuments.fiveSolEntries)))
        #expect(try value(of: source(.v1).adjacentSols(to: 3, of: .curiosity)) == AdjacentSols(previous: 2, next: 10))
    }

    @Test func `An unknown rover is reported by name`() throws {
        let errorResponse = ScriptedExecutor.Response.response(status: .badRequest, text: #"{"errors":"Invalid Rover Name"}"#)
        executor.script(Self.v1 + "/manifests/beagle", errorResponse)
        executor.script(Self.v1 + "/rovers/beagle/photos?sol=1", errorResponse)
        let beagle = try #require(Rover("Beagle"))

        #expect(throws: PhotoError.unknownRover("beagle")) { try value(of: source(.v1).manifest(of: beagle)) }
        #expect(throws: PhotoError.unknownRover("beagle")) { try value(of: source(.v1).photos(of: SolQuery(beagle, sol: 1))) }
    }

    @Test func `Another error response is not an unknown rover`() {
        executor.script(Self.v1 + "/manifests/spirit", .response(status: .badRequest, text: #"{"errors":"no"}"#))
        #expect(throws: BackendError.self) { try value(of: source(.v1).manifest(of: .spirit)) }
    }

    @Test func `A host without a list of rovers has the default ones`() throws {
        #expect(try value(of: source(.v1).rovers()).map(\.rover) == Rover.all)
    }

    @Test func `A service at the root of its server is found there once`() throws {
        executor.script(
            "https://photos.org/manifests/spirit", .response(text: PhotoDocuments.manifest(PhotoDocuments.fiveSolEntries, name: "Spirit")))
        executor.script("https://photos.org/rovers/spirit/photos?sol=1", .response(text: PhotoDocuments.photos()))
        let source = source(.v1)

        #expect(try value(of: source.manifest(of: .spirit))?.entries.count == 5)
        #expect(try value(of: source.photos(of: SolQuery(.spirit, sol: 1))).photos.isEmpty)
        #expect(executor.requestedURLs.map { $0.hasPrefix(Self.v1) } == [true, false, false])
    }

    @Test func `A website at the root of a server is no service`() throws {
        executor.script("https://photos.org/rovers", .response(text: "\u{FEFF}<!doctype html>"))
        executor.script(
            Self.v1 + "/manifests/spirit", .response(text: PhotoDocuments.manifest(PhotoDocuments.fiveSolEntries, name: "Spirit")))
        let source = source(.v1)

        #expect(try value(of: source.rovers()).map(\.rover) == Rover.all)
        #expect(try value(of: source.manifest(of: .spirit))?.entries.count == 5)
    }

    @Test(arguments: [
        ("https://a.org/api/v1/manifests/spirit", true), ("https://a.org/api/v1/rovers", true),
        ("https://a.org/api/v1/rovers/spirit/photos?sol=1", true),
        ("https://a.org/api/v1/images/1.jpg", false), ("https://a.org/manifests/spirit", false), ("http://a.org/api/v1/rovers", false),
        ("https://a.org:8443/api/v1/rovers", false), ("https://a.org.evil.org/api/v1/rovers", false),
        ("https://a.org/api/v1evil/rovers", false),
    ])
    func `Documents of a service are distinguished by URL`(url: String, isDocument: Bool) throws {
        let location = PhotoServiceLocation(base: try #require(URL(string: "https://a.org/api/v1")), root: nil)
        #expect(location.contains(try #require(URL(string: url))) == isDocument)
    }

    // MARK: Raw images

    @Test func `Pages of Curiosity are loaded until the last`() throws {
        executor.script(Self.msl, .response(text: PhotoDocuments.items(PhotoDocuments.item(1), PhotoDocuments.item(2), more: true)))
        executor.script(
            Self.msl.replacing("page=0", with: "page=1"),
            .response(text: PhotoDocuments.items(PhotoDocuments.item(2), PhotoDocuments.item(3))))

        let sol = try value(of: source(.msl).photos(of: SolQuery(.curiosity, sol: 1)))

        #expect(sol.photos.map(\.id.key) == ["1", "2", "3"])
    }

    @Test func `Pages without a flag are loaded by their counts`() throws {
        func page(_ number: Int, _ items: String...) -> String {
            #"{"items":[\#(items.joined(separator: ","))],"total":3,"page":\#(number),"per_page":2}"#
        }
        executor.script(Self.msl, .response(text: page(0, PhotoDocuments.item(1), PhotoDocuments.item(2))))
        executor.script(Self.msl.replacing("page=0", with: "page=1"), .response(text: page(1, PhotoDocuments.item(3))))

        let sol = try value(of: source(.msl).photos(of: SolQuery(.curiosity, sol: 1)))

        #expect(sol.photos.map(\.id.key) == ["1", "2", "3"])
        #expect(executor.requests.count == 2)
    }

    @Test func `Thumbnails are retained for cameras without full photos on any page`() throws {
        let small = [PhotoDocuments.item(1, isThumbnail: true), PhotoDocuments.item(2, instrument: "MAHLI", isThumbnail: true)]
        executor.script(Self.msl, .response(text: PhotoDocuments.items(small[0], small[1], more: true)))
        executor.script(Self.msl.replacing("page=0", with: "page=1"), .response(text: PhotoDocuments.items(PhotoDocuments.item(3))))
        executor.script(
            Self.mars2020,
            .response(
                text: PhotoDocuments.images(PhotoDocuments.image("a"), PhotoDocuments.image("b", instrument: "SKYCAM", type: "Thumbnail"))))
        let (msl, mars2020) = (source(.msl), source(.mars2020))

        #expect(try value(of: msl.photos(of: SolQuery(.curiosity, sol: 1))).photos.map(\.id.key) == ["2", "3"])
        #expect(try value(of: msl.photos(of: SolQuery(.curiosity, sol: 1, camera: "MAHLI"))).photos.map(\.id.key) == ["2"])
        #expect(try value(of: mars2020.photos(of: SolQuery(.perseverance, sol: 1_484, camera: "SKYCAM"))).photos.map(\.id.key) == ["b"])
    }

    @Test func `The number of pages is bounded`() throws {
        executor.script(Self.msl, .response(text: PhotoDocuments.items(PhotoDocuments.item(1), more: true)))
        for page in 1...MSLSource.pageLimit {
            executor.script(
                Self.msl.replacing("page=0", with: "page=\(page)"),
                .response(text: PhotoDocuments.items(PhotoDocuments.item(page), more: true)))
        }

        _ = try value(of: source(.msl).photos(of: SolQuery(.curiosity, sol: 1)))

        #expect(executor.requests.count == MSLSource.pageLimit)
    }

    @Test func `Pages with more entries than requested end at the number of entries that a sol may have`() throws {
        let invalid = String(repeating: "0,", count: SolPhotos.photoLimit - 2)
        executor.script(Self.msl, .response(text: PhotoDocuments.items(invalid + PhotoDocuments.item(1), more: true)))
        for page in 1...2 {
            executor.script(
                Self.msl.replacing("page=0", with: "page=\(page)"),
                .response(text: PhotoDocuments.items(PhotoDocuments.item(page + 1), more: true)))
        }

        let sol = try value(of: source(.msl).photos(of: SolQuery(.curiosity, sol: 1)))

        #expect(sol.photos.map(\.id.key) == ["1", "2"] && sol.skipped == SolPhotos.photoLimit - 2)
        #expect(executor.requests.count == 2)
    }

    @Test func `A sol of Perseverance is one document that is filtered by camera`() throws {
        executor.script(
            Self.mars2020,
            .response(text: PhotoDocuments.images(PhotoDocuments.image("a"), PhotoDocuments.image("b", instrument: "SKYCAM"))))
        let source = source(.mars2020)

        #expect(try value(of: source.photos(of: SolQuery(.perseverance, sol: 1_484))).photos.map(\.id.key) == ["a", "b"])
        #expect(try value(of: source.photos(of: SolQuery(.perseverance, sol: 1_484, camera: "mcz"))).photos.map(\.id.key) == ["a"])
        #expect(try value(of: source.manifest(of: .perseverance)) == nil)
    }

    @Test func `Adjacent sols are requested where there is no manifest`() throws {
        let url = "https://mars.org/rss/api/?feed=raw_images&category=mars2020&feedtype=json&num=1&page=0&order=sol%20"
        executor.script(url + "desc&condition_2=1499%3Asol%3Alte", .response(text: PhotoDocuments.images(PhotoDocuments.image())))
        executor.script(url + "asc&condition_2=1501%3Asol%3Agte", .response(text: PhotoDocuments.images()))

        #expect(try value(of: source(.mars2020).adjacentSols(to: 1_500, of: .perseverance)) == AdjacentSols(previous: 1_484))
    }

    @Test(arguments: [(1_483, nil, 1_484), (1_484, nil, nil), (1_485, 1_484, nil)] as [(Sol, Sol?, Sol?)])
    func `A service that ignores the conditions has no adjacent sol on the wrong side`(sol: Sol, previous: Sol?, next: Sol?) throws {
        let url = "https://mars.org/rss/api/?feed=raw_images&category=mars2020&feedtype=json&num=1&page=0&order=sol%20"
        let response = ScriptedExecutor.Response.response(text: PhotoDocuments.images(PhotoDocuments.image()))
        executor.script(url + "desc&condition_2=\(sol.number - 1)%3Asol%3Alte", response)
        executor.script(url + "asc&condition_2=\(sol.number + 1)%3Asol%3Agte", response)

        let adjacentSols = try value(of: source(.mars2020).adjacentSols(to: sol, of: .perseverance))

        #expect(adjacentSols == AdjacentSols(previous: previous, next: next))
    }

    @Test func `A service of one rover refuses others`() {
        #expect(throws: PhotoError.unknownRover("spirit")) { try value(of: source(.msl).photos(of: SolQuery(.spirit, sol: 1))) }
        #expect(throws: PhotoError.unknownRover("curiosity")) { try value(of: source(.mars2020).manifest(of: .curiosity)) }
        #expect(executor.requests.isEmpty)
    }

    // MARK: API key

    @Test func `An API key is sent to its service only and appears in no error, name or response`() throws {
        let source = source(.v1, key: " s3cret\n")
        executor.script(
            Self.v1 + "/rovers/curiosity/photos?sol=1000&api_key=s3cret", .response(text: PhotoDocuments.photos(PhotoDocuments.photo())))
        let operation = source.photos(of: SolQuery(.curiosity, sol: 1_000))
        let photo = try #require(try value(of: operation).photos.first)
        let failing = source.manifest(of: .curiosity)

        #expect(throws: BackendError.self) { try value(of: source.image(of: photo, size: .full)) }
        #expect {
            try value(of: failing)
        } throws: { error in
            !String(reflecting: error).contains("s3cret")
        }
        let requestsWithKey = executor.requestedURLs.filter { $0.contains("s3cret") }
        #expect(
            requestsWithKey.contains(Self.v1 + "/manifests/curiosity?api_key=s3cret")
                && requestsWithKey.allSatisfy { $0.hasPrefix("https://photos.org/") })
        #expect(executor.requestedURLs.contains("https://mars.org/fhaz/1.JPG"))
        #expect(![operation.name, failing.name, "\(source)", String(reflecting: source)].contains { $0.contains("s3cret") })
    }

    @Test func `An API key with reserved characters is percent-encoded`() {
        #expect(throws: BackendError.self) { try value(of: source(.v1, key: "a+b&c").manifest(of: .curiosity)) }

        #expect(executor.requestedURLs.contains(Self.v1 + "/manifests/curiosity?api_key=a%2Bb%26c"))
        #expect(executor.requestedURLs.allSatisfy { $0.hasSuffix("?api_key=a%2Bb%26c") })
    }

    // MARK: Feed

    @Test func `The feed lists a sol and loads its images`() throws {
        executor.script(Self.v1 + "/rovers/curiosity/photos?sol=1000", .response(text: PhotoDocuments.photos(PhotoDocuments.photo())))
        executor.script("https://mars.org/fhaz/1.JPG", .response(body: ImageFiles.png()))
        let feed = PhotoFeed(SolQuery(.curiosity, sol: 1_000), from: source(.v1))

        let list = try value(of: feed.list())
        let image = try value(of: feed.load(list.references[0]))

        #expect(list.references.count == 1 && list.omittedCount == 0)
        #expect(image.format == .png)
    }

    @Test func `An image that is a web page fails in its own row`() throws {
        executor.script("https://mars.org/1.jpg", .response(text: "<html>"))
        let id = MarsPhotoID(rover: .spirit, sol: 1, key: "1")
        let photo = MarsPhoto(id: id, camera: Camera("PANCAM"), image: try #require(URL(string: "https://mars.org/1.jpg")))

        #expect {
            try value(of: source(.v1).image(of: photo, size: .thumbnail))
        } throws: { error in
            guard case BackendError.decodingFailed(_, let cause) = error else { return false }
            return cause as? MarsImageError == .webPage
        }
    }

    @Test func `A list cannot redirect to a private address`() throws {
        let id = MarsPhotoID(rover: .spirit, sol: 1, key: "1")
        let photo = MarsPhoto(id: id, camera: Camera("PANCAM"), image: try #require(URL(string: "https://10.0.0.1/1.jpg")))

        #expect {
            try value(of: source(.v1).image(of: photo, size: .full))
        } throws: { error in
            guard case BackendError.policyViolation(_, .privateAddress) = error else { return false }
            return true
        }
    }

    @Test func `Concurrent requests for different sols are independent`() throws {
        let (gate, source) = (Gate(), source(.v1))
        executor.script(
            Self.v1 + "/rovers/curiosity/photos?sol=1", .response(text: PhotoDocuments.photos(PhotoDocuments.photo("7", sol: 1))),
            behind: gate)
        executor.script(
            Self.v1 + "/rovers/curiosity/photos?sol=2", .response(text: PhotoDocuments.photos(PhotoDocuments.photo("7", sol: 2))))
        let (first, second) = (source.photos(of: SolQuery(.curiosity, sol: 1)), source.photos(of: SolQuery(.curiosity, sol: 2)))
        queue.submit(first, priority: .visible)
        queue.submit(second, priority: .visible)
        tasks.runAll()

        #expect(first.result == nil)
        gate.open()
        tasks.runAll()
        #expect(try first.result?.get().photos.map(\.id) == [MarsPhotoID(rover: .curiosity, sol: 1, key: "7")])
        #expect(try second.result?.get().photos.map(\.id) == [MarsPhotoID(rover: .curiosity, sol: 2, key: "7")])
    }
}
