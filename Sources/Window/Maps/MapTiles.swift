import DemoCity
import Hummingbird
package import LadingHTTP
package import LadingOperations
import NIOCore

/// The tiles of the map: the drawing of the demo city, or those of an operator's server.
package struct MapTiles: Sendable {
    private enum Source: Sendable {
        case demoCity(TileArtist)
        case server(TileServer)
    }

    /// The time for which a tile is fresh whose server does not say.
    package static let defaultLifetime = TileServer.defaultLifetime

    /// The drawing changes only with the program.
    private static let drawingCacheControl = "public, max-age=604800"

    /// It is laid out once for all servers of a process.
    private static let demoCity = City()

    let legend: MapLegend
    private let source: Source

    /// The drawing of the demo city, which shows no other place.
    package init() {
        let city = Self.demoCity
        legend = .demoCity(city)
        source = .demoCity(TileArtist(city: city))
    }

    /// The tiles of an operator's server, which shows every place.
    ///
    /// - Parameters:
    ///   - attribution: The words that the server wants beside its map; nil for its host.
    ///   - client: Loads the tiles, for instance with a cache.
    package init(_ template: TileTemplate, attribution: String?, client: BackendClient, queue: BackendQueue) {
        legend = .server(attribution: attribution ?? template.host, fingerprint: template.fingerprint)
        source = .server(TileServer(template, client: client, queue: queue))
    }

    func response(for tile: Tile) async throws -> Response {
        switch source {
        case .demoCity(let artist):
            return .file(ByteBuffer(string: artist.svg(tile)), mediaType: "image/svg+xml", cacheControl: Self.drawingCacheControl)
        case .server(let server):
            let answer = try await server.answer(for: tile)
            return .picture(answer.picture, fields: answer.lifetime)
        }
    }
}
