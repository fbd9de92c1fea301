import LadingFeeds
import LadingHTTP
import LadingOperations
import MarsPhotos
import Synchronization

/// The photos of one sol on one page.
final class PhotoGridScreen: WindowScreen {
    struct State {
        var coverage = RowCoverage()
        var seq = 0
        /// The list that was sent last, and whether the page has shown that it has it.
        var sent: SentList
        /// The version of the rows sent last; it only grows.
        var version = 0
        var viewport: Viewport
        /// The sols that have photos, as they were told last; nil before, and where the source does not tell.
        var manifest: RoverManifest?
        /// Whether the source has told which sols have photos, or could not.
        var hasAskedForSols = false
        /// Why the source has not told; nil when it has.
        var manifestFailure: (any Error)?
        var asking: Task<Void, Never>?
    }

    /// What the page shows, as far as is known.
    struct SentList {
        /// nil while it is not known which list the page shows.
        var number: Int?
        var snapshot: FeedSnapshot<MarsPhoto>
        var isAcknowledged = false
        /// The row that the page finds its place by until it has shown that it has; nil for the index it was opened at.
        var anchor: MarsPhotoID?
        let openedAt: Int
        /// New rows above the reader.
        var freshCount = 0
    }

    let board: PhotoBoard
    let sol: SolBoard
    let contexts: PhotoContexts
    let renderer: PageRenderer
    let controller: FeedController<CellFeed>
    let mailbox = EventMailbox<MarsPhotoID>()
    let state: Mutex<State>

    /// - Parameters:
    ///   - first: The rows in view until the page reports.
    ///   - topRow: The row at the top of a page that comes back.
    init(
        _ board: PhotoBoard, _ query: SolQuery, _ contexts: PhotoContexts, _ renderer: PageRenderer, first: Range<Int>,
        topRow: MarsPhotoID? = nil
    ) {
        sol = board.sol(query)
        controller = FeedController(
            feed: sol.feed, memory: sol.memory, queue: board.queue, mailbox: mailbox, reachability: board.reachability)
        self.board = board
        self.contexts = contexts
        self.renderer = renderer
        let sent = SentList(snapshot: controller.list.snapshot, anchor: topRow, openedAt: first.lowerBound)
        state = Mutex(State(sent: sent, viewport: Viewport(visible: first)))
        board.pictures.progress.watch(by: self) { [weak self] in self?.hasComeFurther($0) }
        controller.start()
        controller.show(Viewport(visible: first), watching: RowCoverage.watched(around: first, of: .max))
        askForSols()
    }

    /// What the source tells of the sols, or told before; nil while that is not known, and where it does not tell.
    var manifest: RoverManifest? { board.knownManifest(of: sol.query.rover) ?? state.withLock { $0.manifest } }

    var hasAskedForSols: Bool { state.withLock { $0.hasAskedForSols } }

    func noteAll() {
        state.withLock { state in
            state.coverage = RowCoverage()
            state.sent.isAcknowledged = false
            if let top = state.sent.snapshot.references(in: state.viewport.visible).first { state.sent.anchor = top.id }
        }
        mailbox.note { $0.noteScreen() }
    }

    func stop() {
        board.pictures.progress.unwatch(by: self)
        controller.stop()
        state.withLock { $0.asking }?.cancel()
    }

    /// Asks which sols have photos, unless that is known.
    private func askForSols() {
        let asking = board.queue.task { [weak self, board, rover = sol.query.rover] in
            if let stored = await board.archivedManifest(of: rover) { self?.solsRestored(stored) }
            do {
                self?.solsTold(try await board.manifest(of: rover), failure: nil)
            } catch {
                self?.solsTold(nil, failure: error)
            }
        }
        let former = state.withLock { state in
            defer { state.asking = asking }
            return state.asking
        }
        former?.cancel()
    }

    /// Shows a stored manifest until the source sends another.
    private func solsRestored(_ manifest: RoverManifest) {
        state.withLock { $0.manifest = $0.manifest ?? manifest }
        mailbox.note { $0.noteScreen() }
    }

    private func solsTold(_ manifest: RoverManifest?, failure: (any Error)?) {
        state.withLock { state in
            state.hasAskedForSols = true
            state.manifest = manifest ?? state.manifest
            state.manifestFailure = failure
        }
        if let failure { board.reachability?.noteFailure(failure) }
        mailbox.note { $0.noteScreen() }
    }

    /// More of a photo has come: that is news for pages that have its cell about.
    private func hasComeFurther(_ id: MarsPhotoID) {
        guard id.sol == sol.query.sol, id.rover == sol.query.rover else { return }
        let isNear = state.withLock { state in
            let snapshot = state.sent.snapshot
            return snapshot.index(of: id).map { RowCoverage.watched(around: state.viewport.visible, of: snapshot.count).contains($0) }
                ?? false
        }
        if isNear { mailbox.note { $0.note([id]) } }
    }
}

// MARK: - What the page reports

extension PhotoGridScreen {
    func setVisible(_ isVisible: Bool) {
        let (viewport, count) = state.withLock { ($0.viewport, $0.sent.snapshot.count) }
        let watched = RowCoverage.watched(around: viewport.visible, of: count)
        controller.show(isVisible ? viewport : Viewport(visible: 0..<0), watching: watched)
    }

    func show(_ report: ViewportReport) {
        let viewport = Viewport(
            visible: report.visible, rowsPerSecond: report.rowsPerSecond ?? 0, landing: report.landing?.clampedToList,
            columns: min(report.columns ?? 1, Viewport.rowLimit))
        let snapshot = state.withLock { state -> FeedSnapshot<MarsPhoto>? in
            guard report.seq > state.seq, report.list == state.sent.number.map(String.init) else { return nil }
            state.seq = report.seq
            state.viewport = viewport
            state.sent.isAcknowledged = true
            state.sent.freshCount = 0
            return state.sent.snapshot
        }
        // A report about a list that is another meanwhile says nothing about this one; the page makes a new one when it has it.
        guard let snapshot, controller.list.number == state.withLock({ $0.sent.number }) else { return }
        controller.show(viewport, watching: RowCoverage.watched(around: viewport.visible, of: snapshot.count))
        noteMissing(of: snapshot)
    }

    // Photos are shown as they are listed; a filter is another page.
    func arrange(_ wish: ArrangementWish) {}

    func retry(_ row: MarsPhotoID?) {
        guard let row else { return refresh() }
        controller.retry(row)
    }

    func refresh() {
        controller.refresh()
        askForSols()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        controller.retryFailures(where: isRetried)
        let failure = state.withLock { $0.manifestFailure }
        if let failure, isRetried(failure) { askForSols() }
    }

    /// Notes the rows around the viewport that the page does not have.
    private func noteMissing(of snapshot: FeedSnapshot<MarsPhoto>) {
        let memory = sol.memory
        let missing = state.withLock { state in
            state.coverage.missing(around: state.viewport.visible, of: snapshot.count, latest: memory.version) {
                $0 < snapshot.count ? memory.version(of: snapshot.references[$0].id) : 0
            }
        }
        mailbox.note { $0.note(missing.map { snapshot.references[$0].id }) }
    }
}
