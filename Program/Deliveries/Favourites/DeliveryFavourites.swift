public import Foundation
public import LadingOutbox
public import LadingRecords
import Observers
import Synchronization

/// The favourite marks of a list, usable offline: applied at once, persisted, sent in order, and reverted when the server refuses them.
///
/// ```swift
/// let favourites = DeliveryFavourites(of: list, in: store, outbox: outbox)
/// try await favourites.set(true, of: "7", key: key, at: date)
/// await favourites.run()
/// ```
///
/// A mark is written to the outbox first, then as a local change of the row (`StoredRecord.withLocalChanges`), which pages do not
/// overwrite. The local change is removed once the server has accepted the mark and a later refresh has stored the row. `run()` repairs a
/// termination between the two writes.
///
/// One instance serves all screens of a list. It sends nothing itself; the outbox's `run()` does.
public final class DeliveryFavourites: Sendable {
    /// The maximum number of undelivered rejections per observer; beyond it the oldest are dropped.
    public static let rejectionBufferLimit = 64

    private struct State {
        /// The most recent write; each write awaits the preceding one.
        var lastTask: Task<Void, Never>?
        /// The accepted marks that their rows may not reflect yet; the outbox retains only receipts of these.
        var unreconciled: Set<DeliveryID> = []
        /// The deliveries whose rows show their queued marks as pending.
        var shownAsPending: Set<DeliveryID> = []
    }

    private let list: DeliveryList
    private let store: any RecordStore<Delivery>
    private let outbox: Outbox
    private let state = Mutex(State())
    private let observers = Observers<FavouriteRejection>()

    /// Creates the favourites of a list.
    ///
    /// - Parameters:
    ///   - store: The store of this list's rows for this user.
    ///   - outbox: The outbox of the same user.
    public init(of list: DeliveryList, in store: any RecordStore<Delivery>, outbox: Outbox) {
        self.list = list
        self.store = store
        self.outbox = outbox
    }

    /// Sets or clears the favourite mark of a delivery. On return the mark is persisted, visible and queued for sending.
    ///
    /// Repeating a key with the same action changes nothing and returns its current status. An action older than another one for the same
    /// delivery changes nothing.
    ///
    /// - Parameters:
    ///   - key: The idempotency key, created with the user's action.
    ///   - action: The client's timestamp of the user's action.
    /// - Returns: The status of the write in the outbox: waiting, sent or refused.
    /// - Throws: `OutboxError`, or an error of the journal or the store; a mark that the journal has stored is sent and shown even then.
    @discardableResult
    public func set(_ isFavourite: Bool, of id: DeliveryID, key: IdempotencyKey, at action: Date) async throws -> OutboxStatus? {
        let request = FavouriteAction(isFavourite: isFavourite, date: action).request(of: id, in: list)
        try await enqueueAndWait { [self] in
            try await outbox.add(request, changing: subject(of: id), at: action, key: key, supersedesPrevious: true)
            try await synchronize(id)
        }
        return outbox.status(of: key)
    }

    /// Removes the stored rejection of a row (`StoredRecord.unacknowledgedRejection`) after the user has seen it.
    public func acknowledge(_ rejection: FavouriteRejection) {
        enqueue { [self] in
            guard try await store.record(of: rejection.id)?.unacknowledgedRejection?.key == rejection.key else { return }
            try await store.setLocalChange(nil, named: StoredRejection.name, of: rejection.id)
        }
    }

    /// Returns the rejections from now on, each reported after its mark was reverted. Every call returns an independent sequence.
    ///
    /// A rejection is also stored with its row until it is acknowledged, for users who do not see the row.
    public func rejections() -> AsyncStream<FavouriteRejection> {
        observers.add(bufferingPolicy: .bufferingNewest(Self.rejectionBufferLimit))
    }
}

// MARK: - Reconciliation

extension DeliveryFavourites {
    /// Reconciles marks with the outbox until the task is cancelled.
    ///
    /// Failed writes to the store are retried when the outbox changes or a page stores the row.
    public func run() async {
        let (events, changes) = (outbox.events(), store.changes())
        for id in idsInOutbox { try? await enqueueAndWait { [self] in try await synchronize(id) } }
        await withDiscardingTaskGroup { group in
            group.addTask { [self] in
                for await event in events { await handle(event) }
            }
            group.addTask { [self] in
                for await change in changes { await handle(change) }
            }
        }
    }

    /// The deliveries with entries or receipts in the outbox.
    private var idsInOutbox: Set<DeliveryID> {
        Set((outbox.entries.map(\.subject) + outbox.receipts.map(\.subject)).compactMap(id))
    }

    private func handle(_ event: OutboxEvent) async {
        guard let id = id(from: event.entry.subject) else { return }
        guard case .ended(let ending) = event.change else {
            // After a failed attempt, or without a network, all queued marks are shown as pending. Each entry may report that, so the others are
            // synchronized once.
            guard isDelayed(event.entry) else { return }
            let queued = Set(outbox.entries.compactMap { self.id(from: $0.subject) })
            for id in queued.subtracting(state.withLock(\.shownAsPending)).union([id]) {
                try? await enqueueAndWait { [self] in try await synchronize(id) }
            }
            return
        }
        let rejection = rejection(event.entry, of: id, ending)
        try? await enqueueAndWait { [self] in
            if let rejection { try await storeRejection(StoredRejection(rejection), of: id) }
            try await synchronize(id)
        }
        guard let rejection else { return }
        observers.send(rejection)
    }

    /// Returns the mark that an entry sends.
    private func localFavourite(sentBy entry: OutboxEntry) -> LocalFavourite? {
        FavouriteAction.isFavourite(in: entry.request.body).map { LocalFavourite($0, isPending: isDelayed(entry)) }
    }

    /// Whether an entry or an earlier one is offline or was attempted before. First attempts do not count: most end before the user notices.
    private func isDelayed(_ entry: OutboxEntry) -> Bool {
        if case .waiting(_, .offline) = outbox.status(of: entry.id) { return true }
        return outbox.entries.contains { $0.attempts > 0 && $0.position <= entry.position }
    }

    /// Returns the rejection that an entry ended with; nil for other outcomes.
    private func rejection(_ entry: OutboxEntry, of id: DeliveryID, _ ending: OutboxOutcome) -> FavouriteRejection? {
        let isFavourite = FavouriteAction.isFavourite(in: entry.request.body) ?? false
        switch ending {
        case .refused(let error): return FavouriteRejection(id: id, isFavourite: isFavourite, key: entry.id, reason: .refused(error))
        case .expired: return FavouriteRejection(id: id, isFavourite: isFavourite, key: entry.id, reason: .expired)
        case .sent, .superseded: return nil
        }
    }

    private func storeRejection(_ note: StoredRejection?, of id: DeliveryID) async throws {
        try await store.setLocalChange(note.map { try JSONEncoder().encode($0) }, named: StoredRejection.name, of: id)
    }

    /// Reconciles the rows of a stored page, or all unreconciled marks when the change does not name its rows.
    ///
    /// Ignores local changes: `reconcile` writes them every time for a row that is not stored, which would cause an endless loop.
    private func handle(_ change: RecordChange<DeliveryID>) async {
        guard change.isListChanged else { return }
        let open = state.withLock(\.unreconciled)
        for id in change.rows ?? open {
            // A mark may be older than the receipts of the outbox.
            let hasChanges = await hasLocalChanges(id)
            guard hasChanges || open.contains(id) else { continue }
            try? await enqueueAndWait { [self] in try await synchronize(id) }
        }
    }

    private func hasLocalChanges(_ id: DeliveryID) async -> Bool {
        (try? await store.record(of: id))?.localChanges.isEmpty == false
    }

    /// Updates the local changes of a row to the state of the outbox.
    private func synchronize(_ id: DeliveryID) async throws {
        // Inserted before the row is read, so that a page stored until the writes are done reconciles the row again, and failed writes are
        // retried with it.
        state.withLock { state in
            state.unreconciled.insert(id)
            state.shownAsPending.remove(id)
        }
        let (subject, record, newest) = (subject(of: id), try await store.record(of: id), try await store.newestGeneration())
        let pending = outbox.latestPending(about: subject).flatMap(localFavourite)
        let confirmed = outbox.lastSent(about: subject).flatMap { confirmedFavourite($0, of: id, generation: newest) }
        let overrides = FavouriteOverrides(
            pending: pending, sent: confirmed, stored: record?.confirmedFavourite,
            row: record.map { ($0.row.serverFavourite, $0.generation) }, newest: newest)
        // A newer action replaces the rejection of an older one. A rejection that a terminated process did not store is stored now.
        if pending != nil, record?.unacknowledgedRejection != nil { try await storeRejection(nil, of: id) }
        if pending == nil, let record, overrides.localFavourite != record.localFavourite, let refused = newRejection(of: record) {
            try await storeRejection(refused, of: id)
        }
        // The confirmation is written first: a termination in between must not result in a local mark that is never reverted.
        if record == nil || overrides.confirmed != record?.confirmedFavourite {
            try await store.setLocalChange(overrides.confirmed.map { try JSONEncoder().encode($0) }, named: ConfirmedFavourite.name, of: id)
        }
        if record == nil || overrides.localFavourite != record?.localFavourite {
            try await store.setLocalChange(overrides.localFavourite?.data, named: Delivery.localFavouriteName, of: id)
        }
        let isUnstated = record != nil && record?.row.serverFavourite == nil
        state.withLock { state in
            if overrides.localFavourite != nil, pending == nil, !isUnstated {
                state.unreconciled.insert(id)
            } else {
                state.unreconciled.remove(id)
            }
            if overrides.localFavourite?.isPending == true { state.shownAsPending.insert(id) }
        }
    }

    /// Returns the rejection of the local mark of a row; nil when it was not refused, or the rejection is stored already.
    private func newRejection(of record: StoredRecord<Delivery>) -> StoredRejection? {
        let (id, subject) = (record.row.id, subject(of: record.row.id))
        guard let favourite = record.localFavourite, record.unacknowledgedRejection == nil,
            let receipt = outbox.receipts.last(where: { $0.subject == subject && $0.outcome != .superseded }),
            receipt.outcome == .refused || receipt.outcome == .expired, requestedFavourite(by: receipt, of: id) == favourite.isFavourite
        else { return nil }
        return StoredRejection(receipt, isFavourite: favourite.isFavourite)
    }

    /// Returns the mark that a write requested, derived from its fingerprint; nil for other writes.
    private func requestedFavourite(by receipt: OutboxReceipt, of id: DeliveryID) -> Bool? {
        [true, false].first {
            FavouriteAction(isFavourite: $0, date: receipt.actionDate).request(of: id, in: list).fingerprint == receipt.fingerprint
        }
    }

    /// Returns the mark in a receipt: the one that the server confirmed, otherwise the requested one.
    private func confirmedFavourite(_ receipt: OutboxReceipt, of id: DeliveryID, generation: Int) -> ConfirmedFavourite? {
        guard let isFavourite = FavouriteAction.isFavourite(in: receipt.responsePrefix) ?? requestedFavourite(by: receipt, of: id) else {
            return nil
        }
        return ConfirmedFavourite(
            isFavourite: isFavourite, key: receipt.id.rawValue, actionDate: receipt.effectiveDate, generation: generation)
    }

    // MARK: Subjects and serial execution

    private var prefix: String { "\(list.url.absoluteString) favourite " }

    private func subject(of id: DeliveryID) -> String { prefix + id.rawValue }

    private func id(from subject: String) -> DeliveryID? {
        // By bytes: an accent at the beginning of an id makes the space before it another character.
        subject.utf8.starts(with: prefix.utf8) ? DeliveryID(String(Substring(subject.utf8.dropFirst(prefix.utf8.count)))) : nil
    }

    /// Runs a closure after all earlier ones have ended, to its end even when the caller is cancelled.
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
