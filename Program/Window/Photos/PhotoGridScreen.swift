import LadingFeeds
import LadingHTTP
import LadingOperations
import MarsPhotos
import Synchronization

/// The photos of one sol on one page.
final class PhotoGridScreen: ListScreen {
    struct State {
        var position: FeedListPosition<MarsPhoto>
        /// The first row in view when the page was opened: the position in a list that has none of the rows before.
        let initialIndex: Int
        /// The last manifest; nil before it is loaded, and where the source has none.
        var manifest: RoverManifest?
        /// Whether the manifest has loaded or failed.
        var hasFinishedManifest = false
        /// The error of loading the manifest; nil when it succeeded.
        var manifestFailure: (any Error)?
        var manifestTask: Task<Void, Never>?
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
        let position = FeedListPosition(in: controller.list.snapshot, first: first, topRow: topRow)
        state = Mutex(State(position: position, initialIndex: first.lowerBound))
        repository.images.progress.addObserver(self) { [weak self] in self?.progressDidChange($0) }
        controller.start()
        controller.setViewport(position.viewport, observing: WatchedRows.watched(around: first, of: .max))
        loadManifest()
    }

    /// The cached or last manifest; nil while it is unknown, and where the source has none.
    var manifest: RoverManifest? { repository.cachedManifest(of: solPhotos.query.rover) ?? state.withLock { $0.manifest } }

    var hasFinishedManifest: Bool { state.withLock { $0.hasFinishedManifest } }

    func invalidateAll() {
        state.withLock { $0.position.invalidate() }
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
        let position = state.withLock { $0.position }
        if let index = position.snapshot.index(of: id), position.observedRows.contains(index) { eventBuffer.record { $0.record([id]) } }
    }
}

// MARK: - Reports of the page

extension PhotoGridScreen {
    func setVisible(_ isVisible: Bool) {
        let position = state.withLock { $0.position }
        controller.setViewport(isVisible ? position.viewport : Viewport(visible: 0..<0), observing: position.observedRows)
    }

    func setViewport(_ report: ViewportReport) {
        guard let acknowledged = acknowledge(report) else { return }
        loadRows(of: acknowledged)
    }

    /// Records a report about the list that was sent last, and returns the position; nil if the report is late or about another list.
    func acknowledge(_ report: ViewportReport) -> FeedListPosition<MarsPhoto>? {
        state.withLock { $0.position.acknowledge(report, columns: report.columns ?? 1) }
    }

    /// Loads and sends the rows around the viewport of an acknowledged position.
    func loadRows(of acknowledged: FeedListPosition<MarsPhoto>) {
        // The indices do not belong to a newer list; the page reports again when it has that list.
        guard controller.list.revision == acknowledged.revision else { return }
        controller.setViewport(acknowledged.viewport, observing: acknowledged.observedRows)
        // Determined after the rows are observed: a change in between would be lost.
        let missing = state.withLock { $0.position.missingRows(of: acknowledged.snapshot, in: solPhotos.cache) }
        eventBuffer.record { $0.record(missing) }
    }

    func retry(_ row: MarsPhotoID) { controller.retry(row) }

    func refresh() {
        controller.refresh()
        loadManifest()
    }

    func retryFailures(where isRetried: @Sendable (any Error) -> Bool) {
        controller.retryFailures(where: isRetried)
        let failure = state.withLock { $0.manifestFailure }
        if let failure, isRetried(failure) { loadManifest() }
    }
}
