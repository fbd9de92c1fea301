import Foundation
import LadingFeeds
import MarsPhotos
import Synchronization

/// What is known of the photos of one sol: its list and its cells.
final class SolPhotoRepository: Sendable {
    /// How many decisions of its pages are kept so that they can be replayed.
    private static let recordLimit = 64

    let query: SolQuery
    let feed: PhotoCellFeed
    let cache: FeedCache<PhotoCellFeed>
    /// The number of photos that the last list left out.
    let skipped: SkippedPhotoCount
    private let listed = Mutex<[MarsPhoto]?>(nil)
    private let archive: FeedArchive<PhotoCellFeed>?
    private let now: @Sendable () -> Date

    /// - Parameter archive: Where the list outlives the process; nil stores none. The pictures of its cells are kept with all others.
    init(
        _ query: SolQuery, feed: PhotoCellFeed, skipped: SkippedPhotoCount = SkippedPhotoCount(), archive: RecordArchive?,
        now: @escaping @Sendable () -> Date
    ) {
        self.skipped = skipped
        self.query = query
        self.feed = feed
        self.now = now
        let name = "sol/\(query.rover)/\(query.sol)/\(query.camera ?? "")"
        self.archive = archive.map { records in
            FeedArchive(ofListIn: records, named: name, skipped: { skipped.value }, onRestore: { skipped.restore($0) })
        }
        cache = FeedCache(archive: self.archive, traceLimit: Self.recordLimit, now: now)
    }

    /// The photos as they were listed last; nil before the first time.
    var photos: [MarsPhoto]? { cache.snapshot?.references ?? listed.withLock { $0 } }

    /// Keeps a list that no page was shown.
    func store(_ list: SolPhotos) {
        listed.withLock { $0 = list.photos }
        archive?.store(list.photos, skipped: list.skipped, at: now())
    }
}
