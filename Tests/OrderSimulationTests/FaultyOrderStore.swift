import OrderLifecycle
import OrderStorage
import OrderStorageConformance
import Synchronization

/// A defect of a store that the checker of histories must find.
enum StoreFault: String, CaseIterable {
    /// A claim of an order that another courier has is answered as accepted.
    case missingCondition
    /// A repeated key is performed again.
    case forgottenKey
    /// A key is accepted with another body.
    case keyWithoutBody
    /// An action with a stale fence changes the order.
    case staleFenceAccepted
    /// A report is answered and not stored.
    case reportLost
    /// The history is ordered by the times of the actions.
    case eventsByArrival
    /// The bytes of a proof are lost.
    case proofLost
    /// A sign of life does not renew the lease.
    case leaseNotRenewed
    /// A pick-up after the end of the lease is refused.
    case latePickUpRefused
    /// Orders are read from an old snapshot.
    case oldSnapshot
    /// A command is applied again after a crash.
    case appliedTwice
    /// A change is missing in the feed.
    case feedGap
}

/// A store with one defect.
final class FaultyOrderStore: OrderStoreWrapper {
    let store: any OrderStore
    private let defect: StoreFault
    private let counts = Mutex((commands: 0, changes: 0))
    private let snapshots = Mutex<[Int: OrderRecord]>([:])

    init(_ store: any OrderStore, _ defect: StoreFault) {
        self.store = store
        self.defect = defect
    }

    private func count() -> Int {
        counts.withLock { counts in
            counts.commands += 1
            return counts.commands
        }
    }

    func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        let number = count()
        switch defect {
        case .forgottenKey: return try await store.perform(command.with(key: "\(command.key)-\(number)"), at: now)
        case .keyWithoutBody: return try await store.perform(command.with(fingerprint: ""), at: now)
        case .missingCondition: return try await claimingTaken(command, at: now)
        case .staleFenceAccepted: return try await withCurrentFence(command, at: now)
        case .leaseNotRenewed: return try await withoutRenewal(command, at: now)
        case .latePickUpRefused: return try await refusingLatePickUp(command, at: now)
        case .appliedTwice:
            let result = try await store.perform(command, at: now)
            if case .lifecycle(_, .attempt) = command.change, number % 3 == 0 {
                _ = try await store.perform(command.with(key: "\(command.key)-again"), at: now)
            }
            return result
        default: return try await store.perform(command, at: now)
        }
    }

    private func claimingTaken(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        let result = try await store.perform(command, at: now)
        guard case .refused(.taken) = result.verdict.outcome, let order = command.order, let record = try await store.order(order) else {
            return result
        }
        let outcome = StoredVerdict.Outcome.accepted(events: [record.version.eventCount])
        return CommandResult(
            StoredVerdict(outcome, order: order, state: .claimed, version: record.version, acceptanceTime: now))
    }

    /// Performs a step with the current fence in the name of the current holder.
    private func withCurrentFence(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        guard case .lifecycle(let id, .pickUp(let fence, let missing)) = command.change, let record = try await store.order(id),
            fence < record.fence, record.state == .claimed, let holder = record.holder
        else { return try await store.perform(command, at: now) }
        let sender = OrderLifecycle.Sender(holder, role: .courier, actionTime: command.sender.actionTime)
        let changed = OrderStoreCommand(
            .lifecycle(order: id, .pickUp(record.fence, missing: missing)), from: sender, key: command.key + "-stale",
            fingerprint: command.fingerprint)
        return try await store.perform(changed, at: now)
    }

    private func withoutRenewal(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        guard case .lifecycle(let id, .claim) = command.change, let record = try await store.order(id), record.state == .claimed,
            record.holder == command.sender.person, let end = record.leaseEnd, now < end
        else { return try await store.perform(command, at: now) }
        let verdict = StoredVerdict(
            .accepted(events: []), order: id, state: .claimed, version: record.version, acceptanceTime: now)
        return CommandResult(verdict)
    }

    private func refusingLatePickUp(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        guard case .lifecycle(let id, .pickUp) = command.change, let record = try await store.order(id), record.state == .open else {
            return try await store.perform(command, at: now)
        }
        return CommandResult(
            StoredVerdict(.refused(.wrongState(.open)), order: id, state: .open, version: record.version, acceptanceTime: now))
    }

    func order(_ id: Int) async throws -> OrderRecord? {
        let record = try await store.order(id)
        guard defect == .oldSnapshot, let record else { return record }
        return snapshots.withLock { snapshots in
            // Every second read of an order is one of the past.
            guard let old = snapshots.removeValue(forKey: id) else {
                snapshots[id] = record
                return record
            }
            return old
        }
    }

    func history(of order: Int) async throws -> OrderHistory? {
        guard let history = try await store.history(of: order) else { return nil }
        switch defect {
        case .reportLost: return OrderHistory(record: history.record, events: history.events, reports: [], proofs: history.proofs)
        case .eventsByArrival:
            let events = history.events.sorted { $0.actionTime < $1.actionTime }
            return OrderHistory(record: history.record, events: events, reports: history.reports, proofs: history.proofs)
        default: return history
        }
    }

    func proof(_ id: ProofID) async throws -> Proof? {
        guard let proof = try await store.proof(id), defect == .proofLost, id.order % 5 == 0 else { return try await store.proof(id) }
        return Proof(record: proof.record, content: [])
    }

    func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
        let page = try await store.changes(after: position, limit: limit)
        guard defect == .feedGap else { return page }
        let changes = page.changes.filter { $0.position.number % 50 != 7 }
        return ChangePage(changes: changes, position: page.position, hasMore: page.hasMore)
    }
}

extension OrderStoreCommand {
    fileprivate func with(key: String? = nil, fingerprint: String? = nil) -> OrderStoreCommand {
        OrderStoreCommand(change, from: sender, key: key ?? self.key, fingerprint: fingerprint ?? self.fingerprint)
    }
}
