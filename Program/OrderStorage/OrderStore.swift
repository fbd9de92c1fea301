package import OrderLifecycle

/// A store that several programs use, which gives them hints of changes.
package protocol SharedOrderStore: OrderStore {
    /// Calls a closure after changes of other programs, until its task is cancelled.
    ///
    /// Calls are hints: one may stand for many changes, and some changes have none.
    func followHints(receive: @escaping @Sendable () -> Void) async
}

/// A store of orders with their events, and of the people, verdicts and proofs that belong to them.
///
/// Each method is one transaction. A value is returned after its transaction is durable, so nothing that a caller has seen is lost in a power failure.
/// Conformances are checked by `OrderStoreConformance`.
package protocol OrderStore: Sendable {
    // MARK: Commands

    /// Decides a command, or returns the verdict that its key already has.
    ///
    /// - Throws: `OrderStoreError.keyReused`.
    func perform(_ command: OrderStoreCommand, at now: Timestamp) async throws -> CommandResult

    /// Returns the verdict of a person's key; nil if there is none.
    func verdict(forKey key: String, of person: PersonID) async throws -> StoredVerdict?

    /// Ends leases that are over, and returns the number of orders that are open again.
    func expireLeases(at now: Timestamp, limit: Int) async throws -> Int

    // MARK: Reading

    /// The current end of the change feed.
    func position() async throws -> ChangePosition

    func order(_ id: Int) async throws -> OrderRecord?

    func orders(_ query: BoardQuery) async throws -> OrderPage

    /// Returns the number of orders in each state, and of those that need attention.
    func counts(at now: Timestamp) async throws -> OrderCounts

    /// Returns the ids of all open orders, or those of the demo, in ascending order.
    func openOrderIDs(demoOnly: Bool) async throws -> [Int]

    func history(of order: Int) async throws -> OrderHistory?

    /// Returns changes after a position, in the order of their commits.
    ///
    /// - Throws: `OrderStoreError.positionExpired`.
    func changes(after position: ChangePosition, limit: Int) async throws -> ChangePage

    // MARK: People

    /// Stores a person.
    ///
    /// - Throws: `OrderStoreError.nameTaken`.
    func addPerson(_ person: Person) async throws

    /// Returns all people in the order of their creation, the revoked ones included.
    func people() async throws -> [Person]

    func person(_ id: PersonID) async throws -> Person?

    /// Returns the known ones of some people.
    func people(_ ids: Set<PersonID>) async throws -> [PersonID: Person]

    /// Refuses the tokens and links of a person from now on. The person's orders stay.
    ///
    /// - Throws: `OrderStoreError.personUnknown`.
    func revoke(_ person: PersonID, at now: Timestamp) async throws

    /// Revokes a person, and erases the name and the positions. Events stay.
    ///
    /// - Throws: `OrderStoreError.personUnknown`.
    func erase(_ person: PersonID, at now: Timestamp) async throws

    /// Stores a one-time link of a person, in place of earlier ones.
    ///
    /// - Throws: `OrderStoreError.personUnknown`, also for a revoked person.
    func addLink(_ secret: SecretHash, of person: PersonID, expires: Timestamp) async throws

    /// Exchanges a link for a token, once.
    ///
    /// - Returns: The person; nil if the link is unknown, used, expired or revoked.
    func exchangeLink(_ secret: SecretHash, for token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person?

    /// Stores a token of a person.
    ///
    /// - Throws: `OrderStoreError.personUnknown`, also for a revoked person.
    func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp) async throws

    /// Returns the person of a token, and extends the token's validity.
    ///
    /// - Parameter expires: The new end, which is stored if it is more than an hour later than the old one.
    /// - Returns: Nil if the token is unknown, expired or revoked.
    func person(withToken token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person?

    /// Returns the tokens of some that are neither expired nor removed nor revoked, without extending them.
    func validTokens(_ tokens: Set<SecretHash>, at now: Timestamp) async throws -> Set<SecretHash>

    func removeToken(_ token: SecretHash) async throws

    /// Stores the positions of a courier who holds an order, the first of each second, and renews the leases.
    ///
    /// - Throws: `OrderStoreError.holdsNoOrder`.
    func addPositions(_ positions: [CourierPosition], of person: PersonID, at now: Timestamp) async throws

    /// Returns the last position of each courier, with the time in whole seconds.
    func lastPositions() async throws -> [PersonID: CourierPosition]

    // MARK: Proofs

    /// Returns the stored part of a proof.
    func upload(of proof: ProofID) async throws -> ProofUpload

    /// Appends bytes to a proof that is not complete.
    ///
    /// - Throws: `OrderStoreError.offsetMismatch`, `.tooManyIncompleteProofs`.
    func append(_ bytes: [UInt8], at offset: Int, to proof: ProofID, at now: Timestamp) async throws

    /// Returns the appended bytes of a proof that is not complete.
    func appendedBytes(of proof: ProofID) async throws -> [UInt8]

    func discardUpload(of proof: ProofID) async throws

    /// Stores a complete proof in place of its parts. Storing it again changes nothing.
    ///
    /// - Throws: `OrderStoreError.tooManyProofs`.
    func addProof(_ proof: Proof) async throws

    func proof(_ id: ProofID) async throws -> Proof?

    /// Returns the proofs of an order.
    func proofs(ofOrder order: Int) async throws -> [ProofRecord]

    /// Compares a PIN of the holder with that of an order and counts a wrong one, in one transaction, so that guesses cannot run beside each other.
    ///
    /// - Parameter attempts: The number of wrong PINs after which none is accepted.
    func checkPIN(_ pin: String, ofOrder order: Int, by person: PersonID, attempts: Int) async throws -> PINCheck

    // MARK: Maintenance

    /// Deletes what is no longer kept, for at most a day more than the last time.
    ///
    /// - Returns: Whether all of it was deleted; otherwise further calls delete the rest.
    func prune(_ retention: OrderRetention, at now: Timestamp) async throws -> Bool
}
