import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingOperations

/// The pictures of items, loaded through the engine and kept in memory for a while.
struct PictureStore: Sendable {
    /// A picture as it came: its media type and its bytes.
    struct Picture: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    /// What a server sent in place of a picture.
    struct NoPicture: Error, CustomStringConvertible {
        let mediaType: String?
        var description: String { "no picture but \(mediaType ?? "something of no type")" }
    }

    /// The types that are handed on to a browser as pictures.
    private static let mediaTypes: Set<String> = [
        "image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
    ]

    /// For how long a picture is handed out before it is asked for again: whether it is still good, the cache behind it knows.
    static let lifetime = Duration.seconds(600)

    /// Those that could not be loaded.
    let missing = MissingPictures()
    private static let sizeLimit = 4 << 20
    private let client: BackendClient
    private let list: URL
    private let kept: MemoryCache<URL, Picture>

    /// - Parameters:
    ///   - list: The list of the items that the pictures belong to; its host alone may lie at a private address.
    ///   - clock: Tells when a picture is asked for again.
    init(client: BackendClient, namedBy list: URL, clock: some Clock<Duration> = ContinuousClock()) {
        self.client = client
        self.list = list
        kept = MemoryCache(costLimit: 64 << 20, lifetime: Self.lifetime, clock: clock)
    }

    /// An operation that gives the picture at a URL.
    func load(_ url: URL) -> BackendOperation<Picture> {
        if let picture = kept.value(for: url) { return BackendOperation("picture", ended: .success(picture)) }
        let kept = kept
        let operation = client.operation(
            BackendRequest(url: url, provenance: .named(by: list), bounds: ReplyBounds(bodySize: Self.sizeLimit)) { reply in
                let picture = try Self.picture(in: reply)
                kept.store(picture, for: url, cost: picture.bytes.count)
                return picture
            })
        operation.onResult { [missing, reachability = client.reachability] in missing.note($0, of: url, reachability) }
        return operation
    }

    /// - Throws: `NoPicture`.
    static func picture(in reply: BackendReply) throws -> Picture {
        let field = reply.headers[.contentType]
        let mediaType = field?.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
        guard let mediaType, mediaTypes.contains(mediaType) else { throw NoPicture(mediaType: field) }
        return Picture(mediaType: mediaType, bytes: reply.body)
    }
}
