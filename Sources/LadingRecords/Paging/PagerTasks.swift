import Decisions
import Synchronization

/// The tasks and the updates of a list, whose pager decides.
///
/// It passes events to the pager and runs the reads and fetches of its effects, whose events return to the pager.
final class PagerTasks<Pager: Decision & Sendable>: Sendable where Pager.Event: Sendable {
    /// The execution of an effect.
    enum Step {
        /// Run a read or a fetch with this number, and pass its events to the pager.
        case run(Int, @Sendable () async -> [Pager.Event])
        /// Cancel the task with this number.
        case cancel(Int)
        /// Notify the reader of the updates.
        case update
    }

    private struct State: Sendable {
        var pager: Pager
        /// The active tasks by the number of their read or fetch.
        var tasks: [Int: Task<Void, Never>] = [:]
        var changesTask: Task<Void, Never>?
        var isClosed = false
    }

    /// Tasks to cancel, a reader to resume and the former pager to release after unlocking: all may acquire the lock, a row in its deinitializer.
    private struct HandlingResult: Sendable {
        var former: Pager?
        var cancelled: [Task<Void, Never>] = []
        var isUpdated = false
    }

    let updates = ListUpdates()
    private let step: @Sendable (Pager.Effect) -> Step
    private let state: Mutex<State>

    /// - Parameter step: Returns the execution of an effect.
    init(_ pager: Pager, step: @escaping @Sendable (Pager.Effect) -> Step) {
        self.step = step
        state = Mutex(State(pager: pager))
    }

    func withPager<Value: Sendable>(_ read: (borrowing Pager) -> Value) -> Value { state.withLock { read($0.pager) } }

    func handle(_ event: Pager.Event) { handle([event], after: nil) }

    /// Passes an event to the pager after each change of a store; nil for none. Only the first call has an effect.
    ///
    /// - Parameters:
    ///   - version: Returns a number of the pager. If it changes while an event is prepared, the event is outdated, and is prepared again.
    ///   - event: Prepares the event of a change.
    func follow<Changes: AsyncSequence & Sendable>(
        _ changes: Changes, version: @escaping @Sendable (borrowing Pager) -> Int = { _ in 0 },
        event: @escaping @Sendable (Changes.Element) async -> Pager.Event?
    ) where Changes.Failure == Never, Changes.Element: Sendable {
        state.withLock { state in
            guard !state.isClosed, state.changesTask == nil else { return }
            state.changesTask = Task { [weak self] in
                for await change in changes {
                    var isOutdated = true
                    while isOutdated, let start = self?.withPager(version), let event = await event(change) {
                        isOutdated = self?.handle([event], after: nil, if: { version($0) == start }) == false
                    }
                }
            }
        }
    }

    /// Cancels all tasks and ends the updates.
    func close() {
        let tasks = state.withLock { state in
            state.isClosed = true
            defer { (state.tasks, state.changesTask) = ([:], nil) }
            return Array(state.tasks.values) + [state.changesTask].compactMap(\.self)
        }
        for task in tasks { task.cancel() }
        updates.finish()
    }

    /// - Parameters:
    ///   - number: The number of the task that has ended with the events.
    ///   - isCurrent: Whether the pager handles the events.
    /// - Returns: Whether the events were not dropped because of `isCurrent`.
    @discardableResult
    private func handle(
        _ events: [Pager.Event], after number: Int?, if isCurrent: (borrowing Pager) -> Bool = { _ in true }
    ) -> Bool {
        let result = state.withLock { state -> HandlingResult? in
            var result = HandlingResult()
            guard isCurrent(state.pager) else { return nil }
            if let number { state.tasks[number] = nil }
            guard !state.isClosed else { return result }
            result.former = state.pager
            var effects: [Pager.Effect] = []
            for event in events { state.pager.handle(event, effects: &effects) }
            for effect in effects { perform(step(effect), &state, &result) }
            return result
        }
        guard let result else { return false }
        for task in result.cancelled { task.cancel() }
        if result.isUpdated { updates.post() }
        return true
    }

    private func perform(_ step: Step, _ state: inout State, _ result: inout HandlingResult) {
        switch step {
        case .run(let number, let work):
            state.tasks[number] = Task { [weak self] in
                let events = await work()
                self?.handle(events, after: number)
            }
        case .cancel(let number): result.cancelled += [state.tasks.removeValue(forKey: number)].compactMap(\.self)
        case .update: result.isUpdated = true
        }
    }
}
