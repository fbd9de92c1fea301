package import Foundation
import LadingCaching
package import LadingFeeds
package import LadingHTTP
package import LadingOperations
import Orders

/// What all pages share: the feed of orders, what is known of it, and the queue that loads the rest.
package struct OrderBoard: Sendable {
    let feed: OrderFeed
    let catalog: ItemCatalog
    let memory: FeedMemory<OrderFeed>
    let renderings = RowRenderings<OrderVersion>()
    let pictures: PictureStore
    let queue: BackendQueue
    /// What "nearest" is near to where the reader does not tell; nil for the middle of the region.
    let near: GeographicPoint?
    /// The zone that delivery dates are read and written in.
    let timeZone: TimeZone

    /// - Parameters:
    ///   - ordersURL: Where `orders.plist` is.
    ///   - itemsURL: Where `items.plist` is.
    ///   - pictures: Loads the pictures, for instance with a cache; nil for the client that loads the rest.
    ///   - near: What "nearest" is near to where the reader does not tell; nil for the middle of the region.
    ///   - timeZone: The zone that delivery dates are read and written in.
    ///   - now: Tells when a list arrives.
    package init(
        ordersURL: URL, itemsURL: URL, client: BackendClient, pictures: BackendClient? = nil, queue: BackendQueue,
        near: GeographicPoint? = nil,
        timeZone: TimeZone = .current,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        catalog = ItemCatalog(itemsURL: itemsURL, client: client)
        feed = OrderFeed(ordersURL: ordersURL, catalog: catalog, client: client, timeZone: timeZone)
        self.pictures = PictureStore(client: pictures ?? client, namedBy: itemsURL)
        memory = FeedMemory(now: now)
        self.queue = queue
        self.near = near
        self.timeZone = timeZone
    }

    /// Loads the catalogue and its pictures in the background, and waits until that has ended, well or not.
    func preload() async {
        guard let items = try? await queue.value(of: catalog.all(), priority: .background) else { return }
        let loads = items.compactMap(\.imageURL).map { pictures.load($0) }
        for load in loads { queue.submit(load, priority: .background) }
        for load in loads { _ = try? await load.value }
    }
}

/// A loaded order as it was at a time: what a rendering of its row is good for.
struct OrderVersion: Hashable, Sendable {
    let id: OrderID
    let number: Int
}
