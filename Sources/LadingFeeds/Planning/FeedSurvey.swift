import LadingOperations

/// Decides which rows are loaded in the background so that they can be filtered and sorted. A synchronous value.
struct FeedSurvey<ID: Hashable & Sendable>: Decision, Sendable {
    /// The most rows that one survey loads.
    static var rowLimit: Int { 2_000 }
    /// How many of them are under way at once: enough to keep a line busy, few enough to be let go of at once.
    static var width: Int { 8 }

    enum Event: Sendable {
        /// These rows are not known, in the order of the list. What an earlier survey had not begun is dropped.
        case begin([ID])
        /// A row was loaded, or could not be.
        case ended(ID)
        case stop
    }

    enum Effect: Equatable, Sendable {
        case start(ID)
        case cancel(ID)
    }

    /// What is still to be loaded, last first.
    private var pending: [ID] = []
    private var underWay: [ID] = []
    /// What was loaded or failed; it is not surveyed twice.
    private var done: Set<ID> = []

    /// Whether everything has been loaded that will be.
    var isDone: Bool { pending.isEmpty && underWay.isEmpty }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .begin(let ids):
            let room = max(0, Self.rowLimit - done.count - underWay.count)
            pending = ids.filter { !done.contains($0) && !underWay.contains($0) }.prefix(room).reversed()
        case .ended(let id):
            guard let index = underWay.firstIndex(of: id) else { return }
            underWay.remove(at: index)
            done.insert(id)
        case .stop:
            effects += underWay.map { .cancel($0) }
            self = FeedSurvey()
        }
        while underWay.count < Self.width, let id = pending.popLast() {
            underWay.append(id)
            effects.append(.start(id))
        }
    }
}
