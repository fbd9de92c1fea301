import Foundation
import Testing
@testable import OrderLifecycle

/// The table of transitions in the guide.
@Suite struct TransitionTableTests {
    @Test func `The guide lists each transition`() throws {
        let guide = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Docs/Guides/OrderLifecycle.md")
        let lines = try String(contentsOf: guide, encoding: .utf8).split(separator: "\n").map(String.init)

        let rows = lines.filter { $0.hasPrefix("| `") }

        #expect(rows == Self.rows)
    }

    /// The rows of the table: one for each action and target, with all states before.
    private static var rows: [String] {
        OrderAction.allCases.flatMap { action in
            let transitions = OrderTransition.all.filter { $0.action == action }
            let groups = Dictionary(
                grouping: transitions, by: { Set(transitions.filter { [target = $0.to] in $0.to == target }.map(\.from)) })
            return action == .edit ? [row(action, from: "any but final", to: "the same")] : rows(of: action, groups)
        }
    }

    private static func rows(of action: OrderAction, _ groups: [Set<OrderState?>: [OrderTransition]]) -> [String] {
        groups.sorted { first($0.key) < first($1.key) }.map { from, transitions in
            row(action, from: names(from), to: names(Set(transitions.map(\.to))))
        }
    }

    private static func row(_ action: OrderAction, from: String, to: String) -> String {
        "| `\(action.rawValue)` | \(from) | \(to) | \(action.role.rawValue) | \(action.incrementsFence ? "raised" : "") |"
    }

    private static func first(_ states: Set<OrderState?>) -> Int { states.map(position).min() ?? 0 }

    private static func names(_ states: Set<OrderState?>) -> String {
        if states == Set(OrderState.allCases) { return "any" }
        return states.sorted { position($0) < position($1) }.map { $0?.rawValue ?? "–" }.joined(separator: ", ")
    }

    private static func position(_ state: OrderState?) -> Int { state.flatMap { OrderState.allCases.firstIndex(of: $0) } ?? -1 }
}
