import LadingOperations

@testable import LadingFeeds

/// A planner of numbered rows whose effects are returned as text.
struct PlannerHarness {
    struct Row: Identifiable, Sendable { let id: Int }
    struct LoadFailure: Error {}
    typealias Planner = FeedPlanner<Row>

    private(set) var planner: Planner
    private(set) var record = DecisionRecord<Planner>(limit: 1 << 20)
    private(set) var snapshot = FeedSnapshot<Row>()
    var known: Set<Int> = []

    init(count: Int, prefetchedScreens: Int = 0) {
        planner = Planner(prefetchedScreens: prefetchedScreens)
        handle(.list(FeedSnapshot((0..<count).map(Row.init))))
    }

    @discardableResult
    mutating func setViewport(
        _ visible: Range<Int>, velocity: Double = 0, landing: Int? = nil, columns: Int = 1, at time: Duration = .zero
    ) -> [String] {
        let viewport = Viewport(visible: visible, rowsPerSecond: velocity, landing: landing, columns: columns)
        let missing = planner.scope(of: viewport, at: time).joined().filter { !known.contains(snapshot.references[$0].id) }
        return handle(.viewport(viewport, missing: missing, at: time))
    }

    @discardableResult
    mutating func handle(_ event: Planner.Event) -> [String] {
        if case .list(let snapshot) = event { self.snapshot = snapshot }
        if record.needsSegment() { record.beginSegment(with: planner) }
        var effects: [Planner.Effect] = []
        record.appendEvent(event)
        planner.handle(event, effects: &effects)
        record.appendEffects(effects)
        return effects.map { effect in
            switch effect {
            case .start(let id, let priority): "start \(id) \(priority.urgency) \(priority.distance)"
            case .prioritize(let id, let priority): "prioritize \(id) \(priority.urgency) \(priority.distance)"
            case .cancel(let id): "cancel \(id)"
            case .scheduleRest: "expect rest"
            }
        }
    }
}

extension [String] {
    /// The rows that are started, in ascending order.
    var starts: [Int] { rows(of: "start") }
    var cancels: [Int] { rows(of: "cancel") }

    private func rows(of verb: String) -> [Int] {
        filter { $0.hasPrefix(verb) }.compactMap { Int($0.split(separator: " ")[1]) }.sorted()
    }
}
