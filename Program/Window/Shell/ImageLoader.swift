import Foundation
import HTTPFieldValues
import HTTPTypes
import LadingCaching
import LadingHTTP
import LadingOperations
import NIOCore
import Thumbnails

/// A loader of item images through the engine, with a memory cache.
struct ImageLoader: Sendable {
    /// A loaded image.
    struct LoadedImage: Sendable {
        let mediaType: String
        /// The bytes in the form in which responses share them.
        let body: ByteBuffer

        init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            body = ByteBuffer(bytes: bytes)
        }
    }

    /// An error for a response that is not an image.
    struct NotAnImage: Error, CustomStringConvertible {
        let mediaType: String?
        var description: String { "not an image: \(mediaType ?? "no media type")" }
    }

    /// The media types that are served to browsers as images.
    private static let mediaTypes: Set<String> = [
        "image/svg+xml", "image/png", "image/jpeg", "image/gif", "image/webp", "image/avif",
    ]

    /// The lifetime of an image in memory; then the HTTP cache behind it decides about revalidation.
    static let lifetime = Duration.seconds(600)

    /// The images that failed to load.
    let failedImages = FailedImages()
    /// The maximum size of an image, in bytes.
    private static let sizeLimit = 4 << 20
    private let client: BackendClient
    private let list: URL
    private let cache: MemoryCache<URL, LoadedImage>

    /// - Parameters:
    ///   - list: The list of the items with these images; only its host may be at a private address.
    ///   - clock: Measures the lifetime of images in memory.
    init(client: BackendClient, list: URL, clock: some Clock<Duration> = ContinuousClock()) {
        self.client = client
        self.list = list
        cache = MemoryCache(costLimit: 64 << 20, lifetime: Self.lifetime, clock: clock)
    }

    /// Returns an operation that loads the image at a URL.
    func load(_ url: URL) -> BackendOperation<LoadedImage> {
        if let image = cache.value(for: url) { return BackendOperation("picture", result: .success(image)) }
        let cache = cache
        let operation = client.operation(
            BackendRequest(url: url, trust: .discovered(in: list), limits: ResponseLimits(bodySize: Self.sizeLimit)) { response in
                let image = try Self.image(in: response)
                cache.store(image, for: url, cost: image.body.readableBytes)
                return image
            })
        operation.onResult { [failedImages, reachability = client.reachability] in failedImages.record($0, of: url, reachability) }
        return operation
    }

    /// Returns the image of a response. Without the media type of an image, its format is detected from its bytes.
    ///
    /// - Throws: `NotAnImage`.
    static func image(in response: BackendResponse) throws -> LoadedImage {
        let declared = response.headers.mediaType.flatMap { mediaTypes.contains($0) ? $0 : nil }
        guard let mediaType = declared ?? (try? ImageFormat(of: response.body))?.mediaType else {
            throw NotAnImage(mediaType: response.headers[.contentType])
        }
        return LoadedImage(mediaType: mediaType, bytes: response.body)
    }
}
