import Foundation
import LadingFeeds
import LadingHTTP
import LadingOperations
import Synchronization

/// A strategy for loading the photos of a grid.
protocol PhotoViewer: Sendable {
    /// Called for each frame with the current viewport.
    func didShowFrame(_ viewport: Viewport)
    /// Called with the reports of the page: ten times a second while it moves, and once at rest.
    func report(_ viewport: Viewport)
    /// Called when the scroll has been at rest for 150 ms.
    func didSettle(_ viewport: Viewport)
    func stop()
}

extension PhotoViewer {
    func didShowFrame(_ viewport: Viewport) {}
    func report(_ viewport: Viewport) {}
    func didSettle(_ viewport: Viewport) {}
}

/// The photos as a feed.
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
            BackendRequest(url: base.appending(path: "photos/\(photo)")) { response in
                guard album.isPhoto(response.body, photo) else { throw CorruptPhoto() }
                arrivals.recordArrival(of: photo)
                return response.body.count
            })
    }
}

/// A viewer based on `FeedController`, which receives each report, or only the viewport after 150 ms at rest.
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

/// A viewer that loads every photo that appears, without cancellation.
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
