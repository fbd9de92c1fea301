package import Foundation
package import LadingFeeds
package import LadingHTTP
package import LadingOperations
package import LadingRecords
import Orders

/// The data shared by all order pages: the feed of orders, its cache, and the queue that loads the rest.
package struct OrderRepository: Sendable {
    let feed: OrderFeed
    let catalog: ItemCatalog
    let cache: FeedCache<OrderFeed>
    let renderedRows = RenderedRowCache<OrderVersion>()
    let courierRows = CourierRowCache()
    let images: ImageLoader
    let client: BackendClient
    let queue: BackendQueue
    /// The default reference point of the sort `nearest`; nil for the center of the region.
    let near: GeographicPoint?
    /// The time zone of the server.
    let timeZone: TimeZone
    let now: @Sendable () -> Date

    /// Creates the repository of a window.
    ///
    /// - Parameters:
    ///   - ordersURL: The URL of `orders.plist`.
    ///   - itemsURL: The URL of `items.plist`.
    ///   - images: The client that loads images, for instance with a cache; nil for `client`.
    ///   - near: The default reference point of the sort `nearest`; nil for the center of the region.
    ///   - timeZone: The time zone of the server, which is assumed for delivery dates without a zone when they are sorted.
    ///   - archive: The archive that persists the list, orders and items across launches; nil stores none.
    ///   - now: Returns the current time.
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

    /// Loads the catalog and its images in the background, and returns when all loads have ended, failed ones included.
    func prefetch() async {
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

    /// Reads an order stored by an earlier process, unless the order is in memory.
    func restore(_ id: OrderID) async {
        await catalog.restore()
        if cache.row(for: id) == nil { await cache.restoreRows([id]) }
    }
}

extension FeedSnapshot {
    fileprivate func reference(of id: Reference.ID) -> Reference? { index(of: id).map { references[$0] } }
}

/// The version of a loaded order, the key of its rendered row.
struct OrderVersion: Hashable, Sendable {
    let id: OrderID
    let number: Int
}
