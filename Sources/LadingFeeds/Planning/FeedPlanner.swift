import LadingOperations

/// Decides which rows of a feed are wished for: those in view, nearest to the middle first, and no others.
///
/// A synchronous value: events in, effects out. It keeps one entry for each row in view and none for the rest.
struct FeedPlanner<ID: Hashable & Sendable> {
    enum Effect: Equatable {
        case start(ID, OperationPriority)
        case prioritize(ID, OperationPriority)
        case cancel(ID)
    }

    /// Where a row in view is. Transitions: wanted → settled → wanted (by retry).
    private enum Phase: Equatable {
        case wanted(OperationPriority)
        case settled
    }

    private var inView: [ID: Phase] = [:]

    /// Other rows are in view, or the list is another one. Rows in view start, nearest first; rows out of view are let go.
    ///
    /// Those are put last before anything starts and cancelled after it, so that no slot they free goes to another of them.
    ///
    /// - Parameters:
    ///   - rows: The identities in view, in order, starting at `first`.
    ///   - isKnown: Whether a row needs no loading.
    mutating func show(
        _ rows: some Collection<ID>, from first: Int, middle: Int, isKnown: (ID) -> Bool
    ) -> [Effect] {
        var effects: [Effect] = []
        var left = inView
        let byDistance = zip(first..., rows).sorted { abs($0.0 - middle) < abs($1.0 - middle) }
        for (_, id) in byDistance { left[id] = nil }
        let leaving = left.filter { $0.value != .settled }.keys
        for id in left.keys { inView[id] = nil }
        effects += leaving.map { .prioritize($0, .background) }
        for (index, id) in byDistance {
            want(id, OperationPriority(.visible, distance: abs(index - middle)), isKnown: isKnown(id), &effects)
        }
        effects += leaving.map { .cancel($0) }
        return effects
    }

    /// A row was loaded or failed.
    mutating func settle(_ id: ID) {
        if inView[id] != nil { inView[id] = .settled }
    }

    /// A row in view is to be loaded although it is settled.
    mutating func retry(_ id: ID) -> [Effect] {
        guard inView[id] == .settled else { return [] }
        inView[id] = .wanted(.visible)
        return [.start(id, .visible)]
    }

    private mutating func want(_ id: ID, _ priority: OperationPriority, isKnown: Bool, _ effects: inout [Effect]) {
        switch inView[id] {
        case nil where isKnown:
            inView[id] = .settled
        case nil:
            inView[id] = .wanted(priority)
            effects.append(.start(id, priority))
        case .wanted(let earlier) where earlier != priority:
            inView[id] = .wanted(priority)
            effects.append(.prioritize(id, priority))
        case .wanted, .settled:
            break
        }
    }
}
