import Foundation
import LadingHTTP
import LadingOperations

/// A service of photos at one address: what its sources ask it, and how its documents and photos are read.
struct PhotoService: Sendable {
    /// The longest document, in bytes.
    static let documentLimit = 64 << 20
    /// How long a document may take; one service works on a sol for 20 s before it says anything.
    static let documentTimeout = Duration.seconds(120)
    /// How long a photo may take.
    static let imageTimeout = Duration.seconds(300)

    /// What all its documents lie below; without query, fragment and a slash at the end.
    let base: URL
    private let client: BackendClient
    private let images: BackendClient

    /// - Parameter usualPath: Where the service lies on a server that is named without a path.
    init(_ url: URL, defaultPath: String, allowsRoot: Bool, client: BackendClient, images: BackendClient?, key: PhotoAPIKey?) {
        let given = url.withoutQuery
        let isServer = given.path(percentEncoded: true).isEmpty
        base = isServer ? given.appending(path: defaultPath).withoutQuery : given
        let location = PhotoServiceLocation(base: base, root: isServer && allowsRoot ? given : nil)
        let documentClient = client.adding(RootFallbackInterceptor(location)).adding(UnknownRoverInterceptor(location: location))
        self.images = images ?? client
        self.client = key.map { documentClient.adding(PhotoAPIKeyInterceptor(location: location, key: $0)) } ?? documentClient
    }

    /// The address of a document.
    ///
    /// - Parameter path: Below the base, of characters that need no escapes.
    func url(_ path: String = "", _ query: URLQuery = [:]) -> URL {
        let query = query.items.isEmpty ? "" : "?" + query.text
        return URL(string: base.absoluteString + path + query) ?? base
    }

    /// An operation that downloads a document and reads it.
    func document<Value: Sendable>(
        _ name: String, at url: URL, read: @escaping @Sendable ([UInt8]) throws(PhotoDocumentError) -> Value
    ) -> BackendOperation<Value> {
        let bounds = ResponseLimits(bodySize: Self.documentLimit, time: Self.documentTimeout)
        return BackendOperation(
            name, key: OperationKey(verb: name, subject: url.absoluteString), lane: .cpu,
            after: client.operation(BackendRequest(url: url, limits: bounds))
        ) { response in
            do throws(PhotoDocumentError) {
                return try read(response.body)
            } catch {
                throw BackendError.decodingFailed(response.url, cause: error)
            }
        }
    }

    /// An operation that downloads a photo. A list can name photos anywhere, but at private addresses on its own host alone.
    ///
    /// Photos have a lane of their own beside that of their host: what its small documents take says nothing of how many photos fill the line.
    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> {
        let url = size == .thumbnail ? photo.thumbnail ?? photo.image : photo.image
        let bounds = ResponseLimits(bodySize: MarsImage.sizeLimit, time: Self.imageTimeout)
        return images.operation(
            BackendRequest(url: url, trust: .discovered(in: base), limits: bounds) { reply in try MarsImage(reply.body) },
            lane: .network("\(url.authority ?? "") photos"))
    }
}

extension URL {
    /// Without query, fragment and slashes at the end.
    fileprivate var withoutQuery: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        while parts?.percentEncodedPath.hasSuffix("/") == true { parts?.percentEncodedPath.removeLast() }
        return parts?.url ?? self
    }
}
