import Foundation
import OrderAPI
import OrderLifecycle
import OrderStorage

/// The people of a simulated city, who stay the same from one start to the next.
package struct SimulatedPeople {
    private let store: any OrderStore
    private let registry: PersonRegistry

    init(_ store: any OrderStore, now: @escaping @Sendable () -> Date) {
        self.store = store
        registry = PersonRegistry(store) { Timestamp(now()) }
    }

    /// Adds those who do not exist yet, and returns the tokens of all by name.
    package func signIn(couriers: [String], dispatcher: String) async throws -> [String: String] {
        let stored = try await store.people().filter { $0.revocationTime == nil }
        var tokens: [String: String] = [:]
        for (name, role) in couriers.map({ ($0, Role.courier) }) + [(dispatcher, .dispatcher)] {
            let person = if let known = stored.first(where: { $0.name == name }) { known } else { try await registry.add(name, role: role) }
            tokens[name] = try await registry.makeToken(for: person.id).secret
        }
        return tokens
    }

    /// Ends the validity of tokens.
    package func signOut(_ tokens: some Collection<String>) async throws {
        for token in tokens { try await store.removeToken(SecretHash(ofSecret: token)) }
    }
}
