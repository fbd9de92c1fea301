import LadingFeeds
import MarsPhotos
import Synchronization

/// What is known of the photos of one sol: its list and its cells.
final class SolBoard: Sendable {
    /// How many decisions of its pages are kept so that they can be replayed.
    private static let recordLimit = 64

    let query: SolQuery
    let feed: CellFeed
    let memory: FeedMemory<CellFeed>
    private let listed = Mutex<[MarsPhoto]?>(nil)

    init(_ query: SolQuery, feed: CellFeed) {
        self.query = query
        self.feed = feed
        memory = FeedMemory(recordLimit: Self.recordLimit)
    }

    /// The photos as they were listed last; nil before the first time.
    var photos: [MarsPhoto]? { memory.snapshot?.references ?? listed.withLock { $0 } }

    /// Keeps a list that no page was shown.
    func learn(_ photos: [MarsPhoto]) { listed.withLock { $0 = photos } }
}
