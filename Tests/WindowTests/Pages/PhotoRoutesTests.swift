import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import Testing

@testable import Window

/// The pages of the photos as a client without a browser sees them.
@Suite struct PhotoRoutesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]

    init() async throws {
        server = try await WindowServer(showing: executor)
        executor.script(PhotoWire.manifest, .reply(text: PhotoWire.manifest(of: [996, 1_000, 1_001])))
        executor.script(PhotoWire.sol(1_000), .reply(text: PhotoWire.photos(1...60)))
        for id in 1...60 { executor.script(PhotoWire.image(id), .reply(body: PhotoWire.picture)) }
    }

    private func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    // MARK: A sol

    @Test func `A client without scripts gets the photos in the page, and the way to the next ones`() async throws {
        let page = try await get("/photos/curiosity/1000")

        #expect(page.status == .ok)
        #expect(page.text.matches(of: /<img src="\/photos\/curiosity\/1000\/\d+\/picture\?size=320"/).count == 48)
        #expect(page.text.contains("Curiosity · Sol 1000"))
        #expect(page.text.contains("May 30, 2015 · 60 photos"))
        #expect(page.text.contains("plain=1&amp;from=48"))
        #expect(executor.requests.allSatisfy { !$0.url.absoluteString.hasSuffix(".jpg") })
    }

    @Test func `The page of a sol says how many photos its list left out`() async throws {
        executor.script(PhotoWire.sol(1_000), .reply(text: PhotoWire.photos(1...4).replacing(/"id":[23],/, with: "")))

        let page = try await get("/photos/curiosity/1000")

        #expect(page.text.contains("May 30, 2015 · 2 photos · 2 photos could not be read and were left out"))
    }

    @Test func `A photo that does not tell its day has that of its sol`() async throws {
        let undated = PhotoWire.photos(1...3, sol: 996).replacing(#""earth_date":"2015-05-30","#, with: "")
        executor.script(PhotoWire.sol(996), .reply(text: undated))

        let page = try await get("/photos/curiosity/996/1?plain=1", browser)

        #expect(page.status == .ok)
        #expect(page.text.contains("<dd><bdi>May 26, 2015</bdi></dd>"))
    }

    @Test func `The last page of a sol has what is left`() async throws {
        let page = try await get("/photos/curiosity/1000?plain=1&from=48")

        #expect(page.text.matches(of: /data-index=/).count == 12)
        #expect(page.text.contains("49–60 of 60"))
    }

    @Test func `Sols without photos are skipped on the way to the one before and the one after`() async throws {
        let page = try await get("/photos/curiosity/1000?plain=1")

        #expect(page.text.contains(#"rel="prev" href="/photos/curiosity/996""#))
        #expect(page.text.contains(#"rel="next" href="/photos/curiosity/1001""#))
        #expect(try await get("/photos/curiosity/998/previous").headers[.location] == "/photos/curiosity/996")
        #expect(try await get("/photos/curiosity/998/next?camera=mast").headers[.location] == "/photos/curiosity/1000?camera=MAST")
        #expect(try await get("/photos/curiosity/1001/next").status == .notFound)
    }

    @Test(arguments: [
        ("?sol=996", "/photos/curiosity/996"), ("?sol=%201000&camera=FHAZ", "/photos/curiosity/1000?camera=FHAZ"),
        ("?date=2015-05-30", "/photos/curiosity/1000"), ("?date=2015-05-28&camera=", "/photos/curiosity/996"),
        ("", "/photos/curiosity/1001"),
    ])
    func `A sol is found by its number or its day, and the last without either`(query: String, address: String) async throws {
        let reply = try await get("/photos/curiosity\(query)")

        #expect(reply.status == .seeOther)
        #expect(reply.headers[.location] == address)
    }

    @Test(arguments: [
        "/photos/curiosity/abc", "/photos/curiosity/-1", "/photos/curiosity?sol=abc", "/photos/curiosity?date=2015-13-45",
        "/photos/no%20rover/1", "/photos/curiosity/1000/999", "/photos/curiosity/1000/999/picture",
    ])
    func `What is not there is not found, and the page leads back to the rovers`(path: String) async throws {
        let page = try await get(path)

        #expect(page.status == .notFound)
        #expect(page.text.contains(#"href="/photos""#))
    }

    @Test func `A rover that the service does not know says so`() async throws {
        executor.script("\(PhotoWire.service)/manifests/vostok", .reply(status: .badRequest, text: #"{"errors":"Invalid Rover Name"}"#))
        executor.script(
            "\(PhotoWire.service)/rovers/vostok/photos?sol=1", .reply(status: .badRequest, text: #"{"errors":"Invalid Rover Name"}"#))

        #expect(try await get("/photos/vostok").status == .notFound)
        #expect(try await get("/photos/vostok/1").text.contains("there is no rover vostok here"))
    }

    @Test func `A sol without photos, and one behind the last, say what to do`() async throws {
        executor.script(PhotoWire.sol(998), .reply(text: PhotoWire.photos([])))
        executor.script(PhotoWire.sol(5_000), .reply(text: PhotoWire.photos([])))
        executor.script(PhotoWire.sol(1_000, camera: "mast"), .reply(text: PhotoWire.photos([])))

        #expect(
            try await get("/photos/curiosity/998").text.contains("Curiosity took no photos on Sol 998. Go to the sol before or after it."))
        let late = try await get("/photos/curiosity/5000")
        #expect(late.text.contains("lies behind the last photos of Curiosity, which are of Sol 1001"))
        #expect(late.text.contains(#"rel="prev" href="/photos/curiosity/1001""#))
        #expect(try await get("/photos/curiosity/1000?camera=mast").text.contains("MAST of Curiosity took no photos on Sol 1000."))
    }

    @Test func `A source that is down says so on the page, which can be tried again`() async throws {
        executor.script(PhotoWire.sol(997), .reply(status: .internalServerError))

        let page = try await get("/photos/curiosity/997")

        #expect(page.status == .ok)
        #expect(page.text.contains("the server answered 500"))
        #expect(page.text.contains(#"action="/photos/curiosity/997""#))
    }

    @Test func `Cameras can be chosen, and the chosen one is marked`() async throws {
        executor.script(PhotoWire.sol(1_000, camera: "mast"), .reply(text: PhotoWire.photos([7], camera: "MAST")))

        let page = try await get("/photos/curiosity/1000?camera=mast")

        #expect(
            page.text.contains(
                #"<a class="chip" href="/photos/curiosity/1000?camera=MAST" title="Mast Camera" aria-current="true">MAST</a>"#))
        #expect(page.text.contains(#"href="/photos/curiosity/1000?camera=FHAZ""#))
        #expect(page.text.contains(#"href="/photos/curiosity/1000" title="">All cameras</a>"#))
        #expect(page.text.contains(#"<a href="/photos/curiosity/1000/7?camera=MAST">"#))
    }

    // MARK: Rovers

    @Test func `The rovers are shown with what is told of them`() async throws {
        executor.script(
            PhotoWire.rovers,
            .reply(
                text: #"{"rovers":[{"name":"Curiosity","landing_date":"2012-08-06","status":"active","max_sol":1001,"total_photos":9}]}"#))

        let page = try await get("/photos")

        #expect(page.text.contains(#"href="/photos/curiosity/1001""#))
        #expect(page.text.contains(#"<span class="rover-status">Active</span>"#))
        #expect(page.text.contains("August 6, 2012"))
        #expect(page.text.contains("9 photos"))
    }

    @Test func `While nothing is known of the rovers they can be chosen, and the page says why`() async throws {
        executor.script(PhotoWire.rovers, .reply(status: .internalServerError))

        let page = try await get("/photos")

        for rover in ["curiosity", "opportunity", "spirit", "perseverance"] { #expect(page.text.contains(#"href="/photos/\#(rover)""#)) }
        #expect(page.text.contains("the server answered 500"))
    }

    // MARK: Pictures

    @Test func `A picture is loaded once, and kept by browsers under the address of what is in it`() async throws {
        let first = try await get("/photos/curiosity/1000/5/picture?size=320")
        let second = try await get("/photos/curiosity/1000/5/picture?size=300&v=nonsense")

        #expect(first.status == .ok)
        #expect(first.headers[.contentType] == "image/gif")
        #expect(first.headers[.cacheControl] == "no-store" && second.headers[.cacheControl] == "no-store")
        #expect(executor.requests.count { $0.url.absoluteString == PhotoWire.image(5) } == 1)
    }

    @Test func `A page where a picture should be is told as what it is`() async throws {
        executor.script(PhotoWire.image(6), .reply(headers: [.contentType: "image/jpeg"], text: "<!doctype html><title>Gone</title>"))

        let reply = try await get("/photos/curiosity/1000/6/picture?size=320", browser)

        #expect(reply.status == .badGateway)
        #expect(reply.text.contains("this is a web page"))
    }

    @Test func `One photo is shown with what is known of it, and its neighbours`() async throws {
        let page = try await get("/photos/curiosity/1000/2")

        #expect(page.text.contains("Camera FHAZ (FHAZ)"))
        #expect(page.text.contains("May 30, 2015"))
        #expect(page.text.contains(#"download="curiosity-sol-1000-2.jpg""#))
        // A script says that it waits for the picture; without one nothing would say that it has come.
        #expect(!page.text.contains("aria-busy"))
        #expect(page.text.contains(#"rel="prev" href="/photos/curiosity/1000/1""#))
        #expect(page.text.contains(#"rel="next" href="/photos/curiosity/1000/3""#))
        let address = try #require(page.text.firstMatch(of: /id="picture" src="([^"]+)"/)?.1)
        #expect(try await get(String(address)).headers[.cacheControl] == "private, max-age=86400")
    }
}
