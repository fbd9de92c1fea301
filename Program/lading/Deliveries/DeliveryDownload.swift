import Deliveries
import LadingRecords
import LadingSQLite

/// A download of the first deliveries of a list into the store, page by page.
///
/// A progress bar is shown if standard error is a terminal. Stored deliveries remain until they are replaced.
struct DeliveryDownload: Sendable {
    /// The summary of a successful download.
    struct Report: Sendable {
        /// The number of rows that could not be parsed.
        var skipped = 0
        /// The reason why the download stopped early; nil when it did not.
        var stopReason: StopReason?
    }

    /// The content of the last pages when they added no delivery.
    enum StopReason {
        case repeatedPages, unreadablePages
    }

    /// The number of consecutive pages without new deliveries after which the download stops.
    private static let emptyPageLimit = 10

    private let coordinator: DeliveryCoordinator
    private let pages: DeliveryPages

    init(_ coordinator: DeliveryCoordinator, _ engine: Engine) {
        self.coordinator = coordinator
        pages = DeliveryPages(coordinator.list, client: engine.client, queue: engine.queue)
    }

    /// Fetches pages until this many deliveries are stored, or the list ends.
    func fetch(_ count: Int) async throws -> Report {
        let generation = try await coordinator.store.newestGeneration() + 1
        var bar = ProgressBar("Deliveries", total: count)
        defer { bar.clear() }
        var (report, deliveryIDs, next, emptyPages) = (Report(), Set<DeliveryID>(), PageKey?.some(pages.paging.first), 0)
        while let key = next, deliveryIDs.count < count, report.stopReason == nil {
            let page = try await pages.page(at: key)
            next = try await store(page, at: key, generation)
            let before = deliveryIDs.count
            deliveryIDs.formUnion(page.rows.map(\.id))
            report.skipped += page.skipped
            emptyPages = deliveryIDs.count == before ? emptyPages + 1 : 0
            if next != nil, emptyPages == Self.emptyPageLimit { report.stopReason = page.rows.isEmpty ? .unreadablePages : .repeatedPages }
            bar.advance(to: min(deliveryIDs.count, count))
        }
        return report
    }

    /// Stores a page and returns the key of the next.
    private func store(_ page: SourcePage<Delivery>, at key: PageKey, _ generation: Int) async throws -> PageKey? {
        let adjacent = pages.paging.adjacentPages(to: key, PageInfo(count: page.rows.count + page.skipped))
        let stored = RecordPage(
            page.rows, at: pages.paging.place(of: key) ?? 0, generation: generation, skipped: page.skipped, previous: adjacent.previous,
            next: adjacent.next, isEnd: adjacent.isEnd)
        _ = try await coordinator.store.store(stored)
        return adjacent.next
    }
}
