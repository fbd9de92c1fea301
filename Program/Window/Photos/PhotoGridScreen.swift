import LadingFeeds
import LadingHTTP
import LadingOperations
import MarsPhotos
import Synchronization

/// The photos of one sol on one page.
final class PhotoGridScreen: WindowScreen {
    struct State {
        var watchedRows = WatchedRows()
        var seq = 0
        /// The list that was sent last, and its acknowledgement.
        var sent: SentList
        /// The version of the last row that was sent; it only increases.
        var version = 0
        var viewport: Viewport
        /// The last manifest; nil before it is loaded, and where the source has none.
        var manifest: RoverManifest?
        /// Whether the manifest has loaded or failed.
        var hasFinishedManifest = false
        /// The error of loading the manifest; nil when it succeeded.
        var manifestFailure: (any Error)?
        var manifestTask: Task<Void, Never>?
    }

    /// The list that the page shows, as far as is known.
    struct SentList {
        /// The revision of the list; nil while it is unknown which list the page shows.
        var revision: Int?
        var snapshot: FeedSnapshot<MarsPhoto>
        var isAcknowledged = false
        /// The row that the page has to show at the top; nil once the page has acknowledged the list, and for the initial index.
        var anchor: MarsPhotoID?
        /// The initial index: the first row in view when the page was opened. It is the position of a page without an anchor.
        let initialIndex: Int
        /// The number of new rows above the viewport.
        var newRowCount = 0
    }

    let repository: PhotoRepository
    let solPhotos: SolPhotoRepository
    let contexts: PhotoContexts
    let renderer: PageRenderer
    let controller: FeedController<PhotoCellFeed>
    let eventBuffer = EventBuffer<MarsPhotoID>()
    let state: Mutex<State>

    /// - Parameters:
    ///   - first: The rows in view until the page reports its viewport.
    ///   - topRow: The row at the top of a reopened page.
    init(
        _ repository: PhotoRepository, _ query: SolQuery, _ contexts: PhotoContexts, _ renderer: PageRenderer, first: Range<Int>,
        topRow: MarsPhotoID? = nil
    ) {
        solPhotos = repository.sol(query)
        controller = FeedController(
            feed: solPhotos.feed, cache: solPhotos.cache, queue: repository.queue, buffer: eventBuffer,
            reachability: repository.reachability)
        self.repository = repository
        self.contexts = contexts
        self.renderer = renderer
        let sent = SentList(snapshot: controller.list.snapshot, anchor: topRow, initialIndex: first.lowerBound)
        state = Mutex(State(sent: sent, viewport: Viewport(visible: first)))
        repository.images.progress.addObserver(self) { [weak self] in self?.progressDidChange($0) }
        controller.start()
        controller.setViewport(Viewport(visible: first), observing: WatchedRows.watched(around: first, of: .max))
        loadManifest()
    }

    /// The cached or last manifest; nil while it is unknown, and where the source has none.
    var manifest: RoverManifest? { repository.cachedManifest(of: solPhotos.query.rover) ?? state.withLock { $0.manifest } }

    var hasFinishedManifest: Bool { state.withLock { $0.hasFinishedManifest } }

    func invalidateAll() {
        state.withLock { state in
            state.watchedRows = WatchedRows()
            state.sent.isAcknowledged = false
            if let top = state.sent.snapshot.references(in: state.viewport.visible).first { state.sent.anchor = top.id }
        }
        eventBuffer.record { $0.recordScreenChange() }
    }

    func stop() {
        repository.images.progress.removeObserver(self)
        controller.stop()
        state.withLock { $0.manifestTask }?.cancel()
    }

    /// Loads the manifest, unless it is cached.
    private func loadManifest() {
        let manifestTask = repository.queue.task { [weak self, repository, rover = solPhotos.query.rover] in
            if let stored = await repository.archivedManifest(of: rover) { self?.restoreArchivedManifest(stored) }
            do {
                self?.finishManifest(try await repository.manifest(of: rover), failure: nil)
            } catch {
                self?.finishManifest(nil, failure: error)
            }
        }
        let former = state.withLock { state in
            defer { state.manifestTask = manifestTask }
            return state.manifestTask
        }
        former?.cancel()
    }

    /// Restores the manifest of the archive until another one is loaded.
    private func restoreArchivedManifest(_ manifest: RoverManifest) {
        state.withLock { $0.manifest = $0.manifest ?? manifest }
        eventBuffer.record { $0.recordScreenChange() }
    }

    /// Records the end of loading the manifest: a manifest, an error, or neither where the source has none.
    private func finishManifest(_ manifest: RoverManifest?, failure: (any Error)?) {
        state.withLock { state in
            state.hasFinishedManifest = true
            state.manifest = manifest ?? state.manifest
            state.manifestFailure = failure
        }
        if let failure { repository.reachability?.reportFailure(failure) }
        eventBuffer.record { $0.recordScreenChange() }
    }

    /// Records the progress of a photo for a page with its cell near the viewport.
    private func progressDidChange(_ id: MarsPhotoID) {
        guard id.sol == solPhotos.query.sol, id.rover == solPhotos.query.rover else { return }
        let isNear = state.withLock { state in
            let snapshot = state.sent.snapshot
            return snapshot.index(of: id).map { WatchedRows.watched(around: state.viewport.visible, of: snapshot.count).contains($0) }
                ?? false
        }
        if isNear { eventBuffer.record { $0.record([id]) } }
    }
}

// MARK: - Reports of the page

extension PhotoGridScreen {
    func setVisible(_ isVisible: Bool) {
        let (viewport, count) = state.withLock { ($0.viewport, $0.sent.snapshot.count) }
        let watched = WatchedRows.watched(around: viewport.visible, of: count)
        controller.setViewport(isVisible ? viewport : Viewport(visible: 0..<0), observing: watched)
    }

    func setViewport(_ report: ViewportReport) {
        guard let acknowledged = acknowledge(report) else { return }
        loadRows(around: report.viewport, of: acknowledged)
    }

    /// Records a report about the list that was sent last, and returns that list; nil if the report is outdated or about another list.
    func acknowledge(_ report: ViewportReport) -> SentList? {
        state.withLock { state -> SentList? in
            guard report.seq > state.seq, report.list == state.sent.revision.map(String.init) else { return nil }
            state.seq = report.seq
            state.viewport = report.viewport
            state.sent.isAcknowledged = true
            state.sent.anchor = nil
            state.sent.newRowCount = 0
            return state.sent
        }
    }

    /// Loads and sends the rows around a viewport of an acknowledged list.
    func loadRows(around viewport: Viewport, of acknowledged: SentList) {
        // The indices do not belong to a newer list; the page reports again when it has that list.
        guard controller.list.revision == acknowledged.revision else { return }
        let snapshot = acknowledged.snapshot
        controller.setViewport(viewport, observing: WatchedRows.watched(around: viewport.visible, of: snapshot.count))
        recordMissingRows(of: snapshot)
    }

    // Photos have no sort and search; a camera filter is another page.
    func setQuery(_ query: RequestedQuery) {}

    func retry(_ row: MarsPhotoID?) {
        guard let row else { return refresh() }
        controller.retry(row)
    }

    func refresh() {
        controller.refresh()
        loadManifest()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        controller.retryFailures(where: isRetried)
        let failure = state.withLock { $0.manifestFailure }
        if let failure, isRetried(failure) { loadManifest() }
    }

    /// Records the rows around the viewport that the page does not have.
    private func recordMissingRows(of snapshot: FeedSnapshot<MarsPhoto>) {
        let cache = solPhotos.cache
        let missing = state.withLock { state in
            state.watchedRows.missing(around: state.viewport.visible, of: snapshot.count, latest: cache.version) {
                $0 < snapshot.count ? cache.version(of: snapshot.references[$0].id) : 0
            }
        }
        eventBuffer.record { $0.record(missing.map { snapshot.references[$0].id }) }
    }
}

extension ViewportReport {
    /// The reported viewport of a grid.
    fileprivate var viewport: Viewport {
        Viewport(
            visible: visible, rowsPerSecond: rowsPerSecond ?? 0, landing: landing?.clampedToList,
            columns: min(columns ?? 1, Viewport.rowLimit))
    }
}
