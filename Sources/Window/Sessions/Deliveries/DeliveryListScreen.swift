import Deliveries
import Foundation
import LadingFeeds
import LadingHTTP
import Synchronization

/// The list of deliveries on one page: the rows come from the store, and pages are fetched into it as the reader nears their end.
final class DeliveryListScreen: WindowScreen {
    struct State {
        var rows = StoredRows<Delivery>()
        var coverage = RowCoverage()
        var seq = 0
        /// The version of the rows sent last; it only grows.
        var version = 0
        /// Since which version rows that are out of sight may be others.
        var changedAt = 0
        /// Behind the last place in the store that rows were read from.
        var placesEnd = 0
        /// Behind the last place that a page has covered.
        var pagesEnd = 0
        /// Counts the lists.
        var listRevision = 0
        /// The one that the page was told last: rows of another would mean nothing to it.
        var sentListRevision = 0
        var visible: Range<Int>
        var query: RequestedQuery
        /// How the page finds its place in the list, until it has shown that it has.
        var anchor: Anchor
        var isAcknowledged = false
        /// New rows above the reader.
        var newRowCount = 0
        /// Whether the rows that answer the last wish are still to come.
        var isQueryPending = true
        /// What the last wish asks of the store; nil until that is found out.
        var recordQuery: RecordQuery?
        /// Where the reader will be when they are there; nil for where the page was opened.
        var pendingAnchor: Anchor?
        var status = Status()
        /// The last reports of undone marks, oldest first; every list event has them.
        var notices: [Notice] = []
        /// The refusals that were reported last.
        var reportedRefusals: [IdempotencyKey] = []
        /// Whether the page has an open stream.
        var isStreaming = false
        var tasks: [Task<Void, Never>] = []
        /// Finds out what the last wish asks of the store.
        var queryTask: Task<Void, Never>?
    }

    /// How a page finds its place in a list that is new to it.
    enum Anchor {
        case top
        case row(DeliveryID, index: Int)
        case index(Int)
    }

    let mailbox = EventMailbox<DeliveryID>()
    let repository: DeliveryRepository
    let contexts: DeliveryContexts
    let renderer: PageRenderer
    let state: Mutex<State>
    let results: RecordResults<Delivery>
    let pages: PagedList<Delivery>
    private let topRow: DeliveryID?

    /// - Parameters:
    ///   - first: The rows in view until the page reports.
    ///   - topRow: The row at the top of a page that comes back.
    init(
        _ repository: DeliveryRepository, _ contexts: DeliveryContexts, _ renderer: PageRenderer, first: Range<Int>, topRow: DeliveryID? = nil,
        query: RequestedQuery = RequestedQuery()
    ) async {
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        self.topRow = topRow
        let recordQuery = await repository.recordQuery(for: query)
        results = RecordResults(store: repository.store, query: recordQuery, prefetchDistance: 60, bufferLimit: 280)
        pages = repository.makePagedList()
        var initial = State(visible: first, query: query, anchor: .index(first.lowerBound), recordQuery: recordQuery)
        if let loss = repository.favouritesLostAt { initial.add(Notice(contexts.texts.strings.favouritesLost, at: loss)) }
        if let time = repository.diskFullAt { initial.add(Notice(contexts.texts.strings.diskFull, at: time)) }
        state = Mutex(initial)
        results.setVisibleRange(first)
        results.open()
        let tasks = [
            Task { [weak self, updates = results.updates] in for await _ in updates { self?.rowsDidLoad() } },
            Task { [weak self, updates = pages.updates] in for await _ in updates { self?.pagingDidChange() } },
            Task { [weak self] in _ = await self?.start() },
            Task { [weak self, changes = repository.store.changes()] in
                for await change in changes { self?.state.withLock { $0.record(change) } }
            },
            Task { [weak self, refusals = repository.favourites.refusals()] in for await refusal in refusals { self?.reportRefusals(refusal) } },
        ]
        state.withLock { $0.tasks = tasks }
    }

    func stop() {
        results.close()
        pages.close()
        let tasks = state.withLock { $0.tasks + [$0.queryTask].compactMap(\.self) }
        for task in tasks { task.cancel() }
    }

    func invalidateAll() {
        state.withLock { state in
            state.coverage = RowCoverage()
            state.isAcknowledged = false
            if case .top = state.anchor { return }
            state.anchor = state.viewportAnchor
        }
        mailbox.record { $0.recordScreenChange() }
    }

    /// Begins to page, and fetches the list anew when what is stored of it is old.
    private func start() async {
        do {
            try await pages.open()
            loadAroundViewport()
            let first = try await repository.store.records(limit: 1).records.first
            let isFresh = first.map { repository.now().timeIntervalSince($0.storedAt) <= DeliveryRepository.freshnessLifetime } ?? false
            let paging = pages.state
            if !isFresh, !paging.fetching.contains(.refresh), paging.failures[.refresh] == nil { pages.refresh() }
        } catch {
            state.withLock { $0.status.update(error, contexts.texts) }
            mailbox.record { $0.recordScreenChange() }
        }
    }
}

// MARK: - What the page reports

extension DeliveryListScreen {
    func setVisible(_ isVisible: Bool) {
        state.withLock { $0.isStreaming = isVisible }
        guard isVisible else { return }
        loadAroundViewport()
        reportRefusals()
    }

    func setViewport(_ report: ViewportReport) {
        let isNewer = state.withLock { state in
            guard report.seq > state.seq, report.list == "\(state.listRevision)" else { return false }
            state.seq = report.seq
            state.visible = report.visible
            state.isAcknowledged = true
            state.newRowCount = 0
            return true
        }
        guard isNewer else { return }
        results.setVisibleRange(report.visible)
        rowsDidLoad()
        reportRefusals()
        if state.withLock({ $0.hasAged() }) { mailbox.record { $0.recordScreenChange() } }
    }

    func setQuery(_ query: RequestedQuery) {
        let isChanged = state.withLock { state in
            let earlier = state.query
            guard earlier != query else { return false }
            state.query = query
            (state.isQueryPending, state.recordQuery) = (true, nil)
            let isOnlyNearChanged = earlier.search == query.search && earlier.sort == query.sort
            state.pendingAnchor = isOnlyNearChanged ? .index(state.visible.lowerBound) : .top
            return true
        }
        guard isChanged else { return }
        let queryTask = Task { [weak self] in
            guard let recordQuery = await self?.repository.recordQuery(for: query) else { return }
            self?.setRecordQuery(recordQuery, for: query)
        }
        let earlier = state.withLock { state in
            defer { state.queryTask = queryTask }
            return state.queryTask
        }
        earlier?.cancel()
    }

    func retry(_ row: DeliveryID?) {
        pages.retry()
        results.retry()
    }

    func refresh() { pages.refresh() }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if pages.state.failures.values.contains(where: isRetried) {
            // The server answers: what it says now is told when it has come.
            state.withLock { $0.status.update(nil as (any Error)?, contexts.texts) }
            pages.retry()
            mailbox.record { $0.recordScreenChange() }
        }
        let missing = state.withLock { state in
            state.rows.records(in: RowCoverage.watched(around: state.visible, of: state.rows.count)).filter { record in
                record.row.imageURL.map { repository.images.failedImages.markForRetry($0, where: isRetried) } ?? false
            }.map(\.row.id)
        }
        if !missing.isEmpty { mailbox.record { $0.record(missing) } }
    }

    private func setRecordQuery(_ query: RecordQuery, for requestedQuery: RequestedQuery) {
        let isUnchanged = state.withLock { state in
            // A wish that came meanwhile asks for itself.
            guard state.query == requestedQuery else { return false }
            state.recordQuery = query
            if query == results.state.query { return true }
            results.setQuery(query)
            return false
        }
        if isUnchanged { rowsDidLoad() }
    }

    /// Reads the rows around the reader, and fetches pages where the list is shown as it came.
    private func loadAroundViewport() {
        // Which places are empty is known once the rows of these pages have been read, which begins before their end is noted.
        let pagesEnd = state.withLock { $0.pagesEnd }
        let end = results.state.isUpToDate ? pagesEnd : 0
        let (visible, places) = state.withLock { ($0.expectedVisible, $0.isDefaultQuery ? $0.placesInView(before: end) : nil) }
        results.setVisibleRange(visible)
        if let places { pages.setVisibleRange(places) }
    }

    /// Notes the rows around the reader that the page does not have, as far as they have been read.
    private func recordMissingRows() {
        let missing = state.withLock { state -> [DeliveryID] in
            guard state.isAcknowledged else { return [] }
            let (version, changedAt) = (state.version, state.changedAt)
            let indices = state.coverage.missing(around: state.visible, of: state.rows.count, latest: version) { _ in changedAt }
            return indices.compactMap { state.rows.snapshot[$0]?.row.id }
        }
        mailbox.record { $0.record(missing) }
    }
}

// MARK: - What has become known

extension DeliveryListScreen {
    /// Rows were read from the store, or counted.
    private func rowsDidLoad() {
        let changes = state.withLock { state in
            let (read, earlier) = (results.state, state.status)
            state.status.update(read, contexts.texts)
            let rows = applyResults(read, &state)
            return (isOfScreen: rows?.isScreenChanged == true || state.status != earlier, rows: rows?.changed)
        }
        mailbox.record { log in
            if changes.isOfScreen { log.recordScreenChange() }
            log.record(changes.rows ?? [])
        }
        if changes.rows != nil {
            recordMissingRows()
            reportRefusals()
        }
        loadAroundViewport()
    }

    /// Takes the rows around the reader; nil while they are not those that are waited for.
    private func applyResults(_ read: RecordResults<Delivery>.State, _ state: inout State) -> (isScreenChanged: Bool, changed: [DeliveryID])? {
        guard read.isCurrent, let count = read.count, !state.isQueryPending || read.query == state.recordQuery else { return nil }
        if read.isUpToDate, count > 0, state.expectedVisible.lowerBound >= count {
            // The list ends before the reader: its last rows are read next.
            let first = max(0, count - state.visible.count)
            state.visible = first..<first + state.visible.count
            return nil
        }
        let reading = StoredRows.Snapshot(results, around: state.expectedVisible, count: count)
        // What is in view may still be on its way.
        if reading.records.isEmpty, reading.count > 0, !(state.isQueryPending && read.isUpToDate) { return nil }
        return state.apply(reading, topRow: topRow)
    }

    /// Reports the refused marks of rows in view, and of a refusal that has just come in; those of other rows once these are in view.
    private func reportRefusals(_ latest: FavouriteRefusal? = nil) {
        let refusals = state.withLock { state in
            let refusals = state.dequeueUnreportedRefusals(latest)
            for (refusal, delivery) in refusals {
                let text = contexts.texts.refusalMessage(refusal, title: contexts.title(of: delivery))
                state.add(Notice(refusal, text, after: state.notices.last, at: repository.now()))
            }
            return refusals.map(\.refusal)
        }
        guard !refusals.isEmpty else { return }
        mailbox.record { $0.recordScreenChange() }
        for refusal in refusals { repository.favourites.acknowledge(refusal) }
    }

    /// Pages are under way, have come, or have failed.
    private func pagingDidChange() {
        let isChanged = state.withLock { state in
            let (paging, earlier) = (pages.state, state.status)
            // The end is told with the rows before it, and a page may bring no row that would say so: they are read first.
            let end = paging.loadedRanges.last?.places.upperBound ?? 0
            if paging.isComplete && !earlier.isLastPageStored || end != state.pagesEnd { results.reload() }
            state.pagesEnd = end
            state.status.update(paging, contexts.texts)
            return state.status != earlier
        }
        if isChanged { mailbox.record { $0.recordScreenChange() } }
        for failure in pages.state.failures.values { repository.client.reachability?.reportFailure(failure) }
    }
}

extension StoredRows<Delivery>.Snapshot {
    /// What a list has in memory around the rows in view.
    init(_ list: RecordResults<Delivery>, around visible: Range<Int>, count: Int) {
        let watched = RowCoverage.watched(around: visible, of: count)
        let slots = list.slots(in: watched)
        let missing = slots.prefix { $0 == nil }.count
        let records = slots.dropFirst(missing).prefix { $0 != nil }.compactMap(\.self)
        self.init(start: watched.lowerBound + missing, records: records, count: max(count, watched.lowerBound + missing + records.count))
    }
}
