import Synchronization
import UpdateMerging

/// The changes of a store since the last read: which parts to read again, without their content.
public struct RecordChange<ID: Hashable & Sendable>: Sendable {
    /// The maximum number of changed rows that are listed; beyond it any row may have changed.
    package static var rowLimit: Int { 512 }

    /// Whether rows were added, removed or moved, or pages were loaded.
    public var isListChanged = false
    /// Whether only local changes of rows were set or removed, which affect neither the results of a query nor their order.
    ///
    /// Results of a query then read only the changed rows that they have in memory, and a paged list reads nothing if it has none of them. False is
    /// always correct.
    public var hasOnlyLocalChanges = false
    /// The range from the first to the last changed place; nil if none has changed.
    public var places: ClosedRange<Int>?
    /// The rows whose content or local changes have changed; nil if there are more than 512.
    public var rows: Set<ID>? = []

    public init() {}

    package var isEmpty: Bool { !isListChanged && places == nil && rows?.isEmpty == true }

    /// The changed rows if only their local changes have changed; nil if anything else may have.
    var locallyChangedRows: Set<ID>? { hasOnlyLocalChanges && !isListChanged ? rows : nil }

    /// Merges a later change.
    package mutating func add(_ later: RecordChange) {
        isListChanged = isListChanged || later.isListChanged
        hasOnlyLocalChanges = hasOnlyLocalChanges && later.hasOnlyLocalChanges
        if let range = later.places {
            places = places.map { min($0.lowerBound, range.lowerBound)...max($0.upperBound, range.upperBound) } ?? range
        }
        if let known = rows, let others = later.rows {
            rows = known.isEmpty ? others : known.union(others)
            if rows.map({ $0.count > Self.rowLimit }) ?? false { rows = nil }
        } else {
            rows = nil
        }
    }
}

/// The changes of a store, for one reader. Changes between two reads are merged into one.
///
/// The sequence ends when the task is cancelled, or the store is closed or deallocated. Deallocating it ends the subscription.
public final class RecordChanges<ID: Hashable & Sendable>: AsyncSequence, Sendable {
    public typealias Element = RecordChange<ID>

    private let merged = MergedUpdates<RecordChange<ID>> { $0.add($1) }
    private let count: @Sendable () -> Int
    private let unsubscribe: @Sendable (ObjectIdentifier) -> Void

    fileprivate init(count: @escaping @Sendable () -> Int, unsubscribe: @escaping @Sendable (ObjectIdentifier) -> Void) {
        self.count = count
        self.unsubscribe = unsubscribe
    }

    deinit { unsubscribe(ObjectIdentifier(self)) }

    /// The number of changes that the store has sent. It increases before any reader is notified.
    package var changeCount: Int { count() }

    public func makeAsyncIterator() -> Iterator { Iterator(changes: self) }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let changes: RecordChanges

        /// Returns the changes since the last call as soon as there are any; nil if the store is closed or the task is cancelled.
        public nonisolated(nonsending) func next() async -> RecordChange<ID>? { await changes.merged.next() }
    }

    fileprivate func post(_ change: RecordChange<ID>) { merged.post(change) }

    fileprivate func finish() { merged.finish() }
}

/// The subscribers to the changes of a store, for stores of your own.
///
/// A store returns `changes()` from its function of the same name, and sends a change before a write returns.
public final class RecordChangeBroadcaster<ID: Hashable & Sendable>: Sendable {
    private struct Subscription: Sendable {
        weak var changes: RecordChanges<ID>?
    }

    private struct State: Sendable {
        var subscriptions: [ObjectIdentifier: Subscription] = [:]
        var isFinished = false
    }

    private let state = Mutex(State())
    private let changeCount = Mutex(0)

    public init() {}

    deinit { finish() }

    /// Returns a subscription to the changes from now on, which has ended if all subscriptions have.
    public func changes() -> RecordChanges<ID> {
        let changes = RecordChanges<ID> { [weak self] in
            self?.changeCount.withLock { $0 } ?? 0
        } unsubscribe: { [weak self] id in
            _ = self?.state.withLock { $0.subscriptions.removeValue(forKey: id) }
        }
        let isFinished = state.withLock { state in
            if !state.isFinished { state.subscriptions[ObjectIdentifier(changes)] = Subscription(changes: changes) }
            return state.isFinished
        }
        if isFinished { changes.finish() }
        return changes
    }

    /// The number of subscribers.
    package var observerCount: Int { state.withLock(\.subscriptions.count) }

    /// Sends a change to all subscribers; an empty one is ignored.
    public func send(_ change: RecordChange<ID>) {
        guard !change.isEmpty else { return }
        changeCount.withLock { $0 += 1 }
        for observer in observers { observer.post(change) }
    }

    /// Ends all subscriptions and later ones, when the store is closed. Deallocating the broadcaster does the same.
    public func finish() {
        state.withLock { $0.isFinished = true }
        for observer in observers { observer.finish() }
    }

    // The subscribers are released outside of the lock, because releasing the last reference unsubscribes and acquires it.
    private var observers: [RecordChanges<ID>] {
        state.withLock { $0.subscriptions.values.compactMap(\.changes) }
    }
}
