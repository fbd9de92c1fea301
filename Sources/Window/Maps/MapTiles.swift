import DemoCity
import Hummingbird
package import LadingHTTP
package import LadingOperations
import NIOCore

/// The tiles of the map: the drawing of the demo city, or those of an operator's server.
package struct MapTiles: Sendable {
    private enum Backend: Sendable {
        case demoCity(TileRenderer)
        case server(TileServer)
    }

    /// The time for which a tile is fresh whose server does not say.
    package static let defaultLifetime = TileServer.defaultLifetime

    /// The drawing changes only with the program.
    private static let drawingCacheControl = "public, max-age=604800"

    /// It is laid out once for all servers of a process.
    private static let demoCity = City()

    let source: MapSource
    private let backend: Backend

    /// The drawing of the demo city, which shows no other place.
    package init() {
        let city = Self.demoCity
        source = .demoCity(city)
        backend = .demoCity(TileRenderer(city: city))
    }

    /// The tiles of an operator's server, which shows every place.
    ///
    /// - Parameters:
    ///   - attribution: The words that the server wants beside its map; nil for its host.
    ///   - client: Loads the tiles, for instance with a cache.
    package init(_ template: TileTemplate, attribution: String?, client: BackendClient, queue: BackendQueue) {
        source = .server(attribution: attribution ?? template.host, fingerprint: template.fingerprint)
        backend = .server(TileServer(template, client: client, queue: queue))
    }

    func response(for tile: Tile) async throws -> Response {
        switch backend {
        case .demoCity(let artist):
            return .file(ByteBuffer(string: artist.svg(tile)), mediaType: "image/svg+xml", cacheControl: Self.drawingCacheControl)
        case .server(let server):
            let response = try await server.response(for: tile)
            return .image(response.image, headers: response.cacheHeaders)
        }
    }
}
