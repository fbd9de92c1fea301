public import Foundation
public import Observation
import UpdateMerging

/// An observable model of a `PagedList` for SwiftUI.
///
/// ```swift
/// let model = PagedListModel(store: store, source: source)
///
/// List {
///     ForEach(model.rows) { record in
///         ParcelView(record.row)
///             .onAppear { model.rowAppeared(record.id) }
///             .onDisappear { model.rowDisappeared(record.id) }
///     }
///     if !model.isComplete { ProgressView().onAppear { model.loadMore() } }
/// }
/// .task { await model.run() }
/// .refreshable { await model.refresh() }
/// ```
///
/// Rows that appear load those around them, so that `loadMore` is needed only after a failure or by views that report no rows. It is tested on Linux
/// with Observation alone, and was not run with SwiftUI on a device.
@MainActor @Observable
public final class PagedListModel<Row: PersistableRow> {
    /// The rows in memory, in the order of the list: those near the visible ones, at most `bufferLimit` of the list.
    public private(set) var rows: [StoredRecord<Row>] = []
    /// The loading state of the list.
    public private(set) var state: PagedList<Row>.State
    /// The date at which the oldest visible row was stored, or the oldest row in memory if no row has appeared; nil without rows.
    public private(set) var storedAt: Date?
    /// The error of the last attempt to open the list.
    private var openFailure: (any Error)?

    @ObservationIgnored private let list: PagedList<Row>
    @ObservationIgnored private var isOpen = false
    /// The number of changes of the rows in memory that are applied.
    @ObservationIgnored private var revision = 0
    /// The indices of the rows in memory.
    @ObservationIgnored private var indices: [Row.ID: Int] = [:]
    @ObservationIgnored private var visibleIDs: Set<Row.ID> = []
    /// The places of the visible rows; nil before the first one appears.
    @ObservationIgnored private var visibleRange: Range<Int>?
    /// The tasks that wait for the end of a refresh, and those that wait to open the list again.
    @ObservationIgnored private let refreshWaiters = TaskWaiters()
    @ObservationIgnored private let openWaiters = TaskWaiters()
    /// The tasks that run the model, of which the first one opens the list and reads its updates.
    @ObservationIgnored private let readers = ReaderQueue()
    /// The number of these tasks.
    @ObservationIgnored private var runCount = 0

    /// Creates a model of a list.
    ///
    /// Rows beyond the `bufferLimit` of the list leave `rows`, those above the visible ones too, and a SwiftUI list then moves its content. The default
    /// limit of a `PagedList` is for views that show rows by their places.
    public init(list: PagedList<Row>) {
        self.list = list
        state = list.state
        apply()
    }

    /// Creates a model with a list of its own.
    ///
    /// - Parameters:
    ///   - prefetchDistance: The number of places on each side of the visible ones that are loaded ahead.
    ///   - bufferLimit: The maximum number of rows in memory. All of them are read again after each page and each other change among them.
    public convenience init(
        store: any RecordStore<Row>, source: any PageSource<Row>, prefetchDistance: Int = 40, bufferLimit: Int = 2_000
    ) {
        self.init(list: PagedList(store: store, source: source, prefetchDistance: prefetchDistance, bufferLimit: bufferLimit))
    }

    /// Whether pages are being fetched.
    public var isLoading: Bool { !state.fetching.isEmpty }

    /// Whether a task that runs the model opens the list, or waits to open it again after a failure.
    private var isOpening: Bool { runCount > 0 && !isOpen }

    /// Whether the list is being fetched again from its first page.
    public var isRefreshing: Bool { state.fetching.contains(.refresh) }

    /// Whether the list is known to end after the last loaded row.
    public var isComplete: Bool { state.isComplete }

    /// The error of the list: of the store, of the last refresh, or of the last page in a direction; nil if none has failed. The rows remain.
    public var failure: (any Error)? {
        let directions: [PageDirection] = [.refresh, .append, .seek, .prepend]
        return openFailure ?? state.readFailure ?? directions.lazy.compactMap { self.state.failures[$0] }.first
    }
}

// MARK: - Events

extension PagedListModel {
    /// Shows the rows of the store, fetches the first page, and updates the model until the task is cancelled.
    ///
    /// Several tasks may run the model, such as those of two views: one of them updates it, and after its end the next one.
    /// - Parameter refreshing: Whether a list with stored pages is fetched again when the model opens it. A model that runs again, as when its view
    ///   returns, does not refresh.
    public func run(refreshing: Bool = true) async {
        runCount += 1
        if await readers.begin() {
            await open(refreshing: refreshing)
            apply()
            for await _ in list.updates { apply() }
            readers.end()
        }
        runCount -= 1
        // No later update would resume the waiting tasks.
        if runCount == 0 { refreshWaiters.resume() }
    }

    /// Opens the list; after a failure again with each retry or refresh.
    private func open(refreshing: Bool) async {
        while !isOpen, !Task.isCancelled {
            // The list refreshes when it is opened.
            if refreshing { list.refresh() }
            do {
                try await list.open()
                (isOpen, openFailure) = (true, nil)
            } catch {
                if !(error is CancellationError) { openFailure = error }
                refreshWaiters.resume()
                await openWaiters.wait()
            }
        }
    }

    /// Fetches the list again from its first page. Returns when this has ended or failed, or when this task or the one that runs the model is
    /// cancelled; at once if no task runs the model.
    public func refresh() async {
        openWaiters.resume()
        list.refresh()
        apply()
        if runCount > 0, isRefreshing || isOpening { await refreshWaiters.wait() }
    }

    /// Loads the rows after the last one, from the store or the server, also after a failure.
    public func loadMore() {
        if failure != nil { retry() }
        guard let last = rows.last?.place else { return }
        list.setVisibleRange(last..<last + 1)
    }

    /// Repeats what has failed.
    public func retry() {
        openWaiters.resume()
        list.retry()
        apply()
    }

    /// Adds a row to the visible ones.
    public func rowAppeared(_ id: Row.ID) {
        visibleIDs.insert(id)
        updateVisibleRange()
        updateAge()
    }

    /// Removes a row from the visible ones.
    public func rowDisappeared(_ id: Row.ID) {
        visibleIDs.remove(id)
        updateVisibleRange()
        updateAge()
    }
}

// MARK: - Updates

extension PagedListModel {
    private func apply() {
        let contents = list.contents
        state = contents.state
        if contents.revision != revision {
            (rows, revision) = (contents.rows, contents.revision)
            indices = Dictionary(rows.indices.map { (rows[$0].id, $0) }) { first, _ in first }
            // Rows may have moved.
            updateVisibleRange()
            updateAge()
        }
        if !isRefreshing, !isOpening { refreshWaiters.resume() }
    }

    /// The visible rows that are in memory, unordered.
    private var visibleRows: [StoredRecord<Row>] { visibleIDs.compactMap { indices[$0] }.map { rows[$0] } }

    private func updateVisibleRange() {
        let visible = visibleRows.map(\.place)
        guard let first = visible.min(), let last = visible.max(), visibleRange != first..<(last + 1) else { return }
        visibleRange = first..<(last + 1)
        list.setVisibleRange(first..<(last + 1))
    }

    private func updateAge() {
        let oldest = visibleRows.map(\.storedAt).min() ?? rows.lazy.map(\.storedAt).min()
        if storedAt != oldest { storedAt = oldest }
    }
}
