import LadingOperations
import Testing

@testable import LadingFeeds

/// Which rows are wished for, as tables: viewport in, effects out.
@Suite struct FeedPlannerTests {
    private var planner = FeedPlanner<String>()

    @Test mutating func `Rows in view start, those nearest to the middle with the highest priority`() {
        let effects = planner.show(["a", "b", "c"], from: 10, middle: 11) { _ in false }

        #expect(effects == [.start("b", .visible(0)), .start("a", .visible(1)), .start("c", .visible(1))])
    }

    @Test mutating func `Rows that leave the view are cancelled, rows that stay are not touched`() {
        _ = planner.show(["a", "b"], from: 0, middle: 1) { _ in false }

        let effects = planner.show(["b", "c"], from: 1, middle: 1) { _ in false }

        #expect(effects == [.prioritize("a", .background), .start("c", .visible(1)), .cancel("a")])
    }

    @Test mutating func `A row whose distance to the middle changes gets another priority`() {
        _ = planner.show(["a", "b"], from: 0, middle: 0) { _ in false }

        let effects = planner.show(["a", "b"], from: 0, middle: 1) { _ in false }

        #expect(effects == [.prioritize("b", .visible(0)), .prioritize("a", .visible(1))])
    }

    @Test mutating func `A row that is known is not loaded`() {
        let effects = planner.show(["a", "b"], from: 0, middle: 0) { $0 == "a" }

        #expect(effects == [.start("b", .visible(1))])
    }

    @Test mutating func `A row that has ended is neither started again nor cancelled`() {
        _ = planner.show(["a"], from: 0, middle: 0) { _ in false }
        planner.settle("a")

        #expect(planner.show(["a"], from: 0, middle: 0) { _ in false } == [])
        #expect(planner.show([], from: 0, middle: 0) { _ in false } == [])
    }

    @Test mutating func `A row that failed starts again when it is asked for, and when it comes back into view`() {
        _ = planner.show(["a"], from: 0, middle: 0) { _ in false }
        planner.settle("a")

        #expect(planner.retry("a") == [.start("a", .visible)])
        #expect(planner.retry("a") == [])

        planner.settle("a")
        _ = planner.show([], from: 0, middle: 0) { _ in false }
        #expect(planner.show(["a"], from: 0, middle: 0) { _ in false } == [.start("a", .visible(0))])
    }

    @Test mutating func `Rows out of view cannot be retried`() {
        #expect(planner.retry("a") == [])
    }

    @Test mutating func `A row that moves keeps its work`() {
        _ = planner.show(["a", "b", "c"], from: 0, middle: 0) { _ in false }

        let effects = planner.show(["c", "b", "a"], from: 0, middle: 0) { _ in false }

        #expect(effects == [.prioritize("c", .visible(0)), .prioritize("a", .visible(2))])
    }
}

extension OperationPriority {
    fileprivate static func visible(_ distance: Int) -> OperationPriority { OperationPriority(.visible, distance: distance) }
}
