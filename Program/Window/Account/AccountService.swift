package import Foundation
import HTTPTypes
package import LadingHTTP
import Synchronization

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

    /// The limits of a request, for which a page waits.
    private static let limits = ResponseLimits(bodySize: 64 << 10, time: .seconds(3))

    private let client: BackendClient
    private let base: URL
    /// Whether everybody may sign in as one of the demo's people.
    let offersDemoPeople: Bool

    /// Creates a client.
    ///
    /// - Parameter origin: The base URL of the origin.
    package init(_ client: BackendClient, origin: URL, offersDemoPeople: Bool = false) {
        self.client = client.withoutInterceptors().withoutRetries()
        base = origin.appending(path: "api/v1")
        self.offersDemoPeople = offersDemoPeople
    }

    /// Returns the person of a token; nil if the token is not valid.
    func person(withToken token: String) async throws -> Person? {
        let response = try await send(.get, "me", token: token)
        guard response.status != .unauthorized else { return nil }
        return try await decode(response)
    }

    /// Exchanges the secret of a link for a token.
    ///
    /// - Parameter client: The address for which failed attempts are counted; nil if it is unknown.
    func signIn(_ secret: String, for client: String?) async throws -> SignIn {
        let response = try await send(.post, "sign-in", body: ["secret": secret], client: client)
        if response.status == .forbidden || response.status == .badRequest { throw Failure.invalidLink }
        if response.status == .tooManyRequests { throw Failure.tooManyAttempts }
        return try await decode(response)
    }

    func demoPeople() async throws -> [Person] {
        let people: People = try await decode(try await send(.get, "demo-people"))
        return people.people
    }

    func signIn(asDemo id: String) async throws -> SignIn {
        try await decode(try await send(.post, "demo-people/\(id.percentEncodedComponent)/sign-in"))
    }

    func signOut(_ token: String) async throws { _ = try await send(.post, "sign-out", token: token) }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, body: [String: String]? = nil, token: String? = nil, client: String? = nil
    ) async throws -> BackendResponse {
        var headers: HTTPFields = [.accept: "application/json"]
        if let token { headers[.authorization] = "Bearer \(token)" }
        if let client { headers[.xForwardedFor] = client }
        if body != nil { headers[.contentType] = "application/json" }
        let content = try body.map { RequestBody.bytes(try JSONEncoder().encode($0)) } ?? .bytes([])
        let message = RequestMessage(method: method, url: base.appending(path: path), headers: headers, body: content)
        return try await self.client.response(to: message, within: Self.limits)
    }

    private func decode<Value: Decodable>(_ response: BackendResponse) async throws -> Value {
        guard response.status.kind == .successful else {
            throw BackendError.status(response.status.code, response.url, headers: response.headers)
        }
        return try JSONDecoder().decode(Value.self, from: Data(response.body))
    }
}

extension HTTPField.Name {
    fileprivate static let xForwardedFor = Self("X-Forwarded-For")!
}
