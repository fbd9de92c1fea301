package import Foundation
import LadingCaching
package import LadingFeeds
package import LadingHTTP
package import LadingOperations
import Orders

/// What all pages share: the feed of orders, what is known of it, and the queue that loads the rest.
package struct OrderRepository: Sendable {
    let feed: OrderFeed
    let catalog: ItemCatalog
    let cache: FeedCache<OrderFeed>
    let renderedRows = RenderedRowCache<OrderVersion>()
    let images: ImageLoader
    let client: BackendClient
    let queue: BackendQueue
    /// What "nearest" is near to where the reader does not tell; nil for the middle of the region.
    let near: GeographicPoint?
    /// The zone of the server.
    let timeZone: TimeZone
    let now: @Sendable () -> Date

    /// - Parameters:
    ///   - ordersURL: Where `orders.plist` is.
    ///   - itemsURL: Where `items.plist` is.
    ///   - pictures: Loads the pictures, for instance with a cache; nil for the client that loads the rest.
    ///   - near: What "nearest" is near to where the reader does not tell; nil for the middle of the region.
    ///   - timeZone: The zone of the server: delivery dates without a zone are sorted as if they were in it.
    ///   - archive: Where the list, orders and items outlive the process; nil stores none.
    ///   - now: The clock.
    package init(
        ordersURL: URL, itemsURL: URL, client: BackendClient, images: BackendClient? = nil, queue: BackendQueue,
        near: GeographicPoint? = nil, timeZone: TimeZone = .current, archive: RecordArchive? = nil,
        now: @escaping @Sendable () -> Date = { Date() }
    ) {
        catalog = ItemCatalog(itemsURL: itemsURL, client: client, archive: archive)
        feed = OrderFeed(ordersURL: ordersURL, catalog: catalog, client: client, timeZone: timeZone)
        self.client = client
        self.images = ImageLoader(client: images ?? client, list: itemsURL)
        cache = FeedCache(archive: archive.map { FeedArchive(in: $0, named: "orders") }, now: now)
        self.queue = queue
        self.near = near
        self.timeZone = timeZone
        self.now = now
    }

    /// Loads the catalogue and its pictures in the background, and waits until that has ended, well or not.
    func preload() async {
        await catalog.restore()
        guard let items = try? await queue.value(of: catalog.all(), priority: .background) else { return }
        let loads = items.compactMap(\.imageURL).map { images.load($0) }
        for load in loads { queue.submit(load, priority: .background) }
        for load in loads { _ = try? await load.value }
    }
}

extension OrderRepository {
    /// Returns the reference of an order from memory, the archive or the server; nil when there is no such order.
    func reference(of id: OrderID) async throws -> OrderReference? {
        await cache.restoreList(through: queue)
        if let known = cache.snapshot?.reference(of: id) { return known }
        if cache.isListFetched { return nil }
        return FeedSnapshot(try await queue.value(of: feed.list(), priority: .visible)).reference(of: id)
    }

    /// Reads what an earlier process has stored of an order, unless something is known of it.
    func restore(_ id: OrderID) async {
        await catalog.restore()
        if cache.row(for: id) == nil { await cache.restoreRows([id]) }
    }
}

extension FeedSnapshot {
    fileprivate func reference(of id: Reference.ID) -> Reference? { index(of: id).map { references[$0] } }
}

/// A loaded order as it was at a time: what a rendering of its row is good for.
struct OrderVersion: Hashable, Sendable {
    let id: OrderID
    let number: Int
}
