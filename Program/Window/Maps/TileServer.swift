import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations

/// A loader of tiles from an operator's server through the engine.
struct TileServer: Sendable {
    /// A tile and the header fields that bound its lifetime in other caches.
    struct TileResponse: Sendable {
        let image: ImageLoader.LoadedImage
        let cacheHeaders: HTTPFields
    }

    /// The freshness lifetime of tiles from a server that specifies none.
    static let defaultLifetime = Duration.seconds(7 * 24 * 3_600)
    /// The maximum size of a tile in bytes.
    static let sizeLimit = 1 << 20
    /// The maximum duration of a tile's exchange.
    static let timeLimit = Duration.seconds(20)

    let template: TileTemplate
    private let client: BackendClient
    private let queue: BackendQueue

    init(_ template: TileTemplate, client: BackendClient, queue: BackendQueue) {
        self.template = template
        self.client = client.adding(TileKeyInterceptor(template))
        self.queue = queue
    }

    /// Loads a tile from the server.
    ///
    /// - Throws: `BackendError`; `PageError.notFound` when the template has no valid URL for the tile.
    func response(for tile: Tile) async throws -> TileResponse {
        guard let url = template.url(of: tile) else { throw PageError.notFound }
        // Some servers refuse clients without a name.
        let request = BackendRequest(
            url: url, headers: [.userAgent: "Lading", .accept: "image/*"],
            limits: ResponseLimits(bodySize: Self.sizeLimit, time: Self.timeLimit)
        ) { response in
            TileResponse(image: try ImageLoader.image(in: response), cacheHeaders: Self.cacheHeaders(from: response.headers))
        }
        // The address of a tile shows where its reader looks, which the page of operations must not.
        return try await queue.value(of: client.operation(request, name: "map tile"), priority: .visible)
    }

    private static func cacheHeaders(from headers: HTTPFields) -> HTTPFields {
        var lifetime: HTTPFields = [:]
        for name in [HTTPField.Name.cacheControl, .expires, .age] { lifetime[name] = headers[name] }
        if lifetime[.cacheControl] == nil, lifetime[.expires] == nil {
            lifetime[.cacheControl] = "max-age=\(defaultLifetime.components.seconds)"
        }
        return lifetime
    }
}
