import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import Testing

@testable import LadingFeeds
@testable import Window

/// What the pages show of an earlier run of the program, while the server cannot be reached.
@Suite struct ArchivedPagesTests {
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]
    private let archive = RecordArchive(
        store: MemoryRecordStore<ArchivedValue>(now: { Date(timeIntervalSince1970: 0) }), byteLimit: 1 << 20, clock: ManualClock(),
        now: { Date(timeIntervalSince1970: 0) })

    /// A server that answers.
    private static func origin(_ edition: String = "Order") -> ScriptedExecutor {
        let executor = ScriptedExecutor()
        let ids = 1...40
        executor.script("http://a.org/orders.plist", .reply(text: Wire.list(ids.map { ("\($0)", "http://a.org/\($0).xml") })))
        for id in ids { executor.script("http://a.org/\(id).xml", .reply(text: Wire.order(title: "\(edition) \(id)"))) }
        executor.script("http://a.org/items.plist", .reply(text: Wire.list([("1", "http://a.org/item-1.xml")])))
        executor.script("http://a.org/item-1.xml", .reply(text: Wire.item("Broccoli", picture: "http://a.org/1.svg")))
        executor.script("http://a.org/1.svg", .reply(headers: [.contentType: "image/svg+xml"], text: "<svg/>"))
        executor.script(PhotoWire.rovers, .reply(text: #"{"rovers":[{"name":"Curiosity","status":"active","max_sol":1000}]}"#))
        executor.script(PhotoWire.manifest, .reply(text: PhotoWire.manifest(of: [996, 1_000, 1_001])))
        executor.script(PhotoWire.sol(1_000), .reply(text: PhotoWire.photos(1...3)))
        return executor
    }

    /// A server that is out of reach.
    private static func outOfReach() -> ScriptedExecutor {
        let executor = ScriptedExecutor()
        let error = BackendError.unreachable(URL(string: "http://a.org/")!, cause: URLError(.cannotConnectToHost))
        let documents = [PhotoWire.rovers, PhotoWire.manifest, PhotoWire.sol(1_000)]
        for url in documents + ["orders.plist", "items.plist"].map({ "http://a.org/\($0)" }) + (1...40).map({ "http://a.org/\($0).xml" }) {
            executor.script(url, .failure(error))
        }
        return executor
    }

    private func get(_ path: String, from executor: ScriptedExecutor, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        let server = try await WindowServer(showing: executor, archive: archive)
        return try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    /// What a run of the program looks at; then it ends.
    private func look(at paths: String..., from executor: ScriptedExecutor = ArchivedPagesTests.origin()) async throws {
        let server = try await WindowServer(showing: executor, archive: archive)
        for path in paths {
            _ = try await server.application.test(.router) { try await $0.execute(uri: path, method: .get) }
        }
        await archive.flush()
    }

    @Test(arguments: [true, false])
    func `The orders that were seen are there, with the reason why they are not newer`(isPlain: Bool) async throws {
        try await look(at: "/orders?plain=1")
        let executor = Self.outOfReach()

        let page = try await get("/orders", from: executor, isPlain ? [:] : browser)

        #expect(page.status == .ok)
        #expect(page.text.contains("40 orders"))
        #expect(page.text.matches(of: /data-state="loaded"/).count >= (isPlain ? 30 : 12))
        #expect(page.text.contains("Order 12"))
        #expect(page.text.contains("data-at=\"7200000\""))
        if isPlain { #expect(page.text.contains("a.org")) }
        #expect(!executor.requestedURLs.contains("http://a.org/1.xml"))
    }

    @Test func `An order that was seen is there with its items, its age, and the reason why it is not newer`() async throws {
        try await look(at: "/orders?plain=1", "/orders/7?plain=1")

        let page = try await get("/orders/7?plain=1", from: Self.outOfReach())

        #expect(page.status == .ok)
        #expect(page.text.contains("Order 7"))
        #expect(page.text.contains("Broccoli"))
        #expect(page.text.contains("/orders/items/1/picture"))
        #expect(page.text.contains("Could not be reloaded"))
        #expect(page.text.contains("Stored 2 hours ago"))
    }

    @Test func `An order is newer than it was stored as soon as the server answers`() async throws {
        try await look(at: "/orders?plain=1", "/orders/7?plain=1")

        let page = try await get("/orders/7?plain=1", from: Self.origin("Errand"))

        #expect(page.text.contains("Errand 7"))
        #expect(!page.text.contains("Stored"))
    }

    @Test func `An order that was never seen is told as unreachable`() async throws {
        let page = try await get("/orders/7?plain=1", from: Self.outOfReach())

        #expect(page.status != .ok)
        #expect(page.text.contains("a.org"))
    }

    @Test func `The rovers are there with the reason why more is not known, and how old that is`() async throws {
        try await look(at: "/photos")

        let page = try await get("/photos", from: Self.outOfReach())

        #expect(page.text.contains("Last sol"))
        #expect(page.text.contains("1000"))
        #expect(page.text.contains("rovers-error"))
        #expect(page.text.contains("Stored 2 hours ago"))
        #expect(try await !get("/photos", from: Self.origin()).text.contains("Stored"))
    }

    @Test func `The photos of a sol, its day, its neighbours and the page of a photo are there`() async throws {
        try await look(at: "/photos/curiosity/1000?plain=1")

        let page = try await get("/photos/curiosity/1000?plain=1", from: Self.outOfReach())
        #expect(page.text.contains("May 30, 2015 · 3 photos"))
        #expect(page.text.matches(of: /data-index=/).count == 3)
        #expect(page.text.contains(#"href="/photos/curiosity/996""#))
        #expect(page.text.contains("data-at=\"7200000\""))
        #expect(page.text.contains("a.org"))

        let photo = try await get("/photos/curiosity/1000/2", from: Self.outOfReach())
        #expect(photo.status == .ok)
        #expect(photo.text.contains("/photos/curiosity/1000/1"))
        #expect(photo.text.contains("/photos/curiosity/1000/3"))
        #expect(try await get("/photos/curiosity", from: Self.outOfReach()).headers[.location] == "/photos/curiosity/1001")
    }

    @Test(arguments: ["/photos/curiosity/1000?plain=1", "/photos/curiosity/1000/2"])
    func `A stored list of photos still says how many it left out`(path: String) async throws {
        let origin = Self.origin()
        origin.script(PhotoWire.sol(1_000), .reply(text: PhotoWire.photos(1...3).replacing(#""id":3,"#, with: "")))
        try await look(at: path, from: origin)

        let stored = try await get("/photos/curiosity/1000?plain=1", from: Self.outOfReach())
        let fetched = try await get("/photos/curiosity/1000?plain=1", from: Self.origin())

        #expect(stored.text.contains("May 30, 2015 · 2 photos · 1 photo could not be read and was left out"))
        #expect(fetched.text.contains("May 30, 2015 · 3 photos") && !fetched.text.contains("left out"))
    }

    @Test func `A sol that was never seen is told as unreachable`() async throws {
        let page = try await get("/photos/curiosity/1000?plain=1", from: Self.outOfReach())

        #expect(page.text.matches(of: /data-index=/).isEmpty)
        #expect(page.text.contains("a.org"))
    }
}
