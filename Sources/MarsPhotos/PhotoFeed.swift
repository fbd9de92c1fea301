public import LadingFeeds
public import LadingOperations

/// The photos of one sol as a feed: its list, then for each photo its bytes.
///
/// A row is a whole image: the memory of this feed wants a small limit of rows.
public struct PhotoFeed: Feed {
    public let query: SolQuery

    private let source: any PhotoSource
    private let size: PhotoSize

    private let onSkipped: @Sendable (_ count: Int) -> Void

    /// - Parameters:
    ///   - size: Which version of the photos is loaded.
    ///   - onSkipped: Receives the number of photos that each list leaves out because they make no sense, before the list is there.
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
