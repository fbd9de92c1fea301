import DemoCity
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LadingCaching
import LadingHTTP
import LadingOperations
import LadingTesting
import NIOCore
import Synchronization
import Testing
@testable import Window

/// Tiles of an operator's server as served to a browser.
@Suite final class MapTilesTests: Sendable {
    private let executor = ScriptedExecutor()
    private let queue = BackendQueue()
    private let day = Mutex(0.0)
    private let address = "https://tiles.org/15/9656/12313.png?key=secret"
    private let tile = "/tiles/15/9656/12313?source=1"

    /// Returns a window with tiles from a template and a cache.
    private func window(_ template: String = "https://tiles.org/{z}/{x}/{y}.png?key=secret") async throws -> WindowServer {
        let cache = HTTPCache(
            store: MemoryBlobStore(byteLimit: 1 << 20), defaultLifetime: MapTiles.defaultLifetime, refreshQueue: queue, clock: ManualClock()
        ) { [self] in Date(timeIntervalSince1970: day.withLock { $0 } * 86_400) }
        let client = BackendClient(executor: executor, cache: cache)
        let tiles = MapTiles(try TileTemplate(template), attribution: "© Somebody", client: client, queue: queue)
        return try await WindowServer(executor: executor, tiles: tiles)
    }

    private func get(_ path: String, from server: WindowServer) async throws -> TestResponse {
        try await server.application.test(.router) { try await $0.execute(uri: path, method: .get) }
    }

    @Test func `A tile of the operator's server is passed on as a sandboxed image`() async throws {
        executor.script(address, .response(headers: [.contentType: "image/png"], text: "tile"))

        let response = try await get(tile, from: try await window())

        #expect(response.status == .ok && response.text == "tile")
        #expect(response.headers[.contentType] == "image/png")
        #expect(response.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        #expect(executor.requests.first?.headers[.userAgent] == "Lading")
    }

    @Test func `A tile without cache headers is cached for seven days, here and in the browser`() async throws {
        executor.script(address, .response(headers: [.contentType: "image/png"], text: "tile"))
        let window = try await window()

        #expect(try await get(tile, from: window).headers[.cacheControl] == "max-age=604800")
        day.withLock { $0 = 6.9 }
        let later = try await get(tile, from: window)
        #expect(later.text == "tile" && later.headers[.age] == "596160")
        #expect(executor.requests.count == 1)

        day.withLock { $0 = 7.1 }
        _ = try await get(tile, from: window)
        #expect(executor.requests.count == 2)
    }

    @Test func `The lifetime in a tile's cache headers is used`() async throws {
        executor.script(
            address, .response(headers: [.contentType: "image/png", .cacheControl: "public, max-age=3600", .eTag: "\"1\""], text: "tile"))
        let window = try await window()

        #expect(try await get(tile, from: window).headers[.cacheControl] == "public, max-age=3600")
        day.withLock { $0 = 0.1 }
        _ = try await get(tile, from: window)

        #expect(executor.requests.map { $0.headers[.ifNoneMatch] } == [nil, "\"1\""])
    }

    @Test func `A response that is not an image is neither passed on nor cached`() async throws {
        executor.script(
            address, .response(headers: [.contentType: "text/html"], text: "<script>"),
            .response(headers: [.contentType: "image/png"], text: "tile"))
        let window = try await window()

        #expect(try await get(tile, from: window).status == .badGateway)
        #expect(try await get(tile, from: window).text == "tile")
    }

    @Test func `A tile over the size limit is refused`() async throws {
        let body = [UInt8](repeating: 0, count: TileServer.sizeLimit + 1)
        executor.script(address, .response(headers: [.contentType: "image/png"], body: body))

        #expect(try await get(tile, from: try await window()).status == .badGateway)
    }

    @Test func `A redirect of the server may not lead to a private address`() async throws {
        executor.script(address, .response(status: .found, headers: [.location: "http://10.0.0.1/inside.png"]))
        executor.script("http://10.0.0.1/inside.png", .response(headers: [.contentType: "image/png"], text: "secret"))

        let response = try await get(tile, from: try await window())

        #expect(response.status == .badGateway && !response.text.contains("secret"))
        #expect(executor.requestedURLs == [address])
    }

    @Test func `The key of a template and the place of a tile appear in no operation name and no page`() async throws {
        executor.script(address, .response(status: .forbidden))
        let window = try await window()

        let problem = try await get(tile, from: window)
        let names = queue.trace().flatMap { [$0.operation, $0.parent ?? ""] }

        #expect(problem.status == .badGateway && !problem.text.contains("secret"))
        #expect(names.contains("map tile") && !names.contains { $0.contains("secret") || $0.contains("9656") })
        #expect(executor.requestedURLs == [address])
    }

    @Test(arguments: ["/tiles/15/99999/12313", "/tiles/20/1/1", "/tiles/1/-1/0"]) func `Tiles outside the world are not found`(path: String)
        async throws
    {
        #expect(try await get(path, from: try await window()).status == .notFound)
        #expect(executor.requests.isEmpty)
    }

    @Test func `A page shows the attribution of its tiles and requests them by source`() async throws {
        executor.script("http://a.org/orders.plist", .response(text: Wire.list([("1", "http://a.org/1.xml")])))
        executor.script("http://a.org/1.xml", .response(text: Wire.order(title: "Soup")))
        executor.script("http://a.org/items.plist", .response(text: Wire.list([])))

        let pages = [
            try await get("/orders/1", from: try await window()).text,
            try await get("/orders/1", from: try await window("https://other.org/{z}/{x}/{y}.png")).text,
        ]

        let sources = pages.map { $0.firstMatch(of: /href="\/tiles\/\d+\/\d+\/\d+\?source=(\w+)"/)?.output.1 }
        #expect(sources[0] != nil && sources[1] != nil && sources[0] != sources[1])
        #expect(pages.allSatisfy { $0.contains("© Somebody") && !$0.contains("Lading Harbor") })
    }
}

/// Coverage of map sources.
@Suite struct MapSourceTests {
    private let city = City()

    @Test func `The demo map covers the places of the demo city and no others`() throws {
        var generator = SystemRandomNumberGenerator()
        let source = MapTiles().source
        for _ in 0..<200 {
            let place = city.randomPlace(using: &generator)
            #expect(source.contains(place.coordinate, address: place.address))
            let house = String(place.address.prefix { $0 != "," })
            #expect(source.contains(place.coordinate, address: house), "\(house), as the addresses of demo deliveries are")
        }

        let place = city.randomPlace(using: &generator)
        #expect(!source.contains(place.coordinate, address: "1 Real Street, Astoria, NY"), "a real place at the coordinates of the city")
        #expect(!source.contains(place.coordinate, address: nil))
        #expect(!source.contains(Coordinate(latitude: 51.5, longitude: -0.12), address: place.address))
    }
}
