import LadingTesting
import OrderLifecycle
import OrderStorage
import Synchronization

/// A store whose first read of the end of the feed waits at a gate.
final class GatedOrderStore: OrderStore {
    let gate = Gate()
    private let store: any OrderStore
    private let reads = Mutex(0)

    init(_ store: any OrderStore) {
        self.store = store
    }

    /// The number of reads of the end of the feed.
    var positionReads: Int { reads.withLock(\.self) }

    func position() async throws -> ChangePosition {
        let number = reads.withLock { reads in
            reads += 1
            return reads
        }
        if number == 1 { try await gate.wait() }
        return try await store.position()
    }
}

// MARK: - Without a gate

extension GatedOrderStore {
    func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        try await store.perform(command, at: now)
    }
    func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict? {
        try await store.verdict(forKey: key, of: person)
    }
    func expireLeases(at now: Timestamp, limit: Int) async throws -> Int { try await store.expireLeases(at: now, limit: limit) }
    func order(_ id: Int) async throws -> OrderRecord? { try await store.order(id) }
    func orders(_ query: BoardQuery) async throws -> OrderPage { try await store.orders(query) }
    func counts(at now: Timestamp) async throws -> OrderCounts { try await store.counts(at: now) }
    func openOrderIDs(demoOnly: Bool) async throws -> [Int] { try await store.openOrderIDs(demoOnly: demoOnly) }
    func history(of order: Int) async throws -> OrderHistory? { try await store.history(of: order) }
    func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
        try await store.changes(after: position, limit: limit)
    }
    func addPerson(_ person: Person) async throws { try await store.addPerson(person) }
    func people() async throws -> [Person] { try await store.people() }
    func person(_ id: PersonID) async throws -> Person? { try await store.person(id) }
    func people(_ ids: Set<PersonID>) async throws -> [PersonID: Person] { try await store.people(ids) }
    func revoke(_ person: PersonID, at now: Timestamp) async throws { try await store.revoke(person, at: now) }
    func erase(_ person: PersonID, at now: Timestamp) async throws { try await store.erase(person, at: now) }
    func addLink(_ secret: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await store.addLink(secret, of: person, expires: expires)
    }
    func exchangeLink(_ secret: SecretHash, for token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
        try await store.exchangeLink(secret, for: token, at: now, expires: expires)
    }
    func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await store.addToken(token, of: person, expires: expires)
    }
    func person(withToken token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
        try await store.person(withToken: token, at: now, expires: expires)
    }
    func validTokens(_ tokens: Set<SecretHash>, at now: Timestamp) async throws -> Set<SecretHash> {
        try await store.validTokens(tokens, at: now)
    }
    func removeToken(_ token: SecretHash) async throws { try await store.removeToken(token) }
    func addPositions(_ positions: [CourierPosition], of person: PersonID, at now: Timestamp) async throws {
        try await store.addPositions(positions, of: person, at: now)
    }
    func lastPositions() async throws -> [PersonID: CourierPosition] { try await store.lastPositions() }
    func upload(of proof: ProofID) async throws -> ProofUpload { try await store.upload(of: proof) }
    func append(_ bytes: [UInt8], at offset: Int, to proof: ProofID, at now: Timestamp) async throws {
        try await store.append(bytes, at: offset, to: proof, at: now)
    }
    func appendedBytes(of proof: ProofID) async throws -> [UInt8] { try await store.appendedBytes(of: proof) }
    func discardUpload(of proof: ProofID) async throws { try await store.discardUpload(of: proof) }
    func addProof(_ proof: Proof) async throws { try await store.addProof(proof) }
    func proof(_ id: ProofID) async throws -> Proof? { try await store.proof(id) }
    func proofs(ofOrder order: Int) async throws -> [ProofRecord] { try await store.proofs(ofOrder: order) }
    func checkPIN(_ pin: String, ofOrder order: Int, by person: PersonID, attempts: Int) async throws -> PINCheck {
        try await store.checkPIN(pin, ofOrder: order, by: person, attempts: attempts)
    }
    func prune(_ retention: OrderRetention, at now: Timestamp) async throws -> Bool { try await store.prune(retention, at: now) }
}
