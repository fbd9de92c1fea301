package import Deliveries
package import Foundation
package import LadingHTTP
package import LadingOperations
package import LadingOutbox
package import LadingRecords

/// The data shared by all delivery pages: the store of the list, and the clients and queue that load the rest.
package struct DeliveryRepository: Sendable {
    /// The time for which a fetched list is fresh, in seconds. Pages opened in this time do not fetch it again.
    static let freshnessLifetime = 60.0

    /// The store of the list; all pages share its reads.
    let store: any RecordStore<Delivery>
    let list: DeliveryList
    let images: ImageLoader
    let favourites: DeliveryFavourites
    let renderedRows = RenderedRowCache<DeliveryContent>()
    /// The default reference point of the sort `nearest`; nil for the first delivery with a location.
    let near: GeographicPoint?
    /// The time at which a damaged file with possible loss of favourite marks was detected; nil when none was.
    let favouritesLostAt: Date?
    /// The time at which a full disk was detected; nil when it was not.
    let diskFullAt: Date?
    /// The time zone in which times are shown.
    let timeZone: TimeZone
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> IdempotencyKey
    let client: BackendClient
    private let queue: BackendQueue

    /// Creates the repository of a window.
    ///
    /// - Parameters:
    ///   - list: The list of deliveries.
    ///   - store: The store of the list's rows.
    ///   - favourites: The favourite marks of this list in this store.
    ///   - images: The client that loads images, for instance with a cache; nil for `client`.
    ///   - near: The default reference point of the sort `nearest`; nil for the first delivery with a location.
    ///   - mayHaveLostFavourites: Whether the file of unsent favourite marks was damaged; every page shows a notice.
    ///   - isDiskFull: Whether new rows are not stored because the disk is full; every page shows a notice.
    ///   - timeZone: The time zone in which times are shown.
    ///   - now: Returns the current time, from which the age of the list is computed.
    ///   - makeKey: Returns an idempotency key for favourite marks set without scripts.
    package init(
        _ list: DeliveryList, store: any RecordStore<Delivery>, favourites: DeliveryFavourites, client: BackendClient,
        images: BackendClient? = nil, queue: BackendQueue,
        near: GeographicPoint? = nil, mayHaveLostFavourites: Bool = false, isDiskFull: Bool = false,
        timeZone: TimeZone = .current,
        now: @escaping @Sendable () -> Date = { Date() },
        makeKey: @escaping @Sendable () -> IdempotencyKey = { .unique() }
    ) {
        self.list = list
        self.store = SharedRecordStore(store)
        self.favourites = favourites
        self.makeKey = makeKey
        self.client = client
        self.queue = queue
        self.near = near
        favouritesLostAt = mayHaveLostFavourites ? now() : nil
        // Pages show a notice once, identified by its time in milliseconds, so the times must differ.
        diskFullAt = isDiskFull ? now() + 0.001 : nil
        self.timeZone = timeZone
        self.now = now
        self.images = ImageLoader(client: images ?? client, list: list.url)
    }

    /// Returns a source of pages for one screen, which is a consumer of its own.
    func makePageSource() -> DeliveryPages {
        DeliveryPages(list, client: client, queue: queue, consumer: queue.makeConsumer())
    }

    /// Returns the list as paged by one screen. With fewer than 160 rows in view, the page after them is within the prefetch distance.
    func makePagedList(from source: DeliveryPages) -> PagedList<Delivery> {
        PagedList(store: store, source: source, prefetchDistance: 40, bufferLimit: 240)
    }

    /// Returns the store's query for a requested query.
    func recordQuery(for query: RequestedQuery) async -> RecordQuery {
        let sort = query.sort.flatMap(DeliverySort.init)
        let referencePoint = sort == .nearest ? await referencePoint(for: query) : nil
        return RecordQuery(search: query.searchText, sort: sort, near: referencePoint)
    }

    private func referencePoint(for query: RequestedQuery) async -> GeographicPoint? {
        if let point = query.point ?? near { return point }
        return try? await store.records(limit: DeliveryPages.pageLength).rows.lazy.compactMap(\.location).first
    }

    /// Returns the sorts for which some stored deliveries have a value.
    func availableSorts() async -> [DeliverySort] {
        var sorts: [DeliverySort] = []
        for sort in [DeliverySort.title, .nearest, .pickup, .fee, .feeDescending] {
            let query = await recordQuery(for: RequestedQuery(sort: sort.rawValue))
            let first = try? await store.records(query, from: .first, limit: 1).records.first
            if first?.position.value != nil { sorts.append(sort) }
        }
        return sorts.isEmpty ? [.title, .nearest] : sorts
    }

    func image(at url: URL) async throws -> ImageLoader.LoadedImage {
        try await queue.value(of: images.load(url), priority: .visible)
    }
}
