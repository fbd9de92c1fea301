import Decisions
import LadingOperations

/// The choice of rows to load: those that stay in view long enough, nearest to the middle first, and few others.
///
/// A synchronous value. It knows the list and the requested rows; each viewport event reports which rows of `scope(of:at:)` are missing.
struct FeedPlanner<Reference: Identifiable & Sendable>: Decision, Sendable where Reference.ID: Sendable {
    typealias ID = Reference.ID

    enum Event: Sendable {
        /// The list or its order has changed.
        case list(FeedSnapshot<Reference>)
        /// All known and requested rows belong to an older refresh.
        case invalidateAll
        /// The visible or the missing rows have changed.
        ///
        /// - `missing`: the indices in `scope(of:at:)` whose rows have to be loaded, in order;
        /// - `at`: the time since a fixed instant.
        case viewport(Viewport, missing: [Int], at: Duration)
        /// A row was loaded, in this time after it was started.
        case loaded(ID, after: Duration)
        case failed(ID, any Error)
        /// A load was cancelled by others.
        case cancelled(ID)
        /// The user retries a failed row.
        case retry(ID)
        /// These rows no longer count as failed; the next viewport requests those that are missing.
        case clearFailures(Set<ID>)
    }

    enum Effect: Equatable, Sendable {
        case start(ID, OperationPriority)
        case prioritize(ID, OperationPriority)
        case cancel(ID)
        /// The lifetime of the reported velocity, after which the same rows are reported at rest unless another viewport follows.
        case scheduleRest(after: Duration)
    }

    private var snapshot = FeedSnapshot<Reference>()
    /// The rows that are being loaded. A row is in this set, in `failed` or in neither: neither → requested → neither (loaded, cancelled),
    /// requested → failed → requested (retry), failed → neither (loaded, cleared, out of scope).
    private var requested: [ID: OperationPriority] = [:]
    /// The errors of the rows that have failed and stayed in scope since. A row that fails after it left the scope has none.
    private var failed: [ID: any Error] = [:]
    private var loadPolicy: ScrollLoadPolicy
    private var predictor = FlingPredictor()

    /// - Parameters:
    ///   - prefetchedScreens: The number of screens that are prefetched at rest, once all visible rows are loaded.
    ///   - rowLimit: The maximum number of visible and prefetched rows at rest.
    init(prefetchedScreens: Int = 0, rowLimit: Int = .max) {
        loadPolicy = ScrollLoadPolicy(prefetchedScreens: prefetchedScreens, rowLimit: rowLimit)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .list(let snapshot): replaceList(with: snapshot, &effects)
        case .invalidateAll: cancelAll(&effects)
        case .viewport(let viewport, let missing, let time): updateViewport(viewport, missing, at: time, &effects)
        case .loaded(let id, let duration):
            (requested[id], failed[id]) = (nil, nil)
            loadPolicy.recordLatency(duration)
        case .failed(let id, let error):
            if requested.removeValue(forKey: id) != nil { failed[id] = error }
        case .cancelled(let id): requested[id] = nil
        case .retry(let id): retry(id, &effects)
        case .clearFailures(let ids): for id in ids { failed[id] = nil }
        }
    }

    /// Returns the error of a row that has failed and stayed in scope since; nil for another row.
    func failure(of id: ID) -> (any Error)? { failed[id] }

    /// Returns the failed rows whose errors satisfy a condition.
    func failures(where isIncluded: (any Error) -> Bool) -> Set<ID> { Set(failed.filter { isIncluded($0.value) }.keys) }

    /// Returns the ranges of rows that may be loaded for a viewport, in order and without overlap.
    func scope(of viewport: Viewport, at time: Duration) -> [Range<Int>] {
        scope(of: viewport, landing: landing(of: viewport, at: time))
    }

    /// Returns the landing of a scroll if it is reported or can be predicted.
    ///
    /// Lists with one column have no prediction: their rows load quickly, and the last velocities of a scroll that ends abruptly, by a finger or a
    /// key, look like those of a fling.
    func landing(of viewport: Viewport, at time: Duration) -> ScrollLanding? {
        if let rows = viewport.landingRows { return ScrollLanding(reported: rows) }
        guard viewport.columns > 1 else { return nil }
        var predictor = predictor
        predictor.record(viewport, at: time)
        return predictor.restPosition.map { ScrollLanding($0, of: viewport, count: snapshot.count) }
    }

    private func scope(of viewport: Viewport, landing: ScrollLanding?) -> [Range<Int>] {
        let ahead = [
            loadPolicy.retainedRange(ahead: viewport, landing: landing), loadPolicy.prefetchRange(atRest: viewport, landing: landing),
        ]
        let ranges = ([viewport.visible, landing?.possible] + ahead).compactMap { $0 }
        var scope: [Range<Int>] = []
        for range in ranges.map({ $0.clamped(to: 0..<snapshot.count) }).sorted(by: { $0.lowerBound < $1.lowerBound }) {
            guard !range.isEmpty else { continue }
            if let last = scope.last, range.lowerBound <= last.upperBound {
                scope[scope.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                scope.append(range)
            }
        }
        return scope
    }
}

// MARK: - Lists

extension FeedPlanner {
    private mutating func replaceList(with snapshot: FeedSnapshot<Reference>, _ effects: inout [Effect]) {
        for id in inListOrder(requested.keys) where snapshot.index(of: id) == nil {
            requested[id] = nil
            effects.append(.cancel(id))
        }
        self.snapshot = snapshot
        failed = failed.filter { snapshot.index(of: $0.key) != nil }
    }

    private mutating func cancelAll(_ effects: inout [Effect]) {
        effects += inListOrder(requested.keys).map { .cancel($0) }
        (requested, failed) = ([:], [:])
    }

    private mutating func retry(_ id: ID, _ effects: inout [Effect]) {
        guard failed.removeValue(forKey: id) != nil else { return }
        requested[id] = .visible
        effects.append(.start(id, .visible))
    }

    /// Sorts identities by their index, because the order of a set would differ in a replay.
    private func inListOrder(_ ids: some Sequence<ID>) -> [ID] {
        ids.sorted { (snapshot.index(of: $0) ?? .max) < (snapshot.index(of: $1) ?? .max) }
    }
}

// MARK: - Viewports

extension FeedPlanner {
    /// A missing row with its priority, and whether it may be started.
    private struct Candidate {
        var id: ID
        var priority: OperationPriority
        var mayStart: Bool
    }

    /// Lowers rows out of scope before starting others and cancels them after it, so that a slot freed by one does not start another of them.
    private mutating func updateViewport(_ viewport: Viewport, _ missing: [Int], at time: Duration, _ effects: inout [Effect]) {
        let landing = landing(of: viewport, at: time)
        predictor.record(viewport, at: time)
        loadPolicy.recordDirection(of: viewport)
        let outOfScope = removeOutOfScope(scope(of: viewport, landing: landing))
        effects += outOfScope.map { .prioritize($0, .background) }
        let prefetchRange = prefetchRange(for: viewport, landing, missing)
        var candidates = missing.compactMap { candidate($0, viewport, landing, prefetchRange) }
        admitMiddle(of: viewport, among: &candidates, missing, at: time)
        candidates.sort { $0.priority > $1.priority }
        for candidate in candidates { request(candidate, &effects) }
        effects += outOfScope.map { .cancel($0) }
        if viewport.rowsPerSecond != 0 { effects.append(.scheduleRest(after: ScrollLoadPolicy.velocityLifetime)) }
    }

    /// Removes rows out of scope; returns those that are being loaded.
    private mutating func removeOutOfScope(_ scope: [Range<Int>]) -> [ID] {
        let isInScope = { [snapshot] (id: ID) in
            snapshot.index(of: id).map { index in scope.contains { $0.contains(index) } } ?? false
        }
        let outOfScope = inListOrder(requested.keys.filter { !isInScope($0) })
        for id in outOfScope { requested[id] = nil }
        failed = failed.filter { isInScope($0.key) }
        return outOfScope
    }

    /// Returns the rows outside of the view that may be started: those that will come into view or, at rest with all visible rows loaded, the next
    /// ones.
    private func prefetchRange(for viewport: Viewport, _ landing: ScrollLanding?, _ missing: [Int]) -> Range<Int>? {
        guard let next = loadPolicy.prefetchRange(atRest: viewport, landing: landing) else {
            return loadPolicy.prefetchRange(ahead: viewport, landing: landing)
        }
        let isAwaited = missing.contains { viewport.visible.contains($0) && failed[snapshot.references[$0].id] == nil }
        return isAwaited ? nil : next
    }

    private func candidate(_ index: Int, _ viewport: Viewport, _ landing: ScrollLanding?, _ prefetchRange: Range<Int>?) -> Candidate? {
        let id = snapshot.references[index].id
        guard failed[id] == nil else { return nil }
        if let landing, landing.guaranteed.contains(index) {
            let priority = OperationPriority(.visible, distance: viewport.distance(of: index, in: landing.expected))
            return Candidate(id: id, priority: priority, mayStart: true)
        }
        let mayBeSeenAtRest = landing?.possible.contains(index) ?? false
        let distance = viewport.distance(of: index, in: viewport.visible)
        if viewport.visible.contains(index) {
            let mayStart = mayBeSeenAtRest || viewport.timeInView(of: index) >= loadPolicy.requiredVisibleTime(landing: landing)
            // Rows that stay in view have precedence over rows that only pass, even over started ones.
            let urgency = landing == nil || mayStart ? OperationPriority.Urgency.visible : .prefetch
            return Candidate(id: id, priority: OperationPriority(urgency, distance: distance), mayStart: mayStart)
        }
        if let landing, mayBeSeenAtRest {
            let distance = viewport.distance(of: index, in: landing.expected)
            return Candidate(id: id, priority: OperationPriority(.prefetch, distance: distance), mayStart: true)
        }
        let mayStart = prefetchRange?.contains(index) ?? false
        return Candidate(id: id, priority: OperationPriority(.prefetch, distance: distance), mayStart: mayStart)
    }

    /// Starts the middle row after a second in which rows only passed, so that a fast drag through a long list shows some rows.
    private mutating func admitMiddle(
        of viewport: Viewport, among candidates: inout [Candidate], _ missing: [Int], at time: Duration
    ) {
        let inView = missing.filter(viewport.visible.contains)
        let isScrollingPast = !inView.isEmpty && inView.allSatisfy { viewport.timeInView(of: $0) < ScrollLoadPolicy.minimumVisibleTime }
        guard loadPolicy.shouldAdmit(scrollingPast: isScrollingPast, at: time) else { return }
        let open = candidates.indices.filter { candidates[$0].priority.urgency == .visible && requested[candidates[$0].id] == nil }
        guard let middle = open.min(by: { candidates[$0].priority.distance < candidates[$1].priority.distance }) else { return }
        candidates[middle].mayStart = true
    }

    private mutating func request(_ candidate: Candidate, _ effects: inout [Effect]) {
        let earlier = requested[candidate.id]
        guard earlier != nil || candidate.mayStart, earlier != candidate.priority else { return }
        requested[candidate.id] = candidate.priority
        effects.append(earlier == nil ? .start(candidate.id, candidate.priority) : .prioritize(candidate.id, candidate.priority))
    }
}
