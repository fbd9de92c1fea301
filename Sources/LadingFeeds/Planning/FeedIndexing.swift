import LadingOperations

/// Decides which rows are loaded in the background so that they can be filtered and sorted. A synchronous value.
///
/// It loads `rowLimit` rows, and as many more whenever it is extended, or else all of them. A reader who has stopped it is not overruled by an extension.
struct FeedIndexing<ID: Hashable & Sendable>: Decision, Sendable {
    /// The most rows that one step loads.
    static var rowLimit: Int { 2_000 }
    /// How many of them are under way at once: enough to keep a line busy, few enough to be let go of at once.
    static var concurrencyLimit: Int { 8 }
    /// The number of consecutive failures that ends a step.
    static var failureLimit: Int { 16 }

    enum Event: Sendable {
        /// These rows are not known, in the order of the list. What an earlier survey had not begun is dropped.
        case begin([ID])
        /// A row was loaded, or has left the list.
        case ended(ID)
        case failed(ID)
        /// The server has answered somebody else.
        case serverResponded
        /// These rows failed for a reason that has gone.
        case clearFailures(Set<ID>)
        /// Another step may follow, unless the reader has stopped the survey.
        case extend
        /// All rows may be loaded, step by step.
        case indexAll
        /// The reader wants no more rows.
        case pause
        /// The reader asks for something else: what was held goes on, for a step.
        case queryChanged
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
        case paused
    }

    /// What is still to be loaded, last first.
    private var pending: [ID] = []
    private var inFlight: [ID] = []
    /// What was loaded or failed; it is not surveyed twice.
    private(set) var done: Set<ID> = []
    /// The rows that failed and were not tried again, in the order of their failures.
    private(set) var failed: [ID] = []
    /// The number of failures since a row was last loaded.
    private var consecutiveFailures = 0
    private var extent = Extent.atMost(rowLimit)

    /// Whether everything has been loaded that will be, unless the survey is extended.
    var isDone: Bool { pending.isEmpty && inFlight.isEmpty }
    /// Whether the reader has asked for all rows.
    var indexesAll: Bool { extent == .all }

    /// Whether no row is started because all of the last ones failed.
    var isStalled: Bool { consecutiveFailures >= Self.failureLimit }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .begin(let ids): begin(ids)
        case .ended(let id): if end(id) { consecutiveFailures = 0 }
        case .failed(let id): if end(id) { recordFailure(of: id) }
        case .serverResponded: handleServerResponse()
        case .clearFailures(let ids): clearFailures(ids)
        case .extend: if case .atMost = extent { extendStep() }
        case .indexAll:
            clearAllFailures()
            extent = .all
        case .pause:
            cancelAll(effects: &effects)
            extent = .paused
        case .queryChanged:
            clearAllFailures()
            if extent != .all { extendStep() }
        case .stop:
            cancelAll(effects: &effects)
            self = FeedIndexing()
        }
        startPending(effects: &effects)
    }

    private mutating func begin(_ ids: [ID]) {
        pending = ids.filter { !done.contains($0) && !inFlight.contains($0) }.prefix(remainingCapacity).reversed()
    }

    private mutating func startPending(effects: inout [Effect]) {
        while inFlight.count < Self.concurrencyLimit, let id = pending.popLast() {
            inFlight.append(id)
            effects.append(.start(id))
        }
    }

    private mutating func cancelAll(effects: inout [Effect]) {
        effects += inFlight.map { .cancel($0) }
        (pending, inFlight) = ([], [])
    }

    /// Allows one more step.
    private mutating func extendStep() { extent = .atMost(done.count + inFlight.count + Self.rowLimit) }

    private mutating func end(_ id: ID) -> Bool {
        guard let index = inFlight.firstIndex(of: id) else { return false }
        inFlight.remove(at: index)
        done.insert(id)
        return true
    }

    private mutating func recordFailure(of id: ID) {
        failed.append(id)
        consecutiveFailures += 1
        if isStalled { pending = [] }
    }

    /// Rows that failed while none could be loaded are tried again once the server answers.
    private mutating func handleServerResponse() {
        if isStalled { clearAllFailures() } else { consecutiveFailures = 0 }
    }

    private mutating func clearFailures(_ ids: Set<ID>) {
        done.subtract(ids)
        failed.removeAll(where: ids.contains)
        consecutiveFailures = 0
    }

    private mutating func clearAllFailures() { clearFailures(Set(failed)) }

    /// The number of rows that may still be queued.
    private var remainingCapacity: Int {
        guard !isStalled else { return 0 }
        return switch extent {
        case .atMost(let limit): max(0, limit - done.count - inFlight.count)
        case .all: Self.rowLimit
        case .paused: 0
        }
    }
}
