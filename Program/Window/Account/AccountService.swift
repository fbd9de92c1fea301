package import Foundation
import HTTPTypes
package import LadingHTTP

/// The client of an origin's API for signing in and out.
package struct AccountService: Sendable {
    /// A person, as the API describes it.
    struct Person: Decodable, Hashable, Sendable {
        let id: String
        let name: String?
        let role: String

        var isDispatcher: Bool { role == "dispatcher" }
    }

    /// A new token, with the person it belongs to.
    struct SignIn: Decodable, Sendable {
        let token: String
        let person: Person
    }

    /// The reasons why somebody was not signed in.
    enum Failure: Error {
        /// The link was used, has expired, or never existed.
        case invalidLink
        case tooManyAttempts
    }

    private struct People: Decodable, Sendable {
        let people: [Person]
    }

    let api: APIClient
    /// Whether everybody at this machine may sign in as one of the demo's people.
    let offersDemoPeople: Bool

    /// Creates a client.
    ///
    /// - Parameters:
    ///   - origin: The base URL of the origin.
    ///   - streams: The client of event streams, whose connections may be many and silent for long.
    package init(_ client: BackendClient, streams: BackendClient, origin: URL, offersDemoPeople: Bool = false) {
        api = APIClient(client, streams: streams, origin: origin)
        self.offersDemoPeople = offersDemoPeople
    }

    /// Returns the person of a token; nil if the token is not valid.
    func person(withToken token: String) async throws -> Person? {
        let response = try await api.send(.get, "me", token: token)
        guard response.status != .unauthorized else { return nil }
        return try api.decode(response)
    }

    /// Exchanges the secret of a link for a token.
    ///
    /// - Parameter client: The address for which failed attempts are counted; nil if it is unknown.
    func signIn(_ secret: String, for client: String?) async throws -> SignIn {
        let response = try await api.send(
            .post, "sign-in", fields: client.map { [.xForwardedFor: $0] } ?? [:], json: ["secret": secret], containsSecrets: true)
        if response.status == .forbidden || response.status == .badRequest { throw Failure.invalidLink }
        if response.status == .tooManyRequests { throw Failure.tooManyAttempts }
        return try api.decode(response)
    }

    func demoPeople() async throws -> [Person] {
        let people: People = try api.decode(try await api.send(.get, "demo-people"))
        return people.people
    }

    func signIn(asDemo id: String) async throws -> SignIn {
        try api.decode(try await api.send(.post, "demo-people/\(id.percentEncodedComponent)/sign-in", containsSecrets: true))
    }

    func signOut(_ token: String) async throws { _ = try await api.send(.post, "sign-out", token: token) }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
