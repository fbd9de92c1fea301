package import Foundation
import OrderAPI
import OrderLifecycle
import OrderStorage
import ServerStartup

/// The couriers and dispatchers of an origin, managed in its data directory, also while it runs.
package struct OriginPeople {
    /// A person, as the command line shows it.
    package struct Listing: Hashable, Sendable {
        package let id: String
        /// Nil when it has been erased.
        package let name: String?
        package let isDispatcher: Bool
        package let isRevoked: Bool
    }

    /// The errors of a command to a person.
    package enum Failure: Error, Hashable {
        case nameTaken(String)
        case invalidName
        case unknown(String)
        /// Several people, present and former ones, have the name.
        case ambiguous(String, count: Int)
    }

    private let database: OpenedOrderStore
    private var store: any OrderImportStore { database.store }
    private let registry: PersonRegistry
    private let now: @Sendable () -> Date

    /// Opens the database.
    ///
    /// - Parameter createsDatabase: Whether a missing database in a directory is created; otherwise it is an error.
    package init(
        in location: StoreLocation, createsDatabase: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) async throws(OriginError) {
        database = try await OpenedOrderStore(in: location, createsDatabase: createsDatabase)
        registry = PersonRegistry(database.store) { Timestamp(now()) }
        self.now = now
    }

    package func close() async throws { try await database.close() }

    /// Adds a person, and returns the secret of a one-time link that is valid for a day.
    package func add(_ name: String, isDispatcher: Bool) async throws -> String {
        do {
            let person = try await registry.add(name, role: isDispatcher ? .dispatcher : .courier)
            return try await registry.makeLink(for: person.id).secret
        } catch OrderStoreError.nameTaken {
            throw Failure.nameTaken(name)
        } catch is PersonRegistry.InvalidName {
            throw Failure.invalidName
        }
    }

    package func list() async throws -> [Listing] { try await store.people().map(Listing.init) }

    /// Returns the secret of a new link, in place of an earlier one.
    package func link(_ person: String) async throws -> String { try await registry.makeLink(for: id(of: person)).secret }

    /// Refuses the tokens of a person from now on.
    package func revoke(_ person: String) async throws { try await store.revoke(id(of: person), at: Timestamp(now())) }

    /// Revokes a person and erases the name, and returns the person as before. Events stay.
    ///
    /// - Parameter person: The id, or the name, which may be that of a former person too.
    /// - Throws: `Failure.ambiguous` for a name of several people, of whom nobody is erased.
    package func erase(_ person: String) async throws -> Listing {
        let found = try await people(named: person, among: store.people())
        guard found.count == 1 else { throw Failure.ambiguous(person, count: found.count) }
        try await store.erase(found[0].id, at: Timestamp(now()))
        return Listing(found[0])
    }

    /// Returns the id of the person who is not revoked and has a name or an id.
    private func id(of text: String) async throws -> PersonID {
        try await people(named: text, among: store.people().filter { $0.revocationTime == nil })[0].id
    }

    /// Returns the person with an id, or all people with a name.
    ///
    /// - Throws: `Failure.unknown` if there is none.
    private func people(named text: String, among people: [Person]) throws -> [Person] {
        if let person = people.first(where: { $0.id.rawValue == text }) { return [person] }
        let named = people.filter { $0.name == text }
        guard !named.isEmpty else { throw Failure.unknown(text) }
        // People of an earlier version may have names that differ only in the encoding of an accent.
        let exact = named.filter { $0.name.map { $0.utf8.elementsEqual(text.utf8) } ?? false }
        return exact.isEmpty ? named : exact
    }
}

// MARK: - Simulated people

extension OriginPeople {
    /// A simulated person, who is signed in.
    package struct SimulatedPerson: Hashable, Sendable {
        package let id: String
        package let isDispatcher: Bool
        package let token: String
    }

    /// Adds simulated people with names that nobody has.
    package func addSimulated(_ couriers: [String], dispatchers: [String]) async throws -> [SimulatedPerson] {
        let run = RandomText().id().prefix(6)
        var people: [SimulatedPerson] = []
        for (name, role) in couriers.map({ ($0, Role.courier) }) + dispatchers.map({ ($0, .dispatcher) }) {
            let person = try await registry.add("\(name) (simulation \(run))", role: role)
            let token = try await registry.makeToken(for: person.id)
            people.append(SimulatedPerson(id: person.id.rawValue, isDispatcher: role == .dispatcher, token: token.secret))
        }
        return people
    }

    package func revokeSimulated(_ people: [SimulatedPerson]) async throws {
        for person in people { try await store.revoke(PersonID(rawValue: person.id), at: Timestamp(now())) }
    }
}

extension OriginPeople.Listing {
    fileprivate init(_ person: Person) {
        self.init(
            id: person.id.rawValue, name: person.name, isDispatcher: person.role == .dispatcher, isRevoked: person.revocationTime != nil)
    }
}

extension OriginPeople.Failure: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .nameTaken(let name): "\(name) is the name of somebody else: choose another, or make a new link with lading people link."
        case .invalidName: PersonRegistry.InvalidName().description
        case .unknown(let person) where person.contains("://") || person.contains("/sign-in#"):
            // It may be a link with a secret.
            "A link is no name: give the name or id that lading people list shows."
        case .unknown(let person): "Nobody has the name or id \(person): lading people list shows all."
        case .ambiguous(let name, let count): "\(count) people are called \(name): name one by the id that lading people list shows."
        }
    }
}
