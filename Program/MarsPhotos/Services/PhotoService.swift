import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations

/// A photo service at one URL: builds the URLs of documents, and loads documents and photos.
struct PhotoService: Sendable {
    /// The maximum size of a document, in bytes.
    static let documentLimit = 64 << 20
    /// The time limit of a document; one service takes 20 s before the first byte of a sol.
    static let documentTimeout = Duration.seconds(120)
    /// The time limit of a photo.
    static let imageTimeout = Duration.seconds(300)

    /// The URL that all documents are below; without query, fragment and trailing slash.
    let base: URL
    private let client: BackendClient
    private let images: BackendClient

    /// - Parameter defaultPath: The path of the service on a server whose URL has no path.
    init(_ url: URL, defaultPath: String, allowsRoot: Bool, client: BackendClient, images: BackendClient?, key: PhotoAPIKey?) {
        let given = url.withoutQuery
        let isServer = given.path(percentEncoded: true).isEmpty
        base = isServer ? given.appending(path: defaultPath).withoutQuery : given
        let location = PhotoServiceLocation(base: base, root: isServer && allowsRoot ? given : nil)
        let documentClient = client.adding(RootFallbackInterceptor(location)).adding(UnknownRoverInterceptor(location: location))
        self.images = images ?? client
        self.client = key.map { documentClient.adding(PhotoAPIKeyInterceptor(location: location, key: $0)) } ?? documentClient
    }

    /// Returns the URL of a document.
    ///
    /// - Parameter path: The path below the base, in characters that need no escaping.
    func url(_ path: String = "", _ query: URLQuery = [:]) -> URL {
        let query = query.items.isEmpty ? "" : "?" + query.text
        return URL(string: base.absoluteString + path + query) ?? base
    }

    /// Returns an operation that downloads and decodes a document.
    func document<Value: Sendable>(
        _ name: String, at url: URL, read: @escaping @Sendable ([UInt8]) throws(PhotoDocumentError) -> Value
    ) -> BackendOperation<Value> {
        let limits = ResponseLimits(bodySize: Self.documentLimit, time: Self.documentTimeout)
        return BackendOperation(
            name, key: .action(name, on: url.absoluteString), lane: .cpu,
            after: client.operation(BackendRequest(url: url, limits: limits))
        ) { response in
            do throws(PhotoDocumentError) {
                return try read(response.status == .noContent ? PhotoDocument.null : response.body)
            } catch {
                throw BackendError.decodingFailed(response.url, cause: error)
            }
        }
    }

    /// Returns an operation that downloads a photo. A list may reference photos anywhere, but at private addresses only on its own host.
    ///
    /// Photos use a separate lane of their host: the latency of small documents does not predict how many photos saturate the link.
    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> {
        let url = size == .thumbnail ? photo.thumbnail ?? photo.image : photo.image
        let bounds = ResponseLimits(bodySize: MarsImage.sizeLimit, time: Self.imageTimeout)
        return images.operation(
            BackendRequest(url: url, trust: .discovered(in: base), limits: bounds) { response in try MarsImage(response.body) },
            lane: .network("\(url.authority ?? "") photos"))
    }
}

extension URL {
    /// The URL without query, fragment and trailing slashes.
    fileprivate var withoutQuery: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        while parts?.percentEncodedPath.hasSuffix("/") == true { parts?.percentEncodedPath.removeLast() }
        return parts?.url ?? self
    }
}
