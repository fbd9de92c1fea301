import OrderLifecycle
import OrderStorage

/// The people of the demo, as whom everybody at this machine may sign in.
struct DemoPeople {
    private static let people: [(name: String, role: Role)] = [
        ("Mina (demo)", .courier), ("Jonas (demo)", .courier), ("Ada (demo)", .dispatcher),
    ]

    private let store: any OrderStore
    private let random: RandomText
    private let now: @Sendable () -> Timestamp

    init(_ store: any OrderStore, random: RandomText, now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.random = random
        self.now = now
    }

    /// Returns the people, and stores those that are missing.
    func all() async throws -> [Person] {
        var stored = try await store.people().filter { $0.revocationTime == nil }
        for demo in Self.people where !stored.contains(where: { $0.name == demo.name }) {
            let person = Person(id: PersonID(rawValue: random.id()), name: demo.name, role: demo.role, creationTime: now())
            // Another request may have stored the person in between.
            do { try await store.addPerson(person) } catch OrderStoreError.nameTaken {}
            stored = try await store.people().filter { $0.revocationTime == nil }
        }
        return Self.people.compactMap { demo in stored.first { $0.name == demo.name } }
    }
}
