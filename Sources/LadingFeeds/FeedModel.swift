public import Observation
import Synchronization

/// The face of a controller for SwiftUI: what it shows is observed, what happens on the screen is told to it.
///
/// ```swift
/// List(model.references) { reference in
///     RowView(state: model.state(of: reference.id))
///         .onAppear { model.appeared(reference.id) }
///         .onDisappear { model.disappeared(reference.id) }
/// }
/// .task { await model.run() }
/// .refreshable { await model.refresh() }
/// ```
@MainActor @Observable
public final class FeedModel<F: Feed> {
    public typealias ID = F.Reference.ID

    /// The list as it is known now.
    public private(set) var list: FeedList<F.Reference>
    @ObservationIgnored private let controller: FeedController<F>
    /// A row is observed by its own version, so that one that arrives redraws no other.
    @ObservationIgnored private var rows: [ID: RowVersion] = [:]
    @ObservationIgnored private var visibleIDs: Set<ID> = []
    /// Those who wait for the end of a refresh.
    @ObservationIgnored private let refreshWaiters = RefreshWaiters()
    /// How many tasks run the model: one, or two for the moment in which one takes over from another.
    @ObservationIgnored private var runCount = 0

    public init(controller: FeedController<F>) {
        self.controller = controller
        list = controller.list
    }

    /// The references of the list, in the order in which they are shown.
    public var references: [F.Reference] { list.snapshot.references }

    /// Whether a list or a refresh is under way.
    public var isLoading: Bool { list.state == .loading }

    /// What to show in the place of a row; a view that asks is redrawn when it changes.
    public func state(of id: ID) -> FeedRowState<F.Row> {
        let version = rows[id] ?? RowVersion()
        rows[id] = version
        _ = version.number
        return controller.state(of: id)
    }

    /// Fetches the list unless it is known, and keeps the model up to date until the task is cancelled.
    public func run() async {
        runCount += 1
        controller.start()
        for await update in controller.updates { apply(update) }
        runCount -= 1
        // Nobody would tell them any more.
        if runCount == 0 { refreshWaiters.resume() }
    }

    /// Fetches the list again. Returns when that has ended, well or not, or sooner when its task or the one that runs the model is cancelled.
    public func refresh() async {
        controller.refresh()
        list = controller.list
        if isLoading { await refreshWaiters.wait() }
    }

    /// Filters and sorts the rows otherwise; nil shows the list as it came.
    public func setQuery(_ arrangement: F.Query?) { controller.setQuery(arrangement) }

    /// Loads a row in view again that failed.
    public func retry(_ id: ID) { controller.retry(id) }

    /// The rows that the scroll view shows, where it tells: the speed and the landing of a scroll are used if they are given.
    public func setViewport(_ viewport: Viewport) { controller.setViewport(viewport) }

    /// A row has come onto the screen, where the scroll view tells no more than that.
    public func rowAppeared(_ id: ID) {
        visibleIDs.insert(id)
        updateViewport()
    }

    /// A row has left the screen, and is observed no more until somebody asks for it again: a view that is kept, covered by another, is told to.
    public func rowDisappeared(_ id: ID) {
        visibleIDs.remove(id)
        rows.removeValue(forKey: id)?.number += 1
        updateViewport()
    }

    private func updateViewport() {
        let indices = visibleIDs.compactMap(list.snapshot.index(of:))
        guard let first = indices.min(), let last = indices.max() else { return }
        controller.setViewport(Viewport(visible: first..<(last + 1)))
    }

    private func apply(_ update: FeedUpdate<ID>) {
        if update.isListChanged { list = controller.list }
        for id in update.rows { rows[id]?.number += 1 }
        if !isLoading { refreshWaiters.resume() }
    }
}

/// Counts the changes of one row.
@MainActor @Observable
private final class RowVersion {
    var number = 0
}

/// Tasks that wait to be resumed; each is resumed once, together with the others or by its cancellation.
private final class RefreshWaiters: Sendable {
    private struct State {
        var lastID = 0
        var continuations: [Int: CheckedContinuation<Void, Never>] = [:]
    }

    private let state = Mutex(State())

    func wait() async {
        let id = state.withLock { state in
            state.lastID += 1
            return state.lastID
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let isCancelled = state.withLock { state in
                    if Task.isCancelled { return true }
                    state.continuations[id] = continuation
                    return false
                }
                if isCancelled { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.continuations.removeValue(forKey: id) }?.resume()
        }
    }

    /// Resumes all who wait now.
    func resume() {
        let continuations = state.withLock { state in
            defer { state.continuations = [:] }
            return Array(state.continuations.values)
        }
        for continuation in continuations { continuation.resume() }
    }
}
