import Deliveries
import Foundation
import LadingHTTP
import LadingOutbox
import LadingRecords
import Synchronization

/// The list of deliveries on one page: rows are read from the store, and pages are fetched into it as the viewport nears the end.
final class DeliveryListScreen: ListScreen {
    struct State {
        var rows = StoredRows<Delivery>()
        var watchedRows = WatchedRows()
        var seq = 0
        /// The version of the last row that was sent; it only increases.
        var version = 0
        /// The version at which rows out of view may have changed.
        var changedAt = 0
        /// The end of the store positions of which rows were read.
        var placesEnd = 0
        /// The end of the positions covered by fetched pages.
        var pagesEnd = 0
        /// The revision of the list.
        var listRevision = 0
        /// The revision last sent to the page, which ignores rows of any other.
        var sentListRevision = 0
        var visible: Range<Int>
        var query: RequestedQuery
        /// The page's position in the list, until the page acknowledges the list.
        var anchor: Anchor
        var isAcknowledged = false
        /// The number of new rows above the viewport.
        var newRowCount = 0
        /// Whether the rows of the last query are still loading.
        var isQueryPending = true
        /// The reason why rows are retained although the store does not have the first one in view; nil if it has.
        var retention: Retention?
        /// The store's query for the last requested query; nil until it is determined.
        var recordQuery: RecordQuery?
        /// The position after the rows of the last query have loaded; nil for the initial position.
        var pendingAnchor: Anchor?
        var status = Status()
        /// The notices, oldest first, which every list event contains.
        var notices: [Notice] = []
        /// The keys of the last reported rejections.
        var reportedRejections: [IdempotencyKey] = []
        /// Whether the page has an open stream; nil before the first one.
        var isStreaming: Bool?
        var tasks: [Task<Void, Never>] = []
        /// The task that determines `recordQuery`.
        var queryTask: Task<Void, Never>?
    }

    /// The reason why rows that the store does not have are retained.
    enum Retention {
        /// A page that is being fetched may return them.
        case fetching
        /// They may be in a page that was stored after the last read.
        case reading
    }

    /// The position of a page in a list that it has not received yet.
    enum Anchor {
        case top
        case row(DeliveryID, index: Int)
        case index(Int)
    }

    let eventBuffer = EventBuffer<DeliveryID>()
    let repository: DeliveryRepository
    let contexts: DeliveryContexts
    let renderer: PageRenderer
    let state: Mutex<State>
    let results: RecordResults<Delivery>
    let pages: PagedList<Delivery>
    /// The source of the pages.
    let source: DeliveryPages
    private let topRow: DeliveryID?
    /// The requests to open the paged list, until that has succeeded.
    private let openingRequests: AsyncStream<Void>.Continuation

    /// - Parameters:
    ///   - first: The rows in view until the page reports its viewport.
    ///   - topRow: The row at the top of a reopened page.
    init(
        _ repository: DeliveryRepository, _ contexts: DeliveryContexts, _ renderer: PageRenderer, first: Range<Int>,
        topRow: DeliveryID? = nil,
        query: RequestedQuery = RequestedQuery()
    ) async {
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        self.topRow = topRow
        let recordQuery = await repository.recordQuery(for: query)
        results = RecordResults(store: repository.store, query: recordQuery, prefetchDistance: 60, bufferLimit: 280)
        let source = repository.makePageSource()
        self.source = source
        pages = repository.makePagedList(from: source)
        let (openings, openingRequests) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.openingRequests = openingRequests
        var initial = State(visible: first, query: query, anchor: .index(first.lowerBound), recordQuery: recordQuery)
        if let loss = repository.favouritesLostAt { initial.add(Notice(contexts.texts.strings.favouritesLost, at: loss)) }
        if let time = repository.diskFullAt { initial.add(Notice(contexts.texts.strings.diskFull, at: time)) }
        state = Mutex(initial)
        results.setVisibleRange(first)
        results.open()
        let tasks = [
            Task { [weak self, updates = results.updates] in for await _ in updates { self?.rowsDidLoad() } },
            Task { [weak self, updates = pages.updates] in for await _ in updates { self?.pagingDidChange() } },
            Task { [weak self] in
                for await _ in openings {
                    if await self?.open() != false { return }
                }
            },
            Task { [weak self, changes = repository.store.changes()] in
                for await change in changes {
                    self?.state.withLock { $0.record(change) }
                    // After a local change of a row out of memory there is no update of the results.
                    self?.recordMissingRows()
                }
            },
            Task { [weak self, rejections = repository.favourites.rejections()] in
                for await rejection in rejections { self?.reportRejections(rejection) }
            },
        ]
        state.withLock { $0.tasks = tasks }
        openingRequests.yield()
    }

    func stop() {
        results.close()
        pages.close()
        let tasks = state.withLock { $0.tasks + [$0.queryTask].compactMap(\.self) }
        for task in tasks { task.cancel() }
    }

    func invalidateAll() {
        state.withLock { state in
            state.watchedRows = WatchedRows()
            state.isAcknowledged = false
            if case .top = state.anchor { return }
            state.anchor = state.viewportAnchor
        }
        eventBuffer.record { $0.recordScreenChange() }
    }

    /// Opens the paged list, and refreshes it when the stored rows are stale. Returns whether the store could be read.
    private func open() async -> Bool {
        do {
            let first = try await repository.store.records(limit: 1).records.first
            let isFresh = first.map { repository.now().timeIntervalSince($0.storedAt) <= DeliveryRepository.freshnessLifetime } ?? false
            // The list refreshes when it is opened.
            if !isFresh { pages.refresh() }
            try await pages.open()
            loadAroundViewport()
            return true
        } catch {
            state.withLock { $0.status.update(error, contexts.texts) }
            eventBuffer.record { $0.recordScreenChange() }
            return false
        }
    }
}

// MARK: - Reports of the page

extension DeliveryListScreen {
    /// The page has its rows and may never open a stream: changes are read when it does.
    func sessionDidOpen() { results.pause() }

    func setVisible(_ isVisible: Bool) {
        state.withLock { $0.isStreaming = isVisible }
        guard isVisible else {
            results.pause()
            return pages.setVisibleRange(0..<0)
        }
        results.resume()
        loadAroundViewport()
        reportRejections()
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
        reportRejections()
    }

    func setQuery(_ query: RequestedQuery) {
        let isChanged = state.withLock { state in
            let earlier = state.query
            guard earlier != query else { return false }
            state.query = query
            (state.isQueryPending, state.recordQuery) = (true, nil)
            state.pendingAnchor = query.hasSameSearchAndSort(as: earlier) ? .index(state.visible.lowerBound) : .top
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

    func retry() {
        openingRequests.yield()
        pages.retry()
        results.retry()
    }

    func refresh() {
        pages.refresh()
        openingRequests.yield()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        openingRequests.yield()
        if pages.state.failures.values.contains(where: isRetried) {
            // The server is reachable: the problem is cleared until the response arrives.
            state.withLock { $0.status.update(nil as (any Error)?, contexts.texts) }
            pages.retry()
            eventBuffer.record { $0.recordScreenChange() }
        }
        let missing = state.withLock { state in
            state.rows.records(in: WatchedRows.watched(around: state.visible, of: state.rows.count)).filter { record in
                record.row.imageURL.map { repository.images.failedImages.markForRetry($0, where: isRetried) } ?? false
            }.map(\.row.id)
        }
        if !missing.isEmpty { eventBuffer.record { $0.record(missing) } }
    }

    private func setRecordQuery(_ query: RecordQuery, for requestedQuery: RequestedQuery) {
        let isUnchanged = state.withLock { state in
            // A newer query determines its own.
            guard state.query == requestedQuery else { return false }
            state.recordQuery = query
            if query == results.state.query { return true }
            results.setQuery(query)
            return false
        }
        if isUnchanged { rowsDidLoad() }
    }

    /// Reads the rows around the viewport, and fetches pages when the list is shown without search and sort.
    private func loadAroundViewport() {
        // The empty positions are known only once the rows of these pages were read, which starts before `pagesEnd` is set.
        let pagesEnd = state.withLock { $0.pagesEnd }
        let end = results.state.isUpToDate ? pagesEnd : 0
        let (visible, places) = state.withLock { ($0.expectedVisible, $0.isStreaming == false ? nil : $0.placesInView(before: end)) }
        results.setVisibleRange(visible)
        if let places { pages.setVisibleRange(places) }
    }

    /// Records the loaded rows around the viewport that the page does not have.
    private func recordMissingRows() {
        let missing = state.withLock { state -> [DeliveryID] in
            guard state.isAcknowledged else { return [] }
            let (version, changedAt) = (state.version, state.changedAt)
            let indices = state.watchedRows.missing(around: state.visible, of: state.rows.count, latest: version) { _ in changedAt }
            return indices.compactMap { state.rows.snapshot[$0]?.row.id }
        }
        eventBuffer.record { $0.record(missing) }
    }
}

// MARK: - Updates of rows and pages

extension DeliveryListScreen {
    /// Handles rows that were read or counted.
    private func rowsDidLoad() {
        let changes = state.withLock { state in
            let (read, earlier) = (results.state, state.status)
            state.status.update(read, contexts.texts)
            let rows = applyResults(read, &state)
            // The time of rows can change without their content.
            return (isOfScreen: rows?.isScreenChanged == true || state.status != earlier || state.hasAged, rows: rows?.changed)
        }
        eventBuffer.record { log in
            if changes.isOfScreen { log.recordScreenChange() }
            log.record(changes.rows ?? [])
        }
        if changes.rows != nil {
            recordMissingRows()
            reportRejections()
        }
        loadAroundViewport()
    }

    /// Applies the rows around the viewport; nil while the expected rows are still loading.
    private func applyResults(_ read: RecordResults<Delivery>.State, _ state: inout State) -> (
        isScreenChanged: Bool, changed: [DeliveryID]
    )? {
        guard read.isCurrent, let count = read.count, !state.isQueryPending || read.query == state.recordQuery else { return nil }
        if read.isUpToDate, count > 0, state.expectedVisible.lowerBound >= count {
            // The list ends before the viewport: its last rows are read next.
            let first = max(0, count - state.visible.count)
            state.visible = first..<first + state.visible.count
            return nil
        }
        let reading = StoredRows.Snapshot(results, around: state.expectedVisible, count: count)
        // The rows in view may still be loading.
        if reading.records.isEmpty, reading.count > 0, !(state.isQueryPending && read.isUpToDate) { return nil }
        guard !retainsRows(missingFrom: reading, read, &state) else { return (false, []) }
        return state.apply(reading, topRow: topRow)
    }

    /// Returns whether the known rows remain because the first one in view may return to the store.
    ///
    /// A page of a refresh removes the older rows at its places. Those that have moved back on the server return with the page after it.
    private func retainsRows(
        missingFrom reading: StoredRows<Delivery>.Snapshot, _ read: RecordResults<Delivery>.State, _ state: inout State
    ) -> Bool {
        guard !state.isQueryPending, state.rows.isFirstRow(in: state.visible, missingFrom: reading) else {
            state.retention = nil
            return false
        }
        switch state.retention {
        case _ where !pages.state.fetching.isEmpty: state.retention = .fetching
        case nil, .fetching:
            results.reload()
            state.retention = .reading
        case .reading: if read.isUpToDate { state.retention = nil }
        }
        return state.retention != nil
    }

    /// Reports the rejections of rows in view, including a new one; those of other rows are reported once these are in view.
    private func reportRejections(_ latest: FavouriteRejection? = nil) {
        let rejections = state.withLock { state in
            let rejections = state.dequeueRejections(latest)
            for (rejection, delivery) in rejections {
                let text = contexts.texts.rejectionMessage(rejection, title: contexts.title(of: delivery))
                state.add(Notice(rejection, text, after: state.notices.last, at: repository.now()))
            }
            return rejections.map(\.rejection)
        }
        guard !rejections.isEmpty else { return }
        eventBuffer.record { $0.recordScreenChange() }
        for rejection in rejections { repository.favourites.acknowledge(rejection) }
    }

    /// Handles a change of the paging state.
    private func pagingDidChange() {
        let (isChanged, hasRetainedRows) = state.withLock { state in
            let (paging, earlier) = (pages.state, state.status)
            // The end of the list is sent with the last rows. These are read first, because a page without new rows would not trigger it.
            let end = paging.loadedRanges.last?.places.upperBound ?? 0
            if paging.isComplete && !earlier.isLastPageStored || end != state.pagesEnd { results.reload() }
            state.pagesEnd = end
            state.status.update(paging, contexts.texts)
            return (state.status != earlier, state.retention == .fetching && paging.fetching.isEmpty)
        }
        if isChanged { eventBuffer.record { $0.recordScreenChange() } }
        if hasRetainedRows { rowsDidLoad() }
        for failure in pages.state.failures.values { repository.client.reachability?.reportFailure(failure) }
    }
}

extension StoredRows<Delivery>.Snapshot {
    /// Creates a snapshot of the rows that are loaded around the viewport.
    init(_ list: RecordResults<Delivery>, around visible: Range<Int>, count: Int) {
        let watched = WatchedRows.watched(around: visible, of: count)
        let slots = list.slots(in: watched)
        let missing = slots.prefix { $0 == nil }.count
        let records = slots.dropFirst(missing).prefix { $0 != nil }.compactMap(\.self)
        self.init(start: watched.lowerBound + missing, records: records, count: max(count, watched.lowerBound + missing + records.count))
    }
}
