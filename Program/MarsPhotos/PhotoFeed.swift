public import LadingFeeds
public import LadingOperations

/// A feed of the photos of one sol: the list, then the bytes of each photo.
///
/// A row is a whole image: use a small row limit for the cache of this feed.
public struct PhotoFeed: Feed {
    public let query: SolQuery

    private let source: any PhotoSource
    private let size: PhotoSize

    /// Creates the feed of a sol.
    ///
    /// - Parameter size: The version of the photos that is loaded.
    public init(_ query: SolQuery, from source: any PhotoSource, size: PhotoSize = .full) {
        self.query = query
        self.source = source
        self.size = size
    }

    /// Returns an operation that fetches the photos, with the number of entries that are invalid or beyond the limit.
    public func list() -> BackendOperation<FetchedList<MarsPhoto>> {
        BackendOperation("list photos of \(query.rover), sol \(query.sol)", lane: .cpu, after: source.photos(of: query)) { sol in
            FetchedList(sol.photos, omittedCount: sol.skipped)
        }
    }

    public func load(_ photo: MarsPhoto) -> BackendOperation<MarsImage> {
        source.image(of: photo, size: size)
    }
}
