import Foundation
import LadingFeeds
import LadingHTTP
import LadingNIO
import LadingOperations
import Synchronization

/// A way to bring the photos of a grid onto a screen.
protocol PhotoViewer: Sendable {
    /// A frame: these photos are in view, and this is what the page would report about it.
    func frame(_ viewport: Viewport)
    /// What the page reports ten times a second while it moves, and once it has come to rest.
    func report(_ viewport: Viewport)
    /// The scroll came to rest 150 ms ago.
    func settled(_ viewport: Viewport)
    func stop()
}

extension PhotoViewer {
    func frame(_ viewport: Viewport) {}
    func report(_ viewport: Viewport) {}
    func settled(_ viewport: Viewport) {}
}

/// Photos as a feed: references that are known, and rows that are fetched.
struct PhotoFeed: Feed {
    struct Reference: Identifiable, Sendable { let id: Int }
    struct Damaged: Error {}

    let client: BackendClient
    let base: URL
    let album: PhotoAlbum
    let shelf: PhotoShelf

    func list() -> BackendOperation<[Reference]> {
        BackendOperation("list", lane: .cpu) { (0..<PhotoAlbum.count).map(Reference.init) }
    }

    func load(_ reference: Reference) -> BackendOperation<Int> {
        let photo = reference.id
        shelf.asked(for: photo)
        return client.operation(
            BackendRequest(url: base.appending(path: "photos/\(photo)")) { reply in
                guard album.isPhoto(reply.body, photo) else { throw Damaged() }
                shelf.arrived(photo)
                return reply.body.count
            })
    }
}

/// Ours, told what the page reports; or only what it shows when it has been at rest for 150 ms.
final class FeedViewer: PhotoViewer {
    private let controller: FeedController<PhotoFeed>
    private let queue: BackendQueue
    private let waitsForRest: Bool

    init(_ feed: PhotoFeed, lanes: LanePlan, waitsForRest: Bool = false) {
        queue = BackendQueue(lanes: lanes)
        controller = FeedController(feed: feed, memory: FeedMemory(), queue: queue)
        self.waitsForRest = waitsForRest
        controller.start()
    }

    func report(_ viewport: Viewport) {
        if !waitsForRest { controller.show(viewport) }
    }

    func settled(_ viewport: Viewport) {
        if waitsForRest { controller.show(viewport) }
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
    private let asked = Mutex<Set<Int>>([])

    init(_ feed: PhotoFeed, lanes: LanePlan) {
        self.feed = feed
        queue = BackendQueue(lanes: lanes)
    }

    func frame(_ viewport: Viewport) {
        for photo in viewport.visible where asked.withLock({ $0.insert(photo).inserted }) {
            queue.submit(feed.load(PhotoFeed.Reference(id: photo)), priority: .visible)
        }
    }

    func stop() { queue.cancelAll() }
}
