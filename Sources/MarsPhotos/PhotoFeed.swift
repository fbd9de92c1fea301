public import LadingFeeds
public import LadingOperations

/// The photos of one sol as a feed: its list, then for each photo its bytes.
///
/// A row is a whole image: the memory of this feed wants a small limit of rows.
public struct PhotoFeed: Feed {
    public let query: SolQuery

    private let source: any PhotoSource
    private let size: PhotoSize

    /// - Parameter size: Which version of the photos is loaded.
    public init(_ query: SolQuery, from source: any PhotoSource, size: PhotoSize = .whole) {
        self.query = query
        self.source = source
        self.size = size
    }

    public func list() -> BackendOperation<[MarsPhoto]> {
        BackendOperation("list photos of \(query.rover), sol \(query.sol)", lane: .cpu, after: source.photos(of: query)) { $0.photos }
    }

    public func load(_ photo: MarsPhoto) -> BackendOperation<MarsImage> {
        source.image(of: photo, size: size)
    }
}
