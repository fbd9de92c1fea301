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
    private let listed = Mutex<[MarsPhoto]?>(nil)
    private let archive: FeedArchive<PhotoCellFeed>?
    private let now: @Sendable () -> Date

    /// - Parameter archive: The archive that persists the list across launches; nil stores none. It has no images.
    init(_ query: SolQuery, feed: PhotoCellFeed, archive: RecordArchive?, now: @escaping @Sendable () -> Date) {
        self.query = query
        self.feed = feed
        self.now = now
        let name = "sol/\(query.rover)/\(query.sol)/\(query.camera ?? "")"
        self.archive = archive.map { FeedArchive(ofListIn: $0, named: name) }
        cache = FeedCache(archive: self.archive, traceLimit: Self.recordLimit, now: now)
    }

    /// The photos in the last list; nil before the first.
    var photos: [MarsPhoto]? { cache.snapshot?.references ?? listed.withLock { $0 } }

    /// Stores a list that was fetched without a page.
    func store(_ list: SolPhotos) {
        listed.withLock { $0 = list.photos }
        archive?.store(FetchedList(list.photos, omittedCount: list.skipped), at: now())
    }
}
