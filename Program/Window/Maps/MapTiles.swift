import DemoCity
import Hummingbird
package import LadingHTTP
package import LadingOperations
import NIOCore

/// The tiles of the map: the drawing of the demo city, or the tiles of an operator's server.
package struct MapTiles: Sendable {
    private enum Backend: Sendable {
        case demoCity(TileRenderer)
        case server(TileServer)
    }

    /// The freshness lifetime of tiles from a server that specifies none.
    package static let defaultLifetime = TileServer.defaultLifetime

    /// The drawing changes only with the program.
    private static let tileCacheControl = "public, max-age=604800"

    let source: MapSource
    private let backend: Backend

    /// Creates the drawing of the demo city, which covers no other place.
    package init() {
        source = .demoCity(.shared)
        backend = .demoCity(TileRenderer(city: .shared))
    }

    /// Creates the tiles of an operator's server, which covers every place.
    ///
    /// - Parameters:
    ///   - attribution: The attribution that the server requires; nil for its host.
    ///   - client: Loads the tiles, for instance with a cache.
    package init(_ template: TileTemplate, attribution: String?, client: BackendClient, queue: BackendQueue) {
        source = .server(attribution: attribution ?? template.host, fingerprint: template.fingerprint)
        backend = .server(TileServer(template, client: client, queue: queue))
    }

    func response(for tile: Tile) async throws -> Response {
        switch backend {
        case .demoCity(let renderer):
            return .file(ByteBuffer(string: renderer.svg(tile)), mediaType: "image/svg+xml", cacheControl: Self.tileCacheControl)
        case .server(let server):
            let response = try await server.response(for: tile)
            return .image(response.image, headers: response.cacheHeaders)
        }
    }
}
