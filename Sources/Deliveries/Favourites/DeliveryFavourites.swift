public import Foundation
public import LadingFeeds
public import LadingHTTP
import Synchronization

/// Marks deliveries as favourites, with or without a network: shown at once, kept through kills, sent in order, and undone when the server refuses.
///
/// ```swift
/// let favourites = DeliveryFavourites(of: list, in: store, through: outbox)
/// try await favourites.set(true, of: "7", key: key, at: moment)
/// await favourites.run()
/// ```
///
/// A mark is written to the outbox first, and then beside the row (`StoredRecord.shown`), where no page reverts it. It stays there until the server has taken
/// it and a refresh that knows of it has stored the row. A kill between the two writes is made good by `run`.
///
/// One of them serves all screens of a list. It sends nothing itself: that is done by the `run` of the outbox.
public final class DeliveryFavourites: Sendable {
    /// How many refusals a watcher may be behind; of one who is further behind the oldest are dropped.
    public static let refusalBufferLimit = 64

    private struct State {
        /// What is being written, the last of it; each waits for the one before.
        var lastTask: Task<Void, Never>?
        /// Marks that were taken and that their rows may not know of; the outbox remembers no more than its receipts.
        var unreconciled: Set<DeliveryID> = []
        var lastObserverID = 0
        var observers: [Int: AsyncStream<FavouriteRefusal>.Continuation] = [:]
    }

    private let list: DeliveryList
    private let store: any RecordStore<Delivery>
    private let outbox: Outbox
    private let state = Mutex(State())

    /// - Parameters:
    ///   - store: Where the rows of this list and this user are.
    ///   - outbox: That of the same user.
    public init(of list: DeliveryList, in store: any RecordStore<Delivery>, outbox: Outbox) {
        self.list = list
        self.store = store
        self.outbox = outbox
    }

    /// Marks a delivery, or takes its mark away. When this returns, it is kept and shown, and will be sent.
    ///
    /// The same key with the same action changes nothing, and gives what has become of it. An action that was decided before another about the same delivery
    /// changes nothing either.
    ///
    /// - Parameters:
    ///   - key: Made where somebody decided it.
    ///   - action: When somebody decided it, by the clock there.
    /// - Returns: What the outbox knows of it: that it waits, was sent, or was refused.
    /// - Throws: `OutboxError`, and what the journal and the store throw; what the journal has is sent and shown nevertheless.
    @discardableResult
    public func set(_ isFavourite: Bool, of id: DeliveryID, key: IdempotencyKey, at action: Date) async throws -> OutboxStatus? {
        let request = FavouriteAction(isFavourite: isFavourite, date: action).request(of: id, in: list)
        try await enqueueAndWait { [self] in
            try await outbox.add(request, changing: subject(of: id), at: action, key: key, supersedesEarlier: true)
            try await reconcile(id)
        }
        return outbox.status(of: key)
    }

    /// Removes the note of a refusal beside its row, once a reader has been shown it (`StoredRecord.unacknowledgedRefusal`).
    public func acknowledge(_ refusal: FavouriteRefusal) {
        enqueue { [self] in
            guard try await store.record(of: refusal.id)?.unacknowledgedRefusal?.key == refusal.key else { return }
            try await store.setLocalChange(nil, named: StoredRefusal.name, of: refusal.id)
        }
    }

    /// What is refused from now on; each call gives a sequence of its own. A refusal is told when the mark has been undone.
    ///
    /// It is also noted beside the row, for readers who do not have the row in view, until somebody acknowledges it.
    public func refusals() -> AsyncStream<FavouriteRefusal> {
        let (stream, watcher) = AsyncStream<FavouriteRefusal>.makeStream(bufferingPolicy: .bufferingNewest(Self.refusalBufferLimit))
        let id = state.withLock { state in
            state.lastObserverID += 1
            state.observers[state.lastObserverID] = watcher
            return state.lastObserverID
        }
        watcher.onTermination = { [weak self] _ in self?.state.withLock { _ = $0.observers.removeValue(forKey: id) } }
        return stream
    }
}

// MARK: - Keeping marks right

extension DeliveryFavourites {
    /// Makes marks equal to what the outbox knows, and keeps them so, until its task is cancelled.
    ///
    /// What the store does not take is tried again when the outbox changes or a page brings the row next.
    public func run() async {
        let (events, changes) = (outbox.events(), store.changes())
        for id in idsInOutbox { try? await enqueueAndWait { [self] in try await reconcile(id) } }
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                for await event in events { await handle(event) }
            }
            group.addTask { [self] in
                for await change in changes { await handle(change) }
            }
        }
    }

    /// Those that the outbox knows anything of.
    private var idsInOutbox: Set<DeliveryID> {
        Set((outbox.entries.map(\.subject) + outbox.receipts.map(\.subject)).compactMap(id))
    }

    private func handle(_ event: OutboxEvent) async {
        guard let id = id(from: event.entry.subject) else { return }
        guard case .ended(let ending) = event.change else {
            // An attempt has failed, or there is no network: this mark and those behind it are shown as waiting.
            guard isDelayed(event.entry) else { return }
            for id in Set(outbox.entries.compactMap { self.id(from: $0.subject) }) { try? await enqueueAndWait { [self] in try await reconcile(id) } }
            return
        }
        let refusal = refusal(event.entry, of: id, ending)
        try? await enqueueAndWait { [self] in
            if let refusal { try await storeRefusal(StoredRefusal(refusal), of: id) }
            try await reconcile(id)
        }
        guard let refusal else { return }
        state.withLock { state in
            for watcher in state.observers.values { watcher.yield(refusal) }
        }
    }

    /// The mark that an entry sends.
    private func localFavourite(sentBy entry: OutboxEntry) -> LocalFavourite? {
        FavouriteAction.isFavourite(in: entry.request.body).map { LocalFavourite($0, isPending: isDelayed(entry)) }
    }

    /// Whether an entry cannot be sent for now, or one before it. What is sent at the first attempt never counts: mostly that is over before a reader notices.
    private func isDelayed(_ entry: OutboxEntry) -> Bool {
        if case .waiting(_, .offline) = outbox.status(of: entry.id) { return true }
        return outbox.entries.contains { $0.attempts > 0 && $0.position <= entry.position }
    }

    /// The refusal that an entry ended with; nil when it ended otherwise.
    private func refusal(_ entry: OutboxEntry, of id: DeliveryID, _ ending: OutboxOutcome) -> FavouriteRefusal? {
        let isFavourite = FavouriteAction.isFavourite(in: entry.request.body) ?? false
        switch ending {
        case .refused(let error): return FavouriteRefusal(id: id, isFavourite: isFavourite, key: entry.id, reason: .refused(error))
        case .expired: return FavouriteRefusal(id: id, isFavourite: isFavourite, key: entry.id, reason: .expired)
        case .sent, .superseded: return nil
        }
    }

    private func storeRefusal(_ note: StoredRefusal?, of id: DeliveryID) async throws {
        try await store.setLocalChange(note.map { try JSONEncoder().encode($0) }, named: StoredRefusal.name, of: id)
    }

    /// Settles the rows of pages that came, and those of open marks when it is not known which came: nothing else changes what a row states.
    ///
    /// What is written here is not followed: beside a row that is not stored it is written each time, which would never end.
    private func handle(_ change: RecordChange<DeliveryID>) async {
        guard change.isListChanged else { return }
        let open = state.withLock(\.unreconciled)
        for id in change.rows ?? open {
            // A mark may be older than what the outbox remembers.
            let hasChanges = await hasLocalChanges(id)
            guard hasChanges || open.contains(id) else { continue }
            try? await enqueueAndWait { [self] in try await reconcile(id) }
        }
    }

    private func hasLocalChanges(_ id: DeliveryID) async -> Bool {
        (try? await store.record(of: id))?.localChanges.isEmpty == false
    }

    /// Writes what is to lie over a row, where it is another than what lies there.
    private func reconcile(_ id: DeliveryID) async throws {
        // Before the row is read: no page that comes until all is written is missed, and what cannot be written is tried again with one.
        state.withLock { _ = $0.unreconciled.insert(id) }
        let (subject, record, newest) = (subject(of: id), try await store.record(of: id), try await store.newestGeneration())
        let pending = outbox.latestPending(about: subject).flatMap(localFavourite)
        let confirmed = outbox.lastSent(about: subject).flatMap { confirmedFavourite($0, of: id, generation: newest) }
        let overlay = FavouriteOverlay(
            pending: pending, sent: confirmed, stored: record?.confirmedFavourite,
            row: record.map { ($0.row.serverFavourite, $0.generation) }, newest: newest)
        // A newer decision is shown in place of the refusal of an older one. A program that ended too early to note a refusal notes it now.
        if pending != nil, record?.unacknowledgedRefusal != nil { try await storeRefusal(nil, of: id) }
        if pending == nil, let record, overlay.localFavourite != record.localFavourite, let refused = unstoredRefusal(of: record) {
            try await storeRefusal(refused, of: id)
        }
        // What is taken is written first: without it, an end of the program in between would leave a mark that nobody takes back.
        if record == nil || overlay.confirmed != record?.confirmedFavourite {
            try await store.setLocalChange(overlay.confirmed.map { try JSONEncoder().encode($0) }, named: ConfirmedFavourite.name, of: id)
        }
        if record == nil || overlay.localFavourite != record?.localFavourite {
            try await store.setLocalChange(overlay.localFavourite?.data, named: Delivery.localFavouriteName, of: id)
        }
        let isUnstated = record != nil && record?.row.serverFavourite == nil
        state.withLock { state in
            if overlay.localFavourite != nil, pending == nil, !isUnstated { state.unreconciled.insert(id) } else { state.unreconciled.remove(id) }
        }
    }

    /// The refusal of the mark that still lies over a row; nil when it was not refused, or the refusal has been noted.
    private func unstoredRefusal(of record: StoredRecord<Delivery>) -> StoredRefusal? {
        let (id, subject) = (record.row.id, subject(of: record.row.id))
        guard let favourite = record.localFavourite, record.unacknowledgedRefusal == nil,
            let receipt = outbox.receipts.last(where: { $0.subject == subject && $0.outcome != .superseded }),
            receipt.outcome == .refused || receipt.outcome == .expired, requestedFavourite(by: receipt, of: id) == favourite.isFavourite
        else { return nil }
        return StoredRefusal(receipt, isFavourite: favourite.isFavourite)
    }

    /// The mark that a write requested, as its fingerprint tells; nil when it was another kind of write.
    private func requestedFavourite(by receipt: OutboxReceipt, of id: DeliveryID) -> Bool? {
        [true, false].first {
            FavouriteAction(isFavourite: $0, date: receipt.actionDate).request(of: id, in: list).fingerprint == receipt.fingerprint
        }
    }

    /// Returns the mark in a receipt: the one that the server confirms, or else the requested one.
    private func confirmedFavourite(_ receipt: OutboxReceipt, of id: DeliveryID, generation: Int) -> ConfirmedFavourite? {
        guard let isFavourite = FavouriteAction.isFavourite(in: receipt.responsePrefix) ?? requestedFavourite(by: receipt, of: id) else { return nil }
        return ConfirmedFavourite(isFavourite: isFavourite, key: receipt.id.rawValue, actionDate: receipt.effectiveDate, generation: generation)
    }

    // MARK: Subjects and turns

    private var prefix: String { "\(list.url.absoluteString) favourite " }

    private func subject(of id: DeliveryID) -> String { prefix + id.rawValue }

    private func id(from subject: String) -> DeliveryID? {
        subject.hasPrefix(prefix) ? DeliveryID(String(subject.dropFirst(prefix.count))) : nil
    }

    /// Does one thing after the other, each to its end, also when whoever asked for it leaves.
    private func enqueueAndWait(_ body: @escaping @Sendable () async throws -> Void) async throws {
        try await enqueue(body).value
    }

    @discardableResult
    private func enqueue(_ body: @escaping @Sendable () async throws -> Void) -> Task<Void, any Error> {
        state.withLock { state in
            let before = state.lastTask
            let task = Task {
                await before?.value
                try await body()
            }
            state.lastTask = Task { _ = await task.result }
            return task
        }
    }
}
