package import OrderLifecycle
package import OrderStorage

/// A store that changes some methods of another one; the rest are those of that store.
package protocol OrderStoreWrapper: OrderStore {
    var store: any OrderStore { get }
}

extension OrderStoreWrapper {
    package func position() async throws -> ChangePosition { try await store.position() }
    package func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult {
        try await store.perform(command, at: now)
    }
    package func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict? {
        try await store.verdict(forKey: key, of: person)
    }
    package func expireLeases(at now: Timestamp, limit: Int) async throws -> Int { try await store.expireLeases(at: now, limit: limit) }
    package func order(_ id: Int) async throws -> OrderRecord? { try await store.order(id) }
    package func orders(_ query: BoardQuery) async throws -> OrderPage { try await store.orders(query) }
    package func counts(at now: Timestamp) async throws -> OrderCounts { try await store.counts(at: now) }
    package func openOrderIDs(demoOnly: Bool) async throws -> [Int] { try await store.openOrderIDs(demoOnly: demoOnly) }
    package func history(of order: Int) async throws -> OrderHistory? { try await store.history(of: order) }
    package func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage {
        try await store.changes(after: position, limit: limit)
    }
    package func addPerson(_ person: Person) async throws { try await store.addPerson(person) }
    package func people() async throws -> [Person] { try await store.people() }
    package func person(_ id: PersonID) async throws -> Person? { try await store.person(id) }
    package func people(_ ids: Set<PersonID>) async throws -> [PersonID: Person] { try await store.people(ids) }
    package func revoke(_ person: PersonID, at now: Timestamp) async throws { try await store.revoke(person, at: now) }
    package func erase(_ person: PersonID, at now: Timestamp) async throws { try await store.erase(person, at: now) }
    package func addLink(_ secret: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await store.addLink(secret, of: person, expires: expires)
    }
    package func exchangeLink(_ secret: SecretHash, for token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
        try await store.exchangeLink(secret, for: token, at: now, expires: expires)
    }
    package func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await store.addToken(token, of: person, expires: expires)
    }
    package func person(withToken token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
        try await store.person(withToken: token, at: now, expires: expires)
    }
    package func validTokens(_ tokens: Set<SecretHash>, at now: Timestamp) async throws -> Set<SecretHash> {
        try await store.validTokens(tokens, at: now)
    }
    package func removeToken(_ token: SecretHash) async throws { try await store.removeToken(token) }
    package func addPositions(_ positions: [CourierPosition], of person: PersonID, at now: Timestamp) async throws {
        try await store.addPositions(positions, of: person, at: now)
    }
    package func lastPositions() async throws -> [PersonID: CourierPosition] { try await store.lastPositions() }
    package func upload(of proof: ProofID) async throws -> ProofUpload { try await store.upload(of: proof) }
    package func append(_ bytes: [UInt8], at offset: Int, to proof: ProofID, at now: Timestamp) async throws {
        try await store.append(bytes, at: offset, to: proof, at: now)
    }
    package func appendedBytes(of proof: ProofID) async throws -> [UInt8] { try await store.appendedBytes(of: proof) }
    package func discardUpload(of proof: ProofID) async throws { try await store.discardUpload(of: proof) }
    package func addProof(_ proof: Proof) async throws { try await store.addProof(proof) }
    package func proof(_ id: ProofID) async throws -> Proof? { try await store.proof(id) }
    package func proofs(ofOrder order: Int) async throws -> [ProofRecord] { try await store.proofs(ofOrder: order) }
    package func checkPIN(_ pin: String, ofOrder order: Int, by person: PersonID, attempts: Int) async throws -> PINCheck {
        try await store.checkPIN(pin, ofOrder: order, by: person, attempts: attempts)
    }
    package func prune(_ retention: OrderRetention, at now: Timestamp) async throws -> Bool { try await store.prune(retention, at: now) }
}
