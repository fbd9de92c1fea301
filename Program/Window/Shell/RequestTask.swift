import Hummingbird

/// Responds to each request in a task of its own.
///
/// A task retains the memory of its deepest call until it ends, and that of a connection ends with the connection. Without this, the calls between the
/// server and the route took an eighth of the memory of an idle page.
struct RequestTask<Responder: HTTPResponder>: HTTPResponder where Responder.Context: Sendable {
    let responder: Responder

    func respond(to request: Request, context: Responder.Context) async throws -> Response {
        async let response = responder.respond(to: request, context: context)
        return try await response
    }
}
