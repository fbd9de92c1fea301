import LadingOperations

/// Decides which rows of a feed are wished for. It wishes for those that will be seen long enough, nearest to the middle first, and few others.
///
/// A synchronous value: events in, effects out. It knows the list and the rows that it has wished for; which rows of `scope(of:at:)` are missing
/// is told with each viewport.
struct FeedPlanner<Reference: Identifiable & Sendable>: Decision, Sendable where Reference.ID: Sendable {
    typealias ID = Reference.ID

    enum Event: Sendable {
        /// The list is another one, or in another order.
        case list(FeedSnapshot<Reference>)
        /// What is known or under way belongs to an older refresh.
        case invalidateAll
        /// Other rows are in view, or other ones are missing.
        ///
        /// - `missing`: the indices in `scope(of:at:)` whose rows have to be loaded, in order;
        /// - `at`: the time since some fixed moment.
        case viewport(Viewport, missing: [Int], at: Duration)
        /// A row is there; how long that took since it was started.
        case loaded(ID, after: Duration)
        case failed(ID)
        /// A wish was taken back by somebody else.
        case cancelled(ID)
        /// A row that failed is to be asked for again.
        case retry(ID)
        /// These rows have not failed any more; the next viewport asks for those that are missing.
        case clearFailures(Set<ID>)
    }

    enum Effect: Equatable, Sendable {
        case start(ID, OperationPriority)
        case prioritize(ID, OperationPriority)
        case cancel(ID)
        /// The speed that was told is believed for this long; unless another viewport comes, the same rows are to be shown at rest.
        case scheduleRest(after: Duration)
    }

    private var snapshot = FeedSnapshot<Reference>()
    /// What is under way. A row is in one of these or in none: none → wanted → none (loaded, cancelled), wanted → failed → wanted (retry),
    /// failed → none (out of scope).
    private var requested: [ID: OperationPriority] = [:]
    private var failed: Set<ID> = []
    private var loadPolicy: ScrollLoadPolicy
    private var predictor = FlingPredictor()

    /// - Parameter screensAtRest: The number of screens that are loaded ahead at rest, once all in view is there.
    init(prefetchedScreens: Int = 0) {
        loadPolicy = ScrollLoadPolicy(prefetchedScreens: prefetchedScreens)
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .list(let snapshot): replaceList(with: snapshot, &effects)
        case .invalidateAll: cancelAll(&effects)
        case .viewport(let viewport, let missing, let time): updateViewport(viewport, missing, at: time, &effects)
        case .loaded(let id, let duration):
            requested[id] = nil
            loadPolicy.recordLatency(duration)
        case .failed(let id):
            if requested.removeValue(forKey: id) != nil { failed.insert(id) }
        case .cancelled(let id): requested[id] = nil
        case .retry(let id): retry(id, &effects)
        case .clearFailures(let ids): failed.subtract(ids)
        }
    }

    /// Whether a row failed and has been in scope since.
    func hasFailed(_ id: ID) -> Bool { failed.contains(id) }

    /// The rows that a viewport may make the planner wish for, in order and without overlap.
    func scope(of viewport: Viewport, at time: Duration) -> [Range<Int>] {
        scope(of: viewport, landing: landing(of: viewport, at: time))
    }

    /// Where a scroll will come to rest, when that is told or can be foretold.
    ///
    /// Of a list of one column nothing is foretold: its rows are small, and there soon after they are seen, and of a scroll that ends at once, by a finger or
    /// by a key, the last speeds look like those of a fling.
    func landing(of viewport: Viewport, at time: Duration) -> ScrollLanding? {
        if let rows = viewport.landingRows { return ScrollLanding(reported: rows) }
        guard viewport.columns > 1 else { return nil }
        var predictor = predictor
        predictor.record(viewport, at: time)
        return predictor.restPosition.map { ScrollLanding($0, of: viewport, count: snapshot.count) }
    }

    private func scope(of viewport: Viewport, landing: ScrollLanding?) -> [Range<Int>] {
        let ahead = [loadPolicy.retainedRange(ahead: viewport, landing: landing), loadPolicy.prefetchRange(atRest: viewport, landing: landing)]
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
        failed = failed.filter { snapshot.index(of: $0) != nil }
    }

    private mutating func cancelAll(_ effects: inout [Effect]) {
        effects += inListOrder(requested.keys).map { .cancel($0) }
        requested = [:]
        failed = []
    }

    private mutating func retry(_ id: ID, _ effects: inout [Effect]) {
        guard failed.remove(id) != nil else { return }
        requested[id] = .visible
        effects.append(.start(id, .visible))
    }

    /// In an order that does not depend on hashing, so that a replay gives the same.
    private func inListOrder(_ ids: some Sequence<ID>) -> [ID] {
        ids.sorted { (snapshot.index(of: $0) ?? .max) < (snapshot.index(of: $1) ?? .max) }
    }
}

// MARK: - Viewports

extension FeedPlanner {
    /// A missing row together with how urgent it is and whether it is worth beginning.
    private struct Candidate {
        var id: ID
        var priority: OperationPriority
        var mayStart: Bool
    }

    /// Rows out of scope are put last before anything starts and cancelled after it. So no slot that they free goes to another of them.
    private mutating func updateViewport(_ viewport: Viewport, _ missing: [Int], at time: Duration, _ effects: inout [Effect]) {
        let landing = landing(of: viewport, at: time)
        predictor.record(viewport, at: time)
        loadPolicy.recordDirection(of: viewport)
        let outOfScope = removeOutOfScope(scope(of: viewport, landing: landing))
        effects += outOfScope.map { .prioritize($0, .background) }
        let reach = prefetchRange(for: viewport, landing, missing)
        var candidates = missing.compactMap { candidate($0, viewport, landing, reach) }
        admitMiddle(of: viewport, among: &candidates, missing, at: time)
        candidates.sort { $0.priority > $1.priority }
        for candidate in candidates { request(candidate, &effects) }
        effects += outOfScope.map { .cancel($0) }
        if viewport.rowsPerSecond != 0 { effects.append(.scheduleRest(after: ScrollLoadPolicy.velocityLifetime)) }
    }

    /// Forgets what is out of scope; gives back what of it is under way.
    private mutating func removeOutOfScope(_ scope: [Range<Int>]) -> [ID] {
        let isInScope = { [snapshot] (id: ID) in
            snapshot.index(of: id).map { index in scope.contains { $0.contains(index) } } ?? false
        }
        let outOfScope = inListOrder(requested.keys.filter { !isInScope($0) })
        for id in outOfScope { requested[id] = nil }
        failed = failed.filter(isInScope)
        return outOfScope
    }

    /// The rows beyond the view that are worth beginning: those that will come into view, or at rest those that would be next, once all in view is there.
    private func prefetchRange(for viewport: Viewport, _ landing: ScrollLanding?, _ missing: [Int]) -> Range<Int>? {
        guard let next = loadPolicy.prefetchRange(atRest: viewport, landing: landing) else { return loadPolicy.prefetchRange(ahead: viewport, landing: landing) }
        let isAwaited = missing.contains { index in
            viewport.visible.contains(index) && index < snapshot.count && !failed.contains(snapshot.references[index].id)
        }
        return isAwaited ? nil : next
    }

    private func candidate(_ index: Int, _ viewport: Viewport, _ landing: ScrollLanding?, _ prefetchRange: Range<Int>?) -> Candidate? {
        guard index < snapshot.count, case let id = snapshot.references[index].id, !failed.contains(id) else { return nil }
        if let landing, landing.certain.contains(index) {
            let priority = OperationPriority(.visible, distance: viewport.distance(of: index, in: landing.expected))
            return Candidate(id: id, priority: priority, mayStart: true)
        }
        let mayBeSeenAtRest = landing?.possible.contains(index) ?? false
        let distance = viewport.distance(of: index, in: viewport.visible)
        if viewport.visible.contains(index) {
            let mayStart = mayBeSeenAtRest || viewport.timeInView(of: index) >= loadPolicy.requiredDwell(landing: landing)
            // What only passes makes way for what will be seen, even if it has begun.
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

    /// After a second in which rows only passed, one of them is let in. So a slow drag through a long list shows something.
    private mutating func admitMiddle(
        of viewport: Viewport, among candidates: inout [Candidate], _ missing: [Int], at time: Duration
    ) {
        let inView = missing.filter(viewport.visible.contains)
        let isPassing = !inView.isEmpty && inView.allSatisfy { viewport.timeInView(of: $0) < ScrollLoadPolicy.dwell }
        guard loadPolicy.isAdmissionDue(passing: isPassing, at: time) else { return }
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
