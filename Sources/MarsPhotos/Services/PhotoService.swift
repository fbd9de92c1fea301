import Foundation
import LadingHTTP
import LadingOperations

/// A service of photos at one address: what its sources ask it, and how its documents and photos are read.
struct PhotoService: Sendable {
    /// The longest document, in bytes.
    static let documentLimit = 64 << 20
    /// How long a document may take; one service works on a sol for 20 s before it says anything.
    static let documentTime = Duration.seconds(120)
    /// How long a photo may take.
    static let imageTime = Duration.seconds(300)

    /// What all its documents lie below; without query, fragment and a slash at the end.
    let base: URL
    private let client: BackendClient
    private let images: BackendClient

    /// - Parameter usualPath: Where the service lies on a server that is named without a path.
    init(_ url: URL, usualPath: String, mayBeAtRoot: Bool, client: BackendClient, images: BackendClient?, key: PhotoKey?) {
        let given = url.trimmed
        let isServer = given.path(percentEncoded: true).isEmpty
        base = isServer ? given.appending(path: usualPath).trimmed : given
        let place = PhotoPlace(base: base, root: isServer && mayBeAtRoot ? given : nil)
        let asking = client.adding(RootInterceptor(place)).adding(UnknownRoverInterceptor(place: place))
        self.images = images ?? client
        self.client = key.map { asking.adding(PhotoKeyInterceptor(place: place, key: $0)) } ?? asking
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
        let bounds = ReplyBounds(bodySize: Self.documentLimit, time: Self.documentTime)
        return BackendOperation(
            name, key: OperationKey(verb: name, subject: url.absoluteString), lane: .cpu,
            after: client.operation(BackendRequest(url: url, bounds: bounds))
        ) { reply in
            do throws(PhotoDocumentError) {
                return try read(reply.body)
            } catch {
                throw BackendError.undecodable(reply.url, cause: error)
            }
        }
    }

    /// An operation that downloads a photo. A list can name photos anywhere, but at private addresses on its own host alone.
    ///
    /// Photos have a lane of their own beside that of their host: what its small documents take says nothing of how many photos fill the line.
    func image(of photo: MarsPhoto, size: PhotoSize) -> BackendOperation<MarsImage> {
        let url = size == .thumbnail ? photo.thumbnail ?? photo.image : photo.image
        let bounds = ReplyBounds(bodySize: MarsImage.sizeLimit, time: Self.imageTime)
        return images.operation(
            BackendRequest(url: url, provenance: .named(by: base), bounds: bounds) { reply in try MarsImage(reply.body) },
            lane: .network("\(url.authority ?? "") photos"))
    }
}

extension URL {
    /// Without query, fragment and slashes at the end.
    fileprivate var trimmed: URL {
        var parts = URLComponents(url: self, resolvingAgainstBaseURL: true)
        parts?.query = nil
        parts?.fragment = nil
        while parts?.percentEncodedPath.hasSuffix("/") == true { parts?.percentEncodedPath.removeLast() }
        return parts?.url ?? self
    }
}
