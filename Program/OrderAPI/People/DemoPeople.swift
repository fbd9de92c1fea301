import OrderLifecycle
import OrderStorage

/// The people of the demo, as whom everybody at this machine may sign in.
struct DemoPeople {
    private static let people: [(name: String, role: Role)] = [
        ("Mina (demo)", .courier), ("Jonas (demo)", .courier), ("Ada (demo)", .dispatcher),
    ]

    private let store: any OrderStore
    private let registry: PersonRegistry

    init(_ store: any OrderStore, _ registry: PersonRegistry) {
        self.store = store
        self.registry = registry
    }

    /// Returns the people, and stores those that are missing.
    func all() async throws -> [Person] {
        var stored = try await store.people().filter { $0.revocationTime == nil }
        for demo in Self.people where !stored.contains(where: { $0.name == demo.name }) {
            // Another request may have stored the person in between.
            do { _ = try await registry.add(demo.name, role: demo.role) } catch OrderStoreError.nameTaken {}
            stored = try await store.people().filter { $0.revocationTime == nil }
        }
        return Self.people.compactMap { demo in stored.first { $0.name == demo.name } }
    }
}
