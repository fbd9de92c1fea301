import HTTPTypes
import Hummingbird
import OrderLifecycle
import OrderStorage

extension OrderAPI {
    /// Returns the person of the request's token.
    ///
    /// A request that was made by another person, and says so in `Lading-Person`, waits until that person signs in.
    ///
    /// - Throws: `APIProblem.unauthorized` or `.otherPerson`.
    func person(of request: Request) async throws -> Person {
        guard let token = Self.token(in: request.headers) else { throw APIProblem.unauthorized }
        guard let person = try await people.person(withToken: token) else { throw APIProblem.unauthorized }
        if let author = request.headers[.person], author != person.id.rawValue { throw APIProblem.otherPerson }
        return person
    }

    /// Returns the dispatcher of the request's token.
    ///
    /// - Throws: `APIProblem.unauthorized`, or a problem for a courier.
    func dispatcher(of request: Request) async throws -> Person {
        let person = try await person(of: request)
        guard person.role == .dispatcher else { throw APIProblem.rejection(.wrongRole(required: .dispatcher)) }
        return person
    }

    /// Returns the courier of the request's token.
    ///
    /// - Throws: `APIProblem.unauthorized`, or a problem for a dispatcher.
    func courier(of request: Request) async throws -> Person {
        let person = try await person(of: request)
        guard person.role == .courier else { throw APIProblem.rejection(.wrongRole(required: .courier)) }
        return person
    }

    /// Reads the body of a request, and returns it with the sender, who is authenticated before and after: a body may arrive slowly.
    ///
    /// - Parameter sender: Authenticates the sender: `person(of:)`, `dispatcher(of:)` or `courier(of:)`.
    func receive<Body>(
        _ request: Request, from sender: (Request) async throws -> Person, _ read: (Request) async throws -> Body
    ) async throws -> (Person, Body) {
        _ = try await sender(request)
        let body = try await read(request)
        return (try await sender(request), body)
    }

    /// Returns the token in `Authorization: Bearer TOKEN` (RFC 6750 §2.1).
    static func token(in headers: HTTPFields) -> String? {
        let parts = headers[.authorization]?.split(separator: " ") ?? []
        guard parts.count == 2, parts[0].lowercased() == "bearer", parts[1].utf8.count <= 256 else { return nil }
        return String(parts[1])
    }
}

extension HTTPField.Name {
    /// The id of the person who has made a request, which may be sent later.
    fileprivate static let person = Self("Lading-Person")!
}
