import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations

/// Loads the tiles of an operator's server through the engine, like any other row.
struct TileServer: Sendable {
    /// A tile as it came, and the fields that bound its lifetime in other caches.
    struct Answer: Sendable {
        let picture: PictureStore.Picture
        let lifetime: HTTPFields
    }

    /// The time for which a tile is fresh whose server does not say.
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

    /// - Throws: `BackendError`; `Refusal.nothingHere` where the template makes no address of the tile.
    func answer(for tile: Tile) async throws -> Answer {
        guard let url = template.url(of: tile) else { throw Refusal.nothingHere }
        // Some servers refuse clients without a name.
        let request = BackendRequest(
            url: url, headers: [.userAgent: "Lading", .accept: "image/*"],
            bounds: ReplyBounds(bodySize: Self.sizeLimit, time: Self.timeLimit)
        ) { reply in
            Answer(picture: try PictureStore.picture(in: reply), lifetime: Self.lifetime(of: reply.headers))
        }
        return try await queue.value(of: client.operation(request), priority: .visible)
    }

    private static func lifetime(of headers: HTTPFields) -> HTTPFields {
        var lifetime: HTTPFields = [:]
        for name in [HTTPField.Name.cacheControl, .expires, .age] { lifetime[name] = headers[name] }
        if lifetime[.cacheControl] == nil, lifetime[.expires] == nil {
            lifetime[.cacheControl] = "max-age=\(defaultLifetime.components.seconds)"
        }
        return lifetime
    }
}
