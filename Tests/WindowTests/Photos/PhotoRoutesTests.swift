import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import Testing

@testable import Window

/// The photo pages as served to a client.
@Suite struct PhotoRoutesTests {
    private let executor = ScriptedExecutor()
    private let server: WindowServer
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]

    init() async throws {
        server = try await WindowServer(executor: executor)
        executor.script(PhotoWire.manifest, .response(text: PhotoWire.manifest(of: [996, 1_000, 1_001])))
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...60)))
        for id in 1...60 { executor.script(PhotoWire.image(id), .response(body: PhotoWire.gif)) }
    }

    private func get(_ path: String, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    // MARK: A sol

    @Test func `A plain page contains its photos and a link to the next page`() async throws {
        let page = try await get("/photos/curiosity/1000")

        #expect(page.status == .ok)
        #expect(page.text.matches(of: /<img src="\/photos\/curiosity\/1000\/\d+\/picture\?size=320"/).count == 48)
        #expect(page.text.contains("Curiosity · Sol 1000"))
        #expect(page.text.contains("May 30, 2015 · 60 photos"))
        #expect(page.text.contains("plain=1&amp;from=48"))
        #expect(executor.requests.allSatisfy { !$0.url.absoluteString.hasSuffix(".jpg") })
    }

    @Test func `The page of a sol shows how many photos were skipped`() async throws {
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...4).replacing(/"id":[23],/, with: "")))

        let page = try await get("/photos/curiosity/1000")

        #expect(page.text.contains("May 30, 2015 · 2 photos · 2 photos could not be read and were left out"))
    }

    @Test func `A photo without a date has that of its sol`() async throws {
        let undated = PhotoWire.photos(1...3, sol: 996).replacing(#""earth_date":"2015-05-30","#, with: "")
        executor.script(PhotoWire.sol(996), .response(text: undated))

        let page = try await get("/photos/curiosity/996/1?plain=1", browser)

        #expect(page.status == .ok)
        #expect(page.text.contains("<dd><bdi>May 26, 2015</bdi></dd>"))
    }

    @Test func `The last page of a sol contains the remaining photos`() async throws {
        let page = try await get("/photos/curiosity/1000?plain=1&from=48")

        #expect(page.text.matches(of: /data-index=/).count == 12)
        #expect(page.text.contains("49–60 of 60"))
    }

    @Test func `Links to the previous and next sol skip sols without photos`() async throws {
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
    func `A sol is found by its number or date, and the last one without either`(query: String, address: String) async throws {
        let response = try await get("/photos/curiosity\(query)")

        #expect(response.status == .seeOther)
        #expect(response.headers[.location] == address)
    }

    @Test(arguments: [
        "/photos/curiosity/abc", "/photos/curiosity/-1", "/photos/curiosity?sol=abc", "/photos/curiosity?date=2015-13-45",
        "/photos/no%20rover/1", "/photos/curiosity/1000/999", "/photos/curiosity/1000/999/picture",
    ])
    func `An unknown sol or photo is not found, and the page links to the rovers`(path: String) async throws {
        let page = try await get(path)

        #expect(page.status == .notFound)
        #expect(page.text.contains(#"href="/photos""#))
    }

    @Test func `An unknown rover is reported`() async throws {
        executor.script("\(PhotoWire.service)/manifests/vostok", .response(status: .badRequest, text: #"{"errors":"Invalid Rover Name"}"#))
        executor.script(
            "\(PhotoWire.service)/rovers/vostok/photos?sol=1", .response(status: .badRequest, text: #"{"errors":"Invalid Rover Name"}"#))

        #expect(try await get("/photos/vostok").status == .notFound)
        #expect(try await get("/photos/vostok/1").text.contains("no rover vostok"))
    }

    @Test func `Sols without photos and after the last one suggest another sol`() async throws {
        executor.script(PhotoWire.sol(998), .response(text: PhotoWire.photos([])))
        executor.script(PhotoWire.sol(5_000), .response(text: PhotoWire.photos([])))
        executor.script(PhotoWire.sol(1_000, camera: "mast"), .response(text: PhotoWire.photos([])))

        #expect(
            try await get("/photos/curiosity/998").text.contains("Curiosity took no photos on Sol 998. Go to the previous or next sol."))
        let late = try await get("/photos/curiosity/5000")
        #expect(late.text.contains("is after the last photos of Curiosity, which are from Sol 1001"))
        #expect(late.text.contains(#"rel="prev" href="/photos/curiosity/1001""#))
        #expect(try await get("/photos/curiosity/1000?camera=mast").text.contains("MAST of Curiosity took no photos on Sol 1000."))
    }

    @Test func `A failed source is reported with a retry button`() async throws {
        executor.script(PhotoWire.sol(997), .response(status: .internalServerError))

        let page = try await get("/photos/curiosity/997")

        #expect(page.status == .ok)
        #expect(page.text.contains("the server responded with 500"))
        #expect(page.text.contains(#"action="/photos/curiosity/997""#))
    }

    @Test func `Cameras can be selected, and the selected one is marked`() async throws {
        executor.script(PhotoWire.sol(1_000, camera: "mast"), .response(text: PhotoWire.photos([7], camera: "MAST")))

        let page = try await get("/photos/curiosity/1000?camera=mast")

        #expect(
            page.text.contains(
                #"<a class="chip" href="/photos/curiosity/1000?camera=MAST" title="Mast Camera" aria-current="true">MAST</a>"#))
        #expect(page.text.contains(#"href="/photos/curiosity/1000?camera=FHAZ""#))
        #expect(page.text.contains(#"href="/photos/curiosity/1000" title="">All cameras</a>"#))
        #expect(page.text.contains(#"<a href="/photos/curiosity/1000/7?camera=MAST">"#))
    }

    // MARK: Rovers

    @Test func `Rovers are shown with their profiles`() async throws {
        executor.script(
            PhotoWire.rovers,
            .response(
                text: #"{"rovers":[{"name":"Curiosity","landing_date":"2012-08-06","status":"active","max_sol":1001,"total_photos":9}]}"#))

        let page = try await get("/photos")

        #expect(page.text.contains(#"href="/photos/curiosity/1001""#))
        #expect(page.text.contains(#"<span class="rover-status">Active</span>"#))
        #expect(page.text.contains("August 6, 2012"))
        #expect(page.text.contains("9 photos"))
    }

    @Test func `Rovers can be selected without profiles, and the page shows the error`() async throws {
        executor.script(PhotoWire.rovers, .response(status: .internalServerError))

        let page = try await get("/photos")

        for rover in ["curiosity", "opportunity", "spirit", "perseverance"] { #expect(page.text.contains(#"href="/photos/\#(rover)""#)) }
        #expect(page.text.contains("the server responded with 500"))
    }

    // MARK: Images

    @Test func `An image is loaded once and is cacheable only under its versioned URL`() async throws {
        let first = try await get("/photos/curiosity/1000/5/picture?size=320")
        let second = try await get("/photos/curiosity/1000/5/picture?size=300&v=nonsense")

        #expect(first.status == .ok)
        #expect(first.headers[.contentType] == "image/gif")
        #expect(first.headers[.cacheControl] == "no-store" && second.headers[.cacheControl] == "no-store")
        #expect(executor.requests.count { $0.url.absoluteString == PhotoWire.image(5) } == 1)
    }

    @Test func `A web page in place of an image is reported as one`() async throws {
        executor.script(PhotoWire.image(6), .response(headers: [.contentType: "image/jpeg"], text: "<!doctype html><title>Gone</title>"))

        let response = try await get("/photos/curiosity/1000/6/picture?size=320", browser)

        #expect(response.status == .badGateway)
        #expect(response.text.contains("received a web page"))
    }

    @Test func `A photo is shown with its details and links to the adjacent photos`() async throws {
        let page = try await get("/photos/curiosity/1000/2")

        #expect(page.text.contains("Camera FHAZ (FHAZ)"))
        #expect(page.text.contains("May 30, 2015"))
        #expect(page.text.contains(#"download="curiosity-sol-1000-2.jpg""#))
        // `aria-busy` is set by the script only: without scripts, nothing would clear it.
        #expect(!page.text.contains("aria-busy"))
        #expect(page.text.contains(#"rel="prev" href="/photos/curiosity/1000/1""#))
        #expect(page.text.contains(#"rel="next" href="/photos/curiosity/1000/3""#))
        let address = try #require(page.text.firstMatch(of: /id="picture" src="([^"]+)"/)?.1)
        #expect(try await get(String(address)).headers[.cacheControl] == "private, max-age=86400")
    }
}
