package import Deliveries
package import Foundation
package import LadingFeeds
package import LadingHTTP
package import LadingOperations

/// What all pages of deliveries share: what is stored of the list, and how the rest is fetched.
package struct DeliveryRepository: Sendable {
    /// For how many seconds a list that was fetched counts as fresh: a page that opens does not fetch it again.
    static let freshnessLifetime = 60.0

    /// What is stored of the list; all pages share its reads.
    let store: any RecordStore<Delivery>
    let list: DeliveryList
    let images: ImageLoader
    let favourites: DeliveryFavourites
    let renderedRows = RenderedRowCache<DeliveryContent>()
    /// What "nearest" is near to where the reader does not tell; nil for the first delivery that lies anywhere.
    let near: GeographicPoint?
    /// The time at which it was found that marks may be lost, because their file was damaged; nil when none are.
    let favouritesLostAt: Date?
    /// The time at which it was found that the disk is full; nil when it was not.
    let diskFullAt: Date?
    /// The zone that times are written in.
    let timeZone: TimeZone
    let now: @Sendable () -> Date
    let makeKey: @Sendable () -> IdempotencyKey
    let client: BackendClient
    private let queue: BackendQueue

    /// - Parameters:
    ///   - list: Where the deliveries come from.
    ///   - store: What is kept of them.
    ///   - favourites: The marks of this list in this store.
    ///   - pictures: Loads the pictures, for instance with a cache; nil for the client that loads the rest.
    ///   - near: What "nearest" is near to where the reader does not tell; nil for the first delivery that lies anywhere.
    ///   - mayHaveLostMarks: Whether the file of the marks that wait to be sent was damaged: every page says so.
    ///   - isDiskFull: Whether nothing new is stored, because the disk is full: every page says so.
    ///   - timeZone: The zone that times are written in.
    ///   - now: Tells how old the list is.
    ///   - makeKey: Names the marks of readers without scripts.
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
        // Pages show a notice once, by its number, which is a time in milliseconds.
        diskFullAt = isDiskFull ? now() + 0.001 : nil
        self.timeZone = timeZone
        self.now = now
        self.images = ImageLoader(client: images ?? client, list: list.url)
    }

    /// The list as one screen pages through it.
    func makePagedList() -> PagedList<Delivery> {
        PagedList(
            store: store, source: DeliveryPages(list, client: client, queue: queue, consumer: queue.makeConsumer()), prefetchDistance: 40, bufferLimit: 160)
    }

    /// What a page asks of the store.
    func recordQuery(for query: RequestedQuery) async -> RecordQuery {
        let sort = query.sort.flatMap(DeliverySort.init)
        let referencePoint = sort == .nearest ? await referencePoint(for: query) : nil
        return RecordQuery(search: query.searchText, sort: sort, near: referencePoint)
    }

    private func referencePoint(for query: RequestedQuery) async -> GeographicPoint? {
        if let point = query.point ?? near { return point }
        return try? await store.records(limit: DeliveryPages.pageLength).rows.lazy.compactMap(\.location).first
    }

    /// By what the stored deliveries can be sorted: some of them have a value for it.
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
