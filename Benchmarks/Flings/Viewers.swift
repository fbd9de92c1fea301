import Foundation
import LadingFeeds
import LadingHTTP
import LadingNIO
import LadingOperations
import Synchronization

/// A way to bring the photos of a grid onto a screen.
protocol PhotoViewer: Sendable {
    /// A frame: these photos are in view, and this is what the page would report about it.
    func didShowFrame(_ viewport: Viewport)
    /// What the page reports ten times a second while it moves, and once it has come to rest.
    func report(_ viewport: Viewport)
    /// The scroll came to rest 150 ms ago.
    func didSettle(_ viewport: Viewport)
    func stop()
}

extension PhotoViewer {
    func didShowFrame(_ viewport: Viewport) {}
    func report(_ viewport: Viewport) {}
    func didSettle(_ viewport: Viewport) {}
}

/// Photos as a feed: references that are known, and rows that are fetched.
struct PhotoFeed: Feed {
    struct Reference: Identifiable, Sendable { let id: Int }
    struct CorruptPhoto: Error {}

    let client: BackendClient
    let base: URL
    let album: PhotoAlbum
    let arrivals: PhotoArrivals

    func list() -> BackendOperation<[Reference]> {
        BackendOperation("list", lane: .cpu) { (0..<PhotoAlbum.count).map(Reference.init) }
    }

    func load(_ reference: Reference) -> BackendOperation<Int> {
        let photo = reference.id
        arrivals.recordRequest(for: photo)
        return client.operation(
            BackendRequest(url: base.appending(path: "photos/\(photo)")) { reply in
                guard album.isPhoto(reply.body, photo) else { throw CorruptPhoto() }
                arrivals.recordArrival(of: photo)
                return reply.body.count
            })
    }
}

/// Ours, told what the page reports; or only what it shows when it has been at rest for 150 ms.
final class FeedViewer: PhotoViewer {
    private let controller: FeedController<PhotoFeed>
    private let queue: BackendQueue
    private let waitsForRest: Bool

    init(_ feed: PhotoFeed, lanes: LaneConfiguration, waitsForRest: Bool = false) {
        queue = BackendQueue(lanes: lanes)
        controller = FeedController(feed: feed, cache: FeedCache(), queue: queue)
        self.waitsForRest = waitsForRest
        controller.start()
    }

    func report(_ viewport: Viewport) {
        if !waitsForRest { controller.setViewport(viewport) }
    }

    func didSettle(_ viewport: Viewport) {
        if waitsForRest { controller.setViewport(viewport) }
    }

    func stop() {
        controller.stop()
        queue.cancelAll()
    }
}

/// Fetches every photo that appears, to its end.
final class NaiveViewer: PhotoViewer {
    private let feed: PhotoFeed
    private let queue: BackendQueue
    private let requested = Mutex<Set<Int>>([])

    init(_ feed: PhotoFeed, lanes: LaneConfiguration) {
        self.feed = feed
        queue = BackendQueue(lanes: lanes)
    }

    func didShowFrame(_ viewport: Viewport) {
        for photo in viewport.visible where requested.withLock({ $0.insert(photo).inserted }) {
            queue.submit(feed.load(PhotoFeed.Reference(id: photo)), priority: .visible)
        }
    }

    func stop() { queue.cancelAll() }
}
