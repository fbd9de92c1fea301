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
        var list = 0
        /// The one that the page was told last: rows of another would mean nothing to it.
        var toldList = 0
        var visible: Range<Int>
        var wish: ArrangementWish
        /// How the page finds its place in the list, until it has shown that it has.
        var anchor: Anchor
        var isAcknowledged = false
        /// New rows above the reader.
        var freshCount = 0
        /// Whether the rows that answer the last wish are still to come.
        var isAsking = true
        /// What the last wish asks of the store; nil until that is found out.
        var question: RecordQuery?
        /// Where the reader will be when they are there; nil for where the page was opened.
        var askedAnchor: Anchor?
        var standing = Standing()
        /// The last reports of undone marks, oldest first; every list event has them.
        var notices: [Notice] = []
        /// The refusals that were reported last.
        var reported: [IdempotencyKey] = []
        /// Whether the page has an open stream.
        var isStreaming = false
        var tasks: [Task<Void, Never>] = []
        /// Finds out what the last wish asks of the store.
        var asking: Task<Void, Never>?
    }

    /// How a page finds its place in a list that is new to it.
    enum Anchor {
        case top
        case row(DeliveryID, index: Int)
        case index(Int)
    }

    let mailbox = EventMailbox<DeliveryID>()
    let board: DeliveryBoard
    let contexts: DeliveryContexts
    let renderer: PageRenderer
    let state: Mutex<State>
    let found: QueriedList<Delivery>
    let pages: PagedList<Delivery>
    private let topRow: DeliveryID?

    /// - Parameters:
    ///   - first: The rows in view until the page reports.
    ///   - topRow: The row at the top of a page that comes back.
    init(
        _ board: DeliveryBoard, _ contexts: DeliveryContexts, _ renderer: PageRenderer, first: Range<Int>, topRow: DeliveryID? = nil,
        wish: ArrangementWish = ArrangementWish()
    ) async {
        self.board = board
        self.contexts = contexts
        self.renderer = renderer
        self.topRow = topRow
        let question = await board.query(wish)
        found = QueriedList(store: board.store, query: question, reach: 60, kept: 280)
        pages = board.pages()
        var initial = State(visible: first, wish: wish, anchor: .index(first.lowerBound), question: question)
        if let loss = board.lossOfMarks { initial.add(Notice(contexts.texts.plain.marksLost, at: loss)) }
        if let time = board.fullDisk { initial.add(Notice(contexts.texts.plain.diskFull, at: time)) }
        state = Mutex(initial)
        found.show(first)
        found.open()
        let tasks = [
            Task { [weak self, updates = found.updates] in for await _ in updates { self?.rowsRead() } },
            Task { [weak self, updates = pages.updates] in for await _ in updates { self?.pagesMoved() } },
            Task { [weak self] in _ = await self?.begin() },
            Task { [weak self, changes = board.store.changes()] in
                for await change in changes { self?.state.withLock { $0.note(change) } }
            },
            Task { [weak self, refusals = board.favourites.refusals()] in for await refusal in refusals { self?.reportRefusals(refusal) } },
        ]
        state.withLock { $0.tasks = tasks }
    }

    func stop() {
        found.close()
        pages.close()
        let tasks = state.withLock { $0.tasks + [$0.asking].compactMap(\.self) }
        for task in tasks { task.cancel() }
    }

    func noteAll() {
        state.withLock { state in
            state.coverage = RowCoverage()
            state.isAcknowledged = false
            if case .top = state.anchor { return }
            state.anchor = state.placeOfReader
        }
        mailbox.note { $0.noteScreen() }
    }

    /// Begins to page, and fetches the list anew when what is stored of it is old.
    private func begin() async {
        do {
            try await pages.open()
            followReader()
            let first = try await board.store.records(limit: 1).records.first
            let isFresh = first.map { board.now().timeIntervalSince($0.stored) <= DeliveryBoard.freshness } ?? false
            let paging = pages.state
            if !isFresh, !paging.fetching.contains(.refresh), paging.failures[.refresh] == nil { pages.refresh() }
        } catch {
            state.withLock { $0.standing.note(error, contexts.texts) }
            mailbox.note { $0.noteScreen() }
        }
    }
}

// MARK: - What the page reports

extension DeliveryListScreen {
    func setVisible(_ isVisible: Bool) {
        state.withLock { $0.isStreaming = isVisible }
        guard isVisible else { return }
        followReader()
        reportRefusals()
    }

    func show(_ report: ViewportReport) {
        let isNews = state.withLock { state in
            guard report.seq > state.seq, report.list == "\(state.list)" else { return false }
            state.seq = report.seq
            state.visible = report.visible
            state.isAcknowledged = true
            state.freshCount = 0
            return true
        }
        guard isNews else { return }
        found.show(report.visible)
        rowsRead()
        reportRefusals()
        if state.withLock({ $0.hasAged() }) { mailbox.note { $0.noteScreen() } }
    }

    func arrange(_ wish: ArrangementWish) {
        let isNews = state.withLock { state in
            let earlier = state.wish
            guard earlier != wish else { return false }
            state.wish = wish
            (state.isAsking, state.question) = (true, nil)
            let isOnlyNearChanged = earlier.search == wish.search && earlier.sort == wish.sort
            state.askedAnchor = isOnlyNearChanged ? .index(state.visible.lowerBound) : .top
            return true
        }
        guard isNews else { return }
        let asking = Task { [weak self] in
            guard let query = await self?.board.query(wish) else { return }
            self?.ask(query, for: wish)
        }
        let earlier = state.withLock { state in
            defer { state.asking = asking }
            return state.asking
        }
        earlier?.cancel()
    }

    func retry(_ row: DeliveryID?) {
        pages.retry()
        found.retry()
    }

    func refresh() { pages.refresh() }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        if pages.state.failures.values.contains(where: isRetried) {
            // The server answers: what it says now is told when it has come.
            state.withLock { $0.standing.note(nil as (any Error)?, contexts.texts) }
            pages.retry()
            mailbox.note { $0.noteScreen() }
        }
        let missing = state.withLock { state in
            state.rows.records(in: RowCoverage.watched(around: state.visible, of: state.rows.count)).filter { record in
                record.row.picture.map { board.pictures.missing.renew($0, where: isRetried) } ?? false
            }.map(\.row.id)
        }
        if !missing.isEmpty { mailbox.note { $0.note(missing) } }
    }

    private func ask(_ query: RecordQuery, for wish: ArrangementWish) {
        let isKnown = state.withLock { state in
            // A wish that came meanwhile asks for itself.
            guard state.wish == wish else { return false }
            state.question = query
            if query == found.state.query { return true }
            found.ask(query)
            return false
        }
        if isKnown { rowsRead() }
    }

    /// Reads the rows around the reader, and fetches pages where the list is shown as it came.
    private func followReader() {
        // Which places are empty is known once the rows of these pages have been read, which begins before their end is noted.
        let pagesEnd = state.withLock { $0.pagesEnd }
        let end = found.state.isSettled ? pagesEnd : 0
        let (visible, places) = state.withLock { ($0.visibleThen, $0.isListed ? $0.placesInView(before: end) : nil) }
        found.show(visible)
        if let places { pages.show(places) }
    }

    /// Notes the rows around the reader that the page does not have, as far as they have been read.
    private func noteMissing() {
        let missing = state.withLock { state -> [DeliveryID] in
            guard state.isAcknowledged else { return [] }
            let (version, changedAt) = (state.version, state.changedAt)
            let indices = state.coverage.missing(around: state.visible, of: state.rows.count, latest: version) { _ in changedAt }
            return indices.compactMap { state.rows.reading[$0]?.row.id }
        }
        mailbox.note { $0.note(missing) }
    }
}

// MARK: - What has become known

extension DeliveryListScreen {
    /// Rows were read from the store, or counted.
    private func rowsRead() {
        let news = state.withLock { state in
            let (read, earlier) = (found.state, state.standing)
            state.standing.note(read, contexts.texts)
            let rows = takeRead(read, &state)
            return (isOfScreen: rows?.isScreenChanged == true || state.standing != earlier, rows: rows?.changed)
        }
        mailbox.note { log in
            if news.isOfScreen { log.noteScreen() }
            log.note(news.rows ?? [])
        }
        if news.rows != nil {
            noteMissing()
            reportRefusals()
        }
        followReader()
    }

    /// Takes the rows around the reader; nil while they are not those that are waited for.
    private func takeRead(_ read: QueriedList<Delivery>.State, _ state: inout State) -> (isScreenChanged: Bool, changed: [DeliveryID])? {
        guard read.isCurrent, let count = read.count, !state.isAsking || read.query == state.question else { return nil }
        if read.isSettled, count > 0, state.visibleThen.lowerBound >= count {
            // The list ends before the reader: its last rows are read next.
            let first = max(0, count - state.visible.count)
            state.visible = first..<first + state.visible.count
            return nil
        }
        let reading = StoredRows.Reading(found, around: state.visibleThen, count: count)
        // What is in view may still be on its way.
        if reading.records.isEmpty, reading.count > 0, !(state.isAsking && read.isSettled) { return nil }
        return state.take(reading, topRow: topRow)
    }

    /// Reports the refused marks of rows in view, and of a refusal that has just come in; those of other rows once these are in view.
    private func reportRefusals(_ latest: FavouriteRefusal? = nil) {
        let refusals = state.withLock { state in
            let refusals = state.takeUnreportedRefusals(latest)
            for (refusal, delivery) in refusals {
                let text = contexts.texts.undone(refusal, of: contexts.title(of: delivery))
                state.add(Notice(refusal, text, after: state.notices.last, at: board.now()))
            }
            return refusals.map(\.refusal)
        }
        guard !refusals.isEmpty else { return }
        mailbox.note { $0.noteScreen() }
        for refusal in refusals { board.favourites.acknowledge(refusal) }
    }

    /// Pages are under way, have come, or have failed.
    private func pagesMoved() {
        let isNews = state.withLock { state in
            let (paging, earlier) = (pages.state, state.standing)
            // The end is told with the rows before it, and a page may bring no row that would say so: they are read first.
            let end = paging.runs.last?.places.upperBound ?? 0
            if paging.isComplete && !earlier.isLastPageStored || end != state.pagesEnd { found.lookAgain() }
            state.pagesEnd = end
            state.standing.note(paging, contexts.texts)
            return state.standing != earlier
        }
        if isNews { mailbox.note { $0.noteScreen() } }
        for failure in pages.state.failures.values { board.client.reachability?.noteFailure(failure) }
    }
}

extension StoredRows<Delivery>.Reading {
    /// What a list has in memory around the rows in view.
    init(_ list: QueriedList<Delivery>, around visible: Range<Int>, count: Int) {
        let wanted = RowCoverage.watched(around: visible, of: count)
        let slots = list.slots(in: wanted)
        let missing = slots.prefix { $0 == nil }.count
        let records = slots.dropFirst(missing).prefix { $0 != nil }.compactMap(\.self)
        self.init(start: wanted.lowerBound + missing, records: records, count: max(count, wanted.lowerBound + missing + records.count))
    }
}
