import Foundation
import Testing

@testable import MarsPhotos

/// Reading of documents.
@Suite struct PhotoDocumentTests {
    private let query = SolQuery(.curiosity, sol: 1_000)

    private func rows(_ text: String, of query: SolQuery? = nil) throws -> PhotoRows {
        try V1Documents.photos(Array(text.utf8), in: PhotoContext(query: query ?? self.query, document: PhotoDocuments.base))
    }

    @Test func `A photo has its identity, its camera, its day and its address over https`() throws {
        let rows = try rows(PhotoDocuments.photos(PhotoDocuments.photo()))

        #expect(
            rows.photos == [
                MarsPhoto(
                    id: MarsPhotoID(rover: .curiosity, sol: 1_000, key: "102693"),
                    camera: Camera("FHAZ", fullName: "Front Hazard Avoidance Camera"), earthDate: EarthDate("2015-05-30"),
                    image: URL(string: "https://mars.org/fhaz/1.JPG")!)
            ])
        #expect(rows.skipped == 0)
    }

    @Test(arguments: [#"7"#, #""7""#, #""NLA_0001""#])
    func `An identity may be a number or a text`(id: String) throws {
        let key = id.replacing("\"", with: "")
        #expect(try rows(PhotoDocuments.photos(PhotoDocuments.photo(id))).photos.map(\.id.key) == [key])
    }

    @Test(arguments: [
        "7", "null", "[]", "{}", #"{"id":1}"#, PhotoDocuments.photo("null"), PhotoDocuments.photo(image: ""),
        PhotoDocuments.photo(image: "ftp://mars.org/1"),
        PhotoDocuments.photo(image: "javascript:alert(1)"), PhotoDocuments.photo(sol: 999),
    ])
    func `An invalid photo is skipped and counted without affecting others`(bad: String) throws {
        let rows = try rows(PhotoDocuments.photos(PhotoDocuments.photo("1"), bad, PhotoDocuments.photo("2")))

        #expect(rows.photos.map(\.id.key) == ["1", "2"])
        #expect(rows.skipped == 1)
    }

    @Test(arguments: [#"{"photos": []}"#, #"{"photos": null}"#, "null"])
    func `A sol without photos is an empty list`(text: String) throws {
        #expect(try rows(text).photos.isEmpty)
    }

    @Test func `An escape of an unpaired surrogate does not remove the text`() throws {
        #expect(try rows(PhotoDocuments.photos(PhotoDocuments.photo(#""a\ud83d""#))).photos.map(\.id.key) == ["a\u{FFFD}"])
    }

    @Test func `A photo without a date has that of its sol, counted from the landing`() throws {
        #expect(try rows(PhotoDocuments.photos(PhotoDocuments.photo(date: ""))).photos.map(\.earthDate) == [EarthDate("2015-05-30")])
    }

    @Test(arguments: [
        ("", PhotoDocumentError.empty), (" \n", .empty), ("<!doctype html>", .webPage), (#"{"pictures":[]}"#, .missing("photos")),
        (#"{"photos":{}}"#, .missing("photos")), ("[]", .missing("photos")),
    ])
    func `An invalid document is reported`(text: String, error: PhotoDocumentError) {
        #expect(throws: error) { try rows(text) }
    }

    @Test(
        arguments: [
            (Array("\u{FEFF}\t\r\n ".utf8), .empty), ([0xFE, 0xFF, 0, 0x20], .empty),
            (Array("\u{FEFF}<html>".utf8), .webPage), ([0xFE, 0xFF, 0, 0x3C, 0, 0x68], .webPage),
            ([0xFF, 0xFE, 0x3C, 0, 0x68, 0], .webPage),
        ] as [([UInt8], PhotoDocumentError)])
    func `Byte order marks and the zero bytes of UTF-16 are no content`(body: [UInt8], error: PhotoDocumentError) {
        #expect(throws: error) { try V1Documents.photos(body, in: PhotoContext(query: query, document: PhotoDocuments.base)) }
    }

    @Test func `A truncated document is an error`() {
        let whole = PhotoDocuments.photos(PhotoDocuments.photo())
        for length in stride(from: 1, to: whole.utf8.count - 1, by: 7) {
            #expect(throws: PhotoDocumentError.self) { try rows(String(whole.prefix(length))) }
        }
    }

    @Test func `A list over the limit is refused`() {
        let text = #"{"photos":[\#(Array(repeating: "1", count: SolPhotos.photoLimit + 1).joined(separator: ","))]}"#
        #expect(throws: PhotoDocumentError.tooManyEntries(limit: SolPhotos.photoLimit)) { try rows(text) }
    }

    @Test func `Photos of a sol are unique`() throws {
        let rows = try rows(PhotoDocuments.photos(PhotoDocuments.photo("1"), PhotoDocuments.photo("2"), PhotoDocuments.photo("1")))
        #expect(SolPhotos(rows.photos).photos.map(\.id.key) == ["1", "2"])
    }

    // MARK: Raw image services

    @Test func `Curiosity's items are read as photos with a flag for further pages`() throws {
        let text = PhotoDocuments.items(PhotoDocuments.item(14_267), PhotoDocuments.item(14_268, isThumbnail: true), "{}", more: true)
        let context = PhotoContext(query: SolQuery(.curiosity, sol: 1), document: PhotoDocuments.base)
        let rows = try RawDocuments.curiosity(Array(text.utf8), in: context)

        #expect(rows.hasMore)
        #expect(rows.skipped == 1)
        #expect(rows.withoutDuplicateThumbnails.photos.map(\.id.description) == ["curiosity/1/14267"])
        #expect(rows.photos[0].camera == Camera("MAST_RIGHT", fullName: "Mast Camera (Mastcam)"))
        #expect(rows.photos[0].earthDate == EarthDate("2012-08-07"))
        #expect(rows.filtered(by: "mast").photos.count == 2)
        #expect(rows.filtered(by: "MAHLI").photos.isEmpty)
    }

    @Test func `Thumbnails are retained for a camera without full photos`() throws {
        let text = PhotoDocuments.items(
            PhotoDocuments.item(1), PhotoDocuments.item(2, isThumbnail: true),
            PhotoDocuments.item(3, instrument: "MAHLI", isThumbnail: true))
        let context = PhotoContext(query: SolQuery(.curiosity, sol: 1), document: PhotoDocuments.base)
        let rows = try RawDocuments.curiosity(Array(text.utf8), in: context).withoutDuplicateThumbnails

        #expect(rows.photos.map(\.id.key) == ["1", "3"])
        #expect(rows.filtered(by: "MAHLI").photos.map(\.id.key) == ["3"])
    }

    @Test(arguments: [
        (#""more":true"#, true), (#""more":1"#, true), (#""more":"true""#, true), (#""more":"1""#, true), (#""more":"True""#, true),
        (#""more":false,"total":500,"page":0,"per_page":200"#, false), (#""more":0,"total":500,"page":0,"per_page":200"#, false),
        (#""more":"false","total":500,"page":0,"per_page":200"#, false),
        (#""total":500,"page":0,"per_page":200"#, true), (#""more":null,"total":"500","page":"1","per_page":"200""#, true),
        (#""total":500,"page":2,"per_page":200"#, false), (#""total":400,"page":1,"per_page":200"#, false),
        (#""total":401,"page":1,"per_page":200"#, true), (#""total":0,"page":0,"per_page":200"#, false),
        (#""total":500,"page":0"#, false), (#""total":500,"per_page":200"#, false), (#""page":0,"per_page":200"#, false),
        (#""total":500,"page":0,"per_page":0"#, false), (#""total":500,"page":-1,"per_page":200"#, false),
        (#""total":9223372036854775807,"page":9223372036854775807,"per_page":9223372036854775807"#, false),
        (#""total":-9223372036854775808,"page":0,"per_page":200"#, false),
    ])
    func `Further pages are detected by a flag or by the counts`(members: String, follows: Bool) throws {
        let text = #"{"items":[\#(PhotoDocuments.item(1))],\#(members)}"#
        let context = PhotoContext(query: SolQuery(.curiosity, sol: 1), document: PhotoDocuments.base)

        #expect(try RawDocuments.curiosity(Array(text.utf8), in: context).hasMore == follows)
    }

    @Test(arguments: [
        ("NAV_LEFT_A", "NAVCAM", true), ("NAV_RIGHT_B", "navcam", true), ("NAV_LEFT_A", "NAV", true), ("NAVCAM_LEFT", "NAVCAM", true),
        ("NAVCAM", "NAVCAM", true), ("FHAZ_LEFT_B", "FHAZ", true), ("NAVCAM_LEFT", "NAV", false), ("NAV_LEFT_A", "NAVCAM_LEFT", false),
        ("NAVIGATOR", "NAVCAM", false), ("MASTER", "MAST", false), ("MAST", "MAST_LEFT", false),
    ])
    func `A camera matches its code and that of its pair`(code: String, name: String, isMeant: Bool) {
        #expect(Camera(code).matches(name) == isMeant)
    }

    @Test func `Perseverance's images have a thumbnail`() throws {
        let text = PhotoDocuments.images(PhotoDocuments.image(), PhotoDocuments.image("T", type: "Thumbnail"))
        let context = PhotoContext(query: SolQuery(.perseverance, sol: 1_484), document: PhotoDocuments.base)
        let photos = try RawDocuments.perseverance(Array(text.utf8), in: context).withoutDuplicateThumbnails.photos

        #expect(photos.map(\.id.key) == ["ZL6_1484"])
        #expect(photos[0].image.absoluteString == "https://mars.org/ZL6_1484_1200.jpg")
        #expect(photos[0].thumbnail?.absoluteString == "https://mars.org/ZL6_1484_320.jpg")
        #expect(photos[0].camera == Camera("MCZ_LEFT", fullName: "Left Mastcam-Z Camera"))
    }

    // MARK: URLs

    @Test(arguments: [(8_192, true), (8_193, false)])
    func `A URL may have 8,192 bytes, and a photo with a longer one is skipped`(length: Int, isRead: Bool) throws {
        let start = "https://mars.org/"
        let url = start + String(repeating: "a", count: length - start.utf8.count)

        let rows = try rows(PhotoDocuments.photos(PhotoDocuments.photo(image: url)))

        #expect(rows.photos.map(\.image.absoluteString) == (isRead ? [url] : []))
        #expect(rows.skipped == (isRead ? 0 : 1))
    }

    @Test func `A URL of a raw image that is too long is not shortened`() throws {
        let name = String(repeating: "a", count: PhotoURLResolver.lengthLimit)
        let items = PhotoDocuments.items(PhotoDocuments.item(1).replacing("msl/1.jpg", with: name))
        let images = PhotoDocuments.images(PhotoDocuments.image().replacing("_1200", with: name))

        let curiosity = PhotoContext(query: SolQuery(.curiosity, sol: 1), document: PhotoDocuments.base)
        let perseverance = PhotoContext(query: SolQuery(.perseverance, sol: 1_484), document: PhotoDocuments.base)

        #expect(try RawDocuments.curiosity(Array(items.utf8), in: curiosity).skipped == 1)
        #expect(
            try RawDocuments.perseverance(Array(images.utf8), in: perseverance).photos.map(\.image.absoluteString)
                == ["https://mars.org/ZL6_1484.png"])
    }

    @Test(arguments: [
        ("http://mars.org/1.jpg", "https://mars.org/1.jpg"),
        ("HTTP://mars.org:80/1.jpg", "https://mars.org/1.jpg"),
        ("https://mars.org/1.jpg", "https://mars.org/1.jpg"),
        ("http://localhost:8080/1.jpg", "http://localhost:8080/1.jpg"),
        ("http://127.0.0.1:8080/1.jpg", "http://127.0.0.1:8080/1.jpg"),
        ("http://[::1]:8080/1.jpg", "http://[::1]:8080/1.jpg"),
        ("http://10.0.0.1/1.jpg", "https://10.0.0.1/1.jpg"),
        ("http://127.0.0.1.mars.org/1.jpg", "https://127.0.0.1.mars.org/1.jpg"),
        ("/1.jpg", "https://photos.org/1.jpg"),
    ])
    func `URLs are upgraded to https, except loopback ones`(text: String, address: String) {
        #expect(PhotoURLResolver.url(text, relativeTo: PhotoDocuments.base)?.absoluteString == address)
    }

    @Test func `A server with an http list retains http for its photos`() {
        let list = URL(string: "http://10.0.0.7:8080/mars-photos/api/v1")!
        #expect(PhotoURLResolver.url("http://10.0.0.7:8080/1.jpg", relativeTo: list)?.scheme == "http")
        #expect(PhotoURLResolver.url("http://10.0.0.7/1.jpg", relativeTo: list)?.scheme == "https")
    }
}
