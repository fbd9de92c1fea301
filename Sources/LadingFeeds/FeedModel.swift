public import Observation
import UpdateMerging

/// An observable model of a `FeedController` for SwiftUI.
///
/// ```swift
/// List(model.references) { reference in
///     RowView(state: model.state(of: reference.id))
///         .onAppear { model.rowAppeared(reference.id) }
///         .onDisappear { model.rowDisappeared(reference.id) }
/// }
/// .task { await model.run() }
/// .refreshable { await model.refresh() }
/// ```
@MainActor @Observable
public final class FeedModel<F: Feed> {
    public typealias ID = F.Reference.ID

    /// The list as it is shown now.
    public private(set) var list: FeedList<F.Reference>
    @ObservationIgnored private let controller: FeedController<F>
    /// The version of each observed row, so that a change invalidates only the views of that row.
    @ObservationIgnored private var rows: [ID: RowVersion] = [:]
    @ObservationIgnored private var visibleIDs: Set<ID> = []
    /// The tasks that wait for the end of a refresh.
    @ObservationIgnored private let refreshWaiters = TaskWaiters()
    /// The tasks that run the model, of which the first one reads the updates.
    @ObservationIgnored private let readers = ReaderQueue()
    /// The number of these tasks.
    @ObservationIgnored private var runCount = 0
    /// Whether the controller will report the end of the fetch.
    @ObservationIgnored private var isObservingListFetch = false

    public init(controller: FeedController<F>) {
        self.controller = controller
        list = controller.list
    }

    /// The references of the list, in the order in which they are shown.
    public var references: [F.Reference] { list.snapshot.references }

    /// Whether the list is being fetched.
    public var isLoading: Bool { list.state == .loading }

    /// Returns the state of a row and observes it, so that the view is updated when it changes.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        let version = rows[id] ?? RowVersion()
        rows[id] = version
        _ = version.number
        return controller.state(of: id)
    }

    /// Fetches the list unless it is known, and updates the model until the task is cancelled.
    ///
    /// Several tasks may run the model, such as those of two views: one of them updates it, and after its end the next one.
    public func run() async {
        runCount += 1
        controller.start()
        if await readers.begin() {
            for await update in controller.updates { apply(update) }
            readers.end()
        }
        runCount -= 1
        // No later update would resume the waiting tasks.
        if runCount == 0 { refreshWaiters.resume() }
    }

    /// Fetches the list again. Returns when the fetch has ended or failed, or when this task or the one that runs the model is cancelled.
    public func refresh() async {
        controller.refresh()
        list = controller.list
        observeListFetch()
        await refreshWaiters.wait()
    }

    /// Resumes the waiting tasks when the fetch has ended, even if no task runs the model and receives updates.
    private func observeListFetch() {
        guard !isObservingListFetch else { return }
        isObservingListFetch = true
        controller.onListFetchEnd { [weak self] in
            // On the main actor, and so after the wait of a refresh has begun.
            Task { @MainActor [weak self] in self?.listFetchEnded() }
        }
    }

    private func listFetchEnded() {
        isObservingListFetch = false
        list = controller.list
        // Another refresh may have begun in the meantime.
        if controller.isFetchingList { observeListFetch() } else { refreshWaiters.resume() }
    }

    /// Filters and sorts the rows; nil shows the server order.
    public func setQuery(_ query: F.Query?) { controller.setQuery(query) }

    /// Loads a failed row in view again.
    public func retry(_ id: ID) { controller.retry(id) }

    /// Sets the rows that the scroll view shows, with its velocity and landing if it reports them.
    public func setViewport(_ viewport: Viewport) { controller.setViewport(viewport) }

    /// Adds a row to the visible ones, for a scroll view that reports nothing else.
    public func rowAppeared(_ id: ID) {
        visibleIDs.insert(id)
        updateViewport()
    }

    /// Removes a row from the visible ones and ends its observation. A view that still exists, such as a covered one, is updated and observes it
    /// again.
    ///
    /// After the last visible row the loads of all rows are cancelled. A row that was reported by `setViewport` alone stays visible.
    public func rowDisappeared(_ id: ID) {
        rows.removeValue(forKey: id)?.number += 1
        if visibleIDs.remove(id) != nil { updateViewport() }
    }

    private func updateViewport() {
        guard !visibleIDs.isEmpty else { return controller.setViewport(Viewport(visible: 0..<0)) }
        // By identity, because the controller may already show a newer list than the model.
        controller.setVisibleRows(visibleIDs)
    }

    private func apply(_ update: FeedUpdate<ID>) {
        if update.isListChanged { list = controller.list }
        for id in update.rows { rows[id]?.number += 1 }
        if !controller.isFetchingList { refreshWaiters.resume() }
    }
}

/// The number of changes of one row.
@MainActor @Observable
private final class RowVersion {
    var number = 0
}
