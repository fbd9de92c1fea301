import LadingOperations

/// Decides which rows are loaded in the background so that they can be filtered and sorted. A synchronous value.
///
/// It loads `rowLimit` rows, and as many more whenever it is extended, or else all of them. A reader who has stopped it is not overruled by an extension.
struct FeedSurvey<ID: Hashable & Sendable>: Decision, Sendable {
    /// The most rows that one step loads.
    static var rowLimit: Int { 2_000 }
    /// How many of them are under way at once: enough to keep a line busy, few enough to be let go of at once.
    static var width: Int { 8 }
    /// So many failures in a row end a step: the server cannot be reached, and what failed is tried again later.
    static var failureLimit: Int { 16 }

    enum Event: Sendable {
        /// These rows are not known, in the order of the list. What an earlier survey had not begun is dropped.
        case begin([ID])
        /// A row was loaded, or has left the list.
        case ended(ID)
        case failed(ID)
        /// The server has answered somebody else.
        case reachable
        /// These rows failed for a reason that has gone.
        case forgive(Set<ID>)
        /// Another step may follow, unless the reader has stopped the survey.
        case extend
        /// All rows may be loaded, step by step.
        case takeAll
        /// The reader wants no more rows.
        case hold
        /// The reader asks for something else: what was held goes on, for a step.
        case renew
        case stop
    }

    enum Effect: Equatable, Sendable {
        case start(ID)
        case cancel(ID)
    }

    /// How many rows are loaded altogether.
    private enum Extent: Equatable {
        case atMost(Int)
        case all
        case held
    }

    /// What is still to be loaded, last first.
    private var pending: [ID] = []
    private var underWay: [ID] = []
    /// What was loaded or failed; it is not surveyed twice.
    private(set) var done: Set<ID> = []
    /// What failed since a row was last loaded.
    private var failures: [ID] = []
    private var extent = Extent.atMost(rowLimit)

    /// Whether everything has been loaded that will be, unless the survey is extended.
    var isDone: Bool { pending.isEmpty && underWay.isEmpty }
    /// Whether the reader has asked for all rows.
    var takesAll: Bool { extent == .all }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .begin(let ids): pending = ids.filter { !done.contains($0) && !underWay.contains($0) }.prefix(room).reversed()
        case .ended(let id):
            guard end(id) else { return }
            failures = []
        case .failed(let id):
            guard end(id) else { return }
            failures.append(id)
            if isStalled { pending = [] }
        case .reachable: forgetFailures()
        case .forgive(let ids):
            done.subtract(ids)
            failures.removeAll(where: ids.contains)
        case .extend: if case .atMost = extent { extent = .atMost(done.count + underWay.count + Self.rowLimit) }
        case .takeAll:
            forgetFailures()
            extent = .all
        case .hold:
            effects += underWay.map { .cancel($0) }
            (pending, underWay, extent) = ([], [], .held)
        case .renew:
            forgetFailures()
            if extent != .all { extent = .atMost(done.count + underWay.count + Self.rowLimit) }
        case .stop:
            effects += underWay.map { .cancel($0) }
            self = FeedSurvey()
        }
        while underWay.count < Self.width, let id = pending.popLast() {
            underWay.append(id)
            effects.append(.start(id))
        }
    }

    /// Whether nothing is loaded any more because all fails.
    private var isStalled: Bool { failures.count >= Self.failureLimit }

    private mutating func end(_ id: ID) -> Bool {
        guard let index = underWay.firstIndex(of: id) else { return false }
        underWay.remove(at: index)
        done.insert(id)
        return true
    }

    /// Rows that could not be loaded while nothing could are worth another attempt.
    private mutating func forgetFailures() {
        if isStalled { done.subtract(failures) }
        failures = []
    }

    /// How many more rows may be put down to be loaded.
    private var room: Int {
        guard !isStalled else { return 0 }
        return switch extent {
        case .atMost(let limit): max(0, limit - done.count - underWay.count)
        case .all: Self.rowLimit
        case .held: 0
        }
    }
}
