import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingHTTP
import LadingTesting
import Testing

@testable import LadingFeeds
@testable import Window

/// Pages with content stored by an earlier run, while the server is unreachable.
@Suite struct ArchivedPagesTests {
    private let browser: HTTPFields = [.accept: "text/html,application/xhtml+xml"]
    private let archive = RecordArchive(
        store: MemoryRecordStore<ArchivedValue>(now: { Date(timeIntervalSince1970: 0) }), byteLimit: 1 << 20, clock: ManualClock(),
        now: { Date(timeIntervalSince1970: 0) })

    /// Returns a server that responds.
    private static func origin(_ edition: String = "Order") -> ScriptedExecutor {
        let executor = ScriptedExecutor()
        let ids = 1...40
        executor.script("http://a.org/orders.plist", .response(text: Wire.list(ids.map { ("\($0)", "http://a.org/\($0).xml") })))
        for id in ids { executor.script("http://a.org/\(id).xml", .response(text: Wire.order(title: "\(edition) \(id)"))) }
        executor.script("http://a.org/items.plist", .response(text: Wire.list([("1", "http://a.org/item-1.xml")])))
        executor.script("http://a.org/item-1.xml", .response(text: Wire.item("Broccoli", imageURL: "http://a.org/1.svg")))
        executor.script("http://a.org/1.svg", .response(headers: [.contentType: "image/svg+xml"], text: "<svg/>"))
        executor.script(PhotoWire.rovers, .response(text: #"{"rovers":[{"name":"Curiosity","status":"active","max_sol":1000}]}"#))
        executor.script(PhotoWire.manifest, .response(text: PhotoWire.manifest(of: [996, 1_000, 1_001])))
        executor.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...3)))
        return executor
    }

    /// Returns an unreachable server.
    private static func unreachable() -> ScriptedExecutor {
        let executor = ScriptedExecutor()
        let error = BackendError.unreachable(URL(string: "http://a.org/")!, cause: URLError(.cannotConnectToHost))
        let documents = [PhotoWire.rovers, PhotoWire.manifest, PhotoWire.sol(1_000)]
        for url in documents + ["orders.plist", "items.plist"].map({ "http://a.org/\($0)" }) + (1...40).map({ "http://a.org/\($0).xml" }) {
            executor.script(url, .failure(error))
        }
        return executor
    }

    private func get(_ path: String, from executor: ScriptedExecutor, _ headers: HTTPFields = [:]) async throws -> TestResponse {
        let server = try await WindowServer(executor: executor, archive: archive)
        return try await server.application.test(.router) { try await $0.execute(uri: path, method: .get, headers: headers) }
    }

    /// Requests pages in one run of the program.
    private func visit(_ paths: String..., from executor: ScriptedExecutor = ArchivedPagesTests.origin()) async throws {
        let server = try await WindowServer(executor: executor, archive: archive)
        for path in paths {
            _ = try await server.application.test(.router) { try await $0.execute(uri: path, method: .get) }
        }
        await archive.flush()
    }

    @Test(arguments: [true, false])
    func `Stored orders are shown with the reason why they could not be refreshed`(isPlain: Bool) async throws {
        try await visit("/orders?plain=1")
        let executor = Self.unreachable()

        let page = try await get("/orders", from: executor, isPlain ? [:] : browser)

        #expect(page.status == .ok)
        #expect(page.text.contains("40 orders"))
        #expect(page.text.matches(of: /data-state="loaded"/).count >= (isPlain ? 30 : 12))
        #expect(page.text.contains("Order 12"))
        #expect(page.text.contains("data-at=\"7200000\""))
        if isPlain { #expect(page.text.contains("a.org")) }
        #expect(!executor.requestedURLs.contains("http://a.org/1.xml"))
    }

    @Test func `A stored order is shown with its items, its age and the reason why it could not be refreshed`() async throws {
        try await visit("/orders?plain=1", "/orders/7?plain=1")

        let page = try await get("/orders/7?plain=1", from: Self.unreachable())

        #expect(page.status == .ok)
        #expect(page.text.contains("Order 7"))
        #expect(page.text.contains("Broccoli"))
        #expect(page.text.contains("/orders/items/1/picture"))
        #expect(page.text.contains("Couldn’t refresh"))
        #expect(page.text.contains("Stored 2 hours ago"))
    }

    @Test func `A stored order is replaced once the server responds`() async throws {
        try await visit("/orders?plain=1", "/orders/7?plain=1")

        let page = try await get("/orders/7?plain=1", from: Self.origin("Errand"))

        #expect(page.text.contains("Errand 7"))
        #expect(!page.text.contains("Stored"))
    }

    @Test func `An order that is not stored is reported as unreachable`() async throws {
        let page = try await get("/orders/7?plain=1", from: Self.unreachable())

        #expect(page.status != .ok)
        #expect(page.text.contains("a.org"))
    }

    @Test func `Stored rovers are shown with their age and the error`() async throws {
        try await visit("/photos")

        let page = try await get("/photos", from: Self.unreachable())

        #expect(page.text.contains("Last sol"))
        #expect(page.text.contains("1000"))
        #expect(page.text.contains("rovers-error"))
        #expect(page.text.contains("Stored 2 hours ago"))
        #expect(try await !get("/photos", from: Self.origin()).text.contains("Stored"))
    }

    @Test func `A stored sol is shown with its photos, its day, its adjacent sols and its photo pages`() async throws {
        try await visit("/photos/curiosity/1000?plain=1")

        let page = try await get("/photos/curiosity/1000?plain=1", from: Self.unreachable())
        #expect(page.text.contains("May 30, 2015 · 3 photos"))
        #expect(page.text.matches(of: /data-index=/).count == 3)
        #expect(page.text.contains(#"href="/photos/curiosity/996""#))
        #expect(page.text.contains("data-at=\"7200000\""))
        #expect(page.text.contains("a.org"))

        let photo = try await get("/photos/curiosity/1000/2", from: Self.unreachable())
        #expect(photo.status == .ok)
        #expect(photo.text.contains("/photos/curiosity/1000/1"))
        #expect(photo.text.contains("/photos/curiosity/1000/3"))
        #expect(try await get("/photos/curiosity", from: Self.unreachable()).headers[.location] == "/photos/curiosity/1001")
    }

    @Test(arguments: ["/photos/curiosity/1000?plain=1", "/photos/curiosity/1000/2"])
    func `A stored list of photos shows how many it skipped`(path: String) async throws {
        let origin = Self.origin()
        origin.script(PhotoWire.sol(1_000), .response(text: PhotoWire.photos(1...3).replacing(#""id":3,"#, with: "")))
        try await visit(path, from: origin)

        let stored = try await get("/photos/curiosity/1000?plain=1", from: Self.unreachable())
        let fetched = try await get("/photos/curiosity/1000?plain=1", from: Self.origin())

        #expect(stored.text.contains("May 30, 2015 · 2 photos · 1 photo could not be read and was left out"))
        #expect(fetched.text.contains("May 30, 2015 · 3 photos") && !fetched.text.contains("left out"))
    }

    @Test func `A sol that is not stored is reported as unreachable`() async throws {
        let page = try await get("/photos/curiosity/1000?plain=1", from: Self.unreachable())

        #expect(page.text.matches(of: /data-index=/).isEmpty)
        #expect(page.text.contains("a.org"))
    }
}
