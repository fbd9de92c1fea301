import Foundation
package import OrderLifecycle
package import OrderStorage

/// The registration of people: it makes their ids, links and tokens, of which the store knows only the digests.
package struct PersonRegistry: Sendable {
    /// A one-time link, by which a person signs in.
    package struct SignInLink: Hashable, Sendable {
        package let secret: String
        package let expiry: Timestamp
    }

    /// The token of a person who has signed in.
    package struct Token: Hashable, Sendable {
        package let secret: String
        package let expiry: Timestamp
    }

    /// A name that is empty or long, or has control characters.
    package struct InvalidName: Error, CustomStringConvertible {
        package init() {}

        package var description: String { "A name must have 1 to \(PersonRegistry.nameLimit) characters and no control characters." }
    }

    /// The validity of a link.
    private static let linkLifetime = Duration.seconds(86_400)
    private static let nameLimit = 100

    private let store: any OrderStore
    private let random: RandomText
    private let now: @Sendable () -> Timestamp

    /// - Parameter random: Makes secrets and ids.
    package init(_ store: any OrderStore, random: RandomText = RandomText(), now: @escaping @Sendable () -> Timestamp) {
        self.store = store
        self.random = random
        self.now = now
    }

    /// Adds a person. Spaces around the name are removed, and its accents are composed, so that equal names have equal bytes.
    ///
    /// - Throws: `InvalidName`, `OrderStoreError.nameTaken`.
    package func add(_ name: String, role: Role) async throws -> Person {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines).precomposedStringWithCanonicalMapping
        let hasControl = name.unicodeScalars.contains { $0.properties.generalCategory == .control }
        guard !name.isEmpty, name.unicodeScalars.count <= Self.nameLimit, !hasControl else { throw InvalidName() }
        let person = Person(id: PersonID(rawValue: random.id()), name: name, role: role, creationTime: now())
        try await store.addPerson(person)
        return person
    }

    /// Makes a link in place of the person's earlier one.
    ///
    /// - Throws: `OrderStoreError.personUnknown`.
    package func makeLink(for person: PersonID) async throws -> SignInLink {
        let link = SignInLink(secret: random.secret(), expiry: now() + Self.linkLifetime)
        try await store.addLink(SecretHash(ofSecret: link.secret), of: person, expires: link.expiry)
        return link
    }

    /// Makes a token for a person.
    ///
    /// - Throws: `OrderStoreError.personUnknown`.
    package func makeToken(for person: PersonID) async throws -> Token {
        let token = newToken()
        try await store.addToken(SecretHash(ofSecret: token.secret), of: person, expires: token.expiry)
        return token
    }

    /// Exchanges the secret of a link for a token, once; returns nil if the link is not valid.
    func exchange(_ secret: String) async throws -> (person: Person, token: Token)? {
        let token = newToken()
        let person = try await store.exchangeLink(
            SecretHash(ofSecret: secret), for: SecretHash(ofSecret: token.secret), at: now(), expires: token.expiry)
        return person.map { ($0, token) }
    }

    /// Returns the person of a token, whose validity is extended; nil if it is not valid.
    func person(withToken secret: String) async throws -> Person? {
        let time = now()
        return try await store.person(withToken: SecretHash(ofSecret: secret), at: time, expires: time + OrderRetention.tokenLifetime)
    }

    private func newToken() -> Token { Token(secret: random.secret(), expiry: now() + OrderRetention.tokenLifetime) }
}
