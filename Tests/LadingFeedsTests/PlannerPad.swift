import LadingOperations

@testable import LadingFeeds

/// A planner of rows named by numbers, whose effects read as text.
struct PlannerPad {
    struct Row: Identifiable, Sendable { let id: Int }
    typealias Planner = FeedPlanner<Row>

    private(set) var planner: Planner
    private(set) var record = DecisionRecord<Planner>(limit: 1 << 20)
    private(set) var snapshot = FeedSnapshot<Row>()
    var known: Set<Int> = []

    init(count: Int, screensAtRest: Int = 0) {
        planner = Planner(screensAtRest: screensAtRest)
        handle(.list(FeedSnapshot((0..<count).map(Row.init))))
    }

    @discardableResult
    mutating func show(
        _ visible: Range<Int>, speed: Double = 0, landing: Int? = nil, columns: Int = 1, at time: Duration = .zero
    ) -> [String] {
        let viewport = Viewport(visible: visible, rowsPerSecond: speed, landing: landing, columns: columns)
        let missing = planner.scope(of: viewport, at: time).joined().filter { !known.contains(snapshot.references[$0].id) }
        return handle(.show(viewport, missing: missing, at: time))
    }

    @discardableResult
    mutating func handle(_ event: Planner.Event) -> [String] {
        if case .list(let snapshot) = event { self.snapshot = snapshot }
        if record.needsChapter() { record.beginChapter(with: planner) }
        var effects: [Planner.Effect] = []
        record.note(event)
        planner.handle(event, effects: &effects)
        record.note(effects)
        return effects.map { effect in
            switch effect {
            case .start(let id, let priority): "start \(id) \(priority.urgency) \(priority.distance)"
            case .prioritize(let id, let priority): "prioritize \(id) \(priority.urgency) \(priority.distance)"
            case .cancel(let id): "cancel \(id)"
            case .expectRest: "expect rest"
            }
        }
    }
}

extension [String] {
    /// The rows that are started, in order of their numbers.
    var starts: [Int] { rows(of: "start") }
    var cancels: [Int] { rows(of: "cancel") }

    private func rows(of verb: String) -> [Int] {
        filter { $0.hasPrefix(verb) }.compactMap { Int($0.split(separator: " ")[1]) }.sorted()
    }
}
