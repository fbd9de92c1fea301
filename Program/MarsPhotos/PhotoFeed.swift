public import LadingFeeds
public import LadingOperations

/// A feed of the photos of one sol: the list, then the bytes of each photo.
///
/// A row is a whole image: use a small row limit for the cache of this feed.
public struct PhotoFeed: Feed {
    public let query: SolQuery

    private let source: any PhotoSource
    private let size: PhotoSize

    private let onSkipped: @Sendable (_ count: Int) -> Void

    /// Creates the feed of a sol.
    ///
    /// - Parameters:
    ///   - size: The version of the photos that is loaded.
    ///   - onSkipped: Receives the number of invalid entries of each list before the list is delivered.
    public init(
        _ query: SolQuery, from source: any PhotoSource, size: PhotoSize = .full,
        onSkipped: @escaping @Sendable (_ count: Int) -> Void = { _ in }
    ) {
        self.query = query
        self.source = source
        self.size = size
        self.onSkipped = onSkipped
    }

    public func list() -> BackendOperation<[MarsPhoto]> {
        BackendOperation("list photos of \(query.rover), sol \(query.sol)", lane: .cpu, after: source.photos(of: query)) {
            [onSkipped] sol in
            onSkipped(sol.skipped)
            return sol.photos
        }
    }

    public func load(_ photo: MarsPhoto) -> BackendOperation<MarsImage> {
        source.image(of: photo, size: size)
    }
}
