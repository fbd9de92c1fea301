import Foundation
import LadingFeeds
import MarsPhotos
import Synchronization

/// The data of the photos of one sol: its list and its cells.
final class SolPhotoRepository: Sendable {
    /// The maximum number of recorded decisions per page, for replay.
    private static let recordLimit = 64

    let query: SolQuery
    let feed: PhotoCellFeed
    let cache: FeedCache<PhotoCellFeed>
    /// The number of invalid entries in the last list.
    let skipped: SkippedPhotoCount
    private let listed = Mutex<[MarsPhoto]?>(nil)
    private let archive: FeedArchive<PhotoCellFeed>?
    private let now: @Sendable () -> Date

    /// - Parameter archive: The archive that persists the list across launches; nil stores none. It has no images.
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

    /// The photos in the last list; nil before the first.
    var photos: [MarsPhoto]? { cache.snapshot?.references ?? listed.withLock { $0 } }

    /// Stores a list that was fetched without a page.
    func store(_ list: SolPhotos) {
        listed.withLock { $0 = list.photos }
        archive?.store(list.photos, skipped: list.skipped, at: now())
    }
}
