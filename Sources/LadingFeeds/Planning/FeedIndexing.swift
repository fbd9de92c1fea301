import Decisions

/// The choice of rows to load in the background so that they can be filtered and sorted. A synchronous value.
///
/// It loads `rowLimit` rows, as many more with each extension, or all of them. Neither an extension nor a refresh resumes indexing that the
/// user has paused.
struct FeedIndexing<ID: Hashable & Sendable>: Decision, Sendable {
    /// The maximum number of rows that one step loads.
    static var rowLimit: Int { 2_000 }
    /// The maximum number of concurrent loads: enough to use a connection, few enough to cancel quickly.
    static var concurrencyLimit: Int { 8 }
    /// The number of consecutive failures that ends a step.
    static var failureLimit: Int { 16 }

    enum Event: Sendable {
        /// These rows are unknown, in the order of the list. They replace the pending rows.
        case begin([ID])
        /// A row was loaded, or removed from the list.
        case ended(ID)
        /// A row failed, or others have cancelled its load.
        case failed(ID, any Error)
        /// The server has responded to another request.
        case serverResponded
        /// These failures may be retried.
        case clearFailures(Set<ID>)
        /// Another step may follow, unless indexing is paused.
        case extend
        /// All rows may be loaded, step by step.
        case indexAll
        /// The user stops indexing.
        case pause
        /// The query has changed: paused indexing resumes for a step.
        case queryChanged
        /// The list was refreshed: rows may be loaded again, failed ones included. A step begins anew; indexing of all rows and a pause remain.
        case listRefreshed
        case stop
    }

    enum Effect: Equatable, Sendable {
        case start(ID)
        case cancel(ID)
    }

    /// A row that was not loaded.
    struct Failure: Sendable {
        let id: ID
        let error: any Error

        /// Whether others have cancelled the load, which is no error to report or to retry.
        var isCancellation: Bool { error is CancellationError }
    }

    /// The limit of the rows that are loaded in total.
    private enum Extent: Equatable {
        case atMost(Int)
        case all
        case paused
    }

    /// The pending rows, last first.
    private var pending: [ID] = []
    private var inFlight: [ID] = []
    /// The rows that were loaded or failed, which are not loaded again.
    private(set) var done: Set<ID> = []
    /// The rows that failed and were not retried, in the order of their failures.
    private(set) var failed: [Failure] = []
    /// The number of failures since a row was last loaded.
    private var consecutiveFailures = 0
    private var extent = Extent.atMost(rowLimit)

    /// Whether no row is pending or being loaded.
    var isDone: Bool { pending.isEmpty && inFlight.isEmpty }
    /// Whether all rows were requested.
    var indexesAll: Bool { extent == .all }

    /// Whether no row is started because the last ones failed in succession.
    var hasReachedFailureLimit: Bool { consecutiveFailures >= Self.failureLimit }

    /// Returns the failed rows whose errors satisfy a condition, without those that others have cancelled.
    func failures(where isIncluded: (any Error) -> Bool) -> Set<ID> {
        Set(failed.filter { !$0.isCancellation && isIncluded($0.error) }.map(\.id))
    }

    mutating func handle(_ event: Event, effects: inout [Effect]) {
        switch event {
        case .begin(let ids): begin(ids)
        case .ended(let id): if end(id) { consecutiveFailures = 0 }
        case .failed(let id, let error): if end(id) { recordFailure(Failure(id: id, error: error)) }
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
        case .listRefreshed:
            cancelAll(effects: &effects)
            (done, failed, consecutiveFailures) = ([], [], 0)
            if case .atMost = extent { extendStep() }
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

    private mutating func recordFailure(_ failure: Failure) {
        failed.append(failure)
        consecutiveFailures += 1
        if hasReachedFailureLimit { pending = [] }
    }

    /// Retries the failed rows if indexing is stalled, because the server responds again.
    private mutating func handleServerResponse() {
        if hasReachedFailureLimit { clearAllFailures() } else { consecutiveFailures = 0 }
    }

    private mutating func clearFailures(_ ids: Set<ID>) {
        done.subtract(ids)
        failed.removeAll { ids.contains($0.id) }
        consecutiveFailures = 0
    }

    private mutating func clearAllFailures() { clearFailures(Set(failed.map(\.id))) }

    /// The number of rows that may still be queued.
    private var remainingCapacity: Int {
        guard !hasReachedFailureLimit else { return 0 }
        return switch extent {
        case .atMost(let limit): max(0, limit - done.count - inFlight.count)
        case .all: Self.rowLimit
        case .paused: 0
        }
    }
}
