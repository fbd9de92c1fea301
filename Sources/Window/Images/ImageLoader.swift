import Foundation
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingOperations

/// The pictures of items, loaded through the engine and kept in memory for a while.
struct ImageLoader: Sendable {
    /// A picture as it came: its media type and its bytes.
    struct LoadedImage: Sendable {
        let mediaType: String
        let bytes: [UInt8]
    }

    /// What a server sent in place of a picture.
    struct NotAnImage: Error, CustomStringConvertible {
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
    let failedImages = FailedImages()
    private static let sizeLimit = 4 << 20
    private let client: BackendClient
    private let list: URL
    private let cache: MemoryCache<URL, LoadedImage>

    /// - Parameters:
    ///   - list: The list of the items that the pictures belong to; its host alone may lie at a private address.
    ///   - clock: Tells when a picture is asked for again.
    init(client: BackendClient, list: URL, clock: some Clock<Duration> = ContinuousClock()) {
        self.client = client
        self.list = list
        cache = MemoryCache(costLimit: 64 << 20, lifetime: Self.lifetime, clock: clock)
    }

    /// An operation that gives the picture at a URL.
    func load(_ url: URL) -> BackendOperation<LoadedImage> {
        if let image = cache.value(for: url) { return BackendOperation("picture", result: .success(image)) }
        let cache = cache
        let operation = client.operation(
            BackendRequest(url: url, trust: .discovered(in: list), limits: ResponseLimits(bodySize: Self.sizeLimit)) { response in
                let image = try Self.image(in: response)
                cache.store(image, for: url, cost: image.bytes.count)
                return image
            })
        operation.onResult { [failedImages, reachability = client.reachability] in failedImages.record($0, of: url, reachability) }
        return operation
    }

    /// - Throws: `NotAnImage`.
    static func image(in response: BackendResponse) throws -> LoadedImage {
        let field = response.headers[.contentType]
        let mediaType = field?.prefix { $0 != ";" }.lowercased().trimmingCharacters(in: .whitespaces)
        guard let mediaType, mediaTypes.contains(mediaType) else { throw NotAnImage(mediaType: field) }
        return LoadedImage(mediaType: mediaType, bytes: response.body)
    }
}
