import Deliveries
import LadingFeeds
import LadingSQLite

/// Fetches the first deliveries of a list into the store, page by page, with progress where somebody looks. What was stored before stays until it is replaced.
struct DeliveryDownload: Sendable {
    /// What is worth saying of a download that succeeded.
    struct Report: Sendable {
        /// How many rows could not be read.
        var skipped = 0
        /// Why it was given up before its end; nil when it was not.
        var stopReason: StopReason?
    }

    /// What the last pages brought when nothing new was in them.
    enum StopReason {
        case repeatedPages, unreadablePages
    }

    /// After so many pages in a row that bring nothing new, nothing more is expected.
    private static let emptyPageLimit = 10

    private let coordinator: DeliveryCoordinator
    private let pages: DeliveryPages

    init(_ coordinator: DeliveryCoordinator, _ engine: Engine) {
        self.coordinator = coordinator
        pages = DeliveryPages(coordinator.list, client: engine.client, queue: engine.queue)
    }

    /// Fetches until this many deliveries are there, or the list ends.
    func fetch(_ count: Int) async throws -> Report {
        let generation = try await coordinator.store.newestGeneration() + 1
        var bar = ProgressBar("Deliveries", total: count)
        defer { bar.clear() }
        var (report, known, next, emptyPages) = (Report(), Set<DeliveryID>(), PageKey?.some(pages.paging.first), 0)
        while let key = next, known.count < count, report.stopReason == nil {
            let page = try await pages.page(at: key)
            next = try await store(page, at: key, generation)
            let before = known.count
            known.formUnion(page.rows.map(\.id))
            report.skipped += page.skipped
            emptyPages = known.count == before ? emptyPages + 1 : 0
            if next != nil, emptyPages == Self.emptyPageLimit { report.stopReason = page.rows.isEmpty ? .unreadablePages : .repeatedPages }
            bar.advance(to: min(known.count, count))
        }
        return report
    }

    /// Gives back where the page behind it is.
    private func store(_ page: SourcePage<Delivery>, at key: PageKey, _ generation: Int) async throws -> PageKey? {
        let adjacent = pages.paging.adjacentPages(to: key, PageInfo(count: page.rows.count + page.skipped))
        let stored = RecordPage(
            page.rows, at: pages.paging.place(of: key) ?? 0, generation: generation, skipped: page.skipped, previous: adjacent.previous,
            next: adjacent.next, isEnd: adjacent.isEnd)
        _ = try await coordinator.store.store(stored)
        return adjacent.next
    }
}
