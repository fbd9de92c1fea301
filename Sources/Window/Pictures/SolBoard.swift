import Foundation
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
    /// The number of photos that the last list left out.
    let skipped: SkippedPhotos
    private let listed = Mutex<[MarsPhoto]?>(nil)
    private let archive: FeedArchive<CellFeed>?
    private let now: @Sendable () -> Date

    /// - Parameter archive: Where the list outlives the process; nil stores none. The pictures of its cells are kept with all others.
    init(
        _ query: SolQuery, feed: CellFeed, skipped: SkippedPhotos = SkippedPhotos(), archive: RecordArchive?,
        now: @escaping @Sendable () -> Date
    ) {
        self.skipped = skipped
        self.query = query
        self.feed = feed
        self.now = now
        let name = "sol/\(query.rover)/\(query.sol)/\(query.camera ?? "")"
        self.archive = archive.map { records in
            FeedArchive(ofListIn: records, named: name, skipped: { skipped.count }, onRestore: { skipped.restore($0) })
        }
        memory = FeedMemory(archive: self.archive, recordLimit: Self.recordLimit, now: now)
    }

    /// The photos as they were listed last; nil before the first time.
    var photos: [MarsPhoto]? { memory.snapshot?.references ?? listed.withLock { $0 } }

    /// Keeps a list that no page was shown.
    func learn(_ list: SolPhotos) {
        listed.withLock { $0 = list.photos }
        archive?.store(list.photos, skipped: list.skipped, at: now())
    }
}
