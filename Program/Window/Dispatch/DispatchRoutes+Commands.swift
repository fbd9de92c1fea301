import Foundation
import HTTPFieldValues
import HTTPTypes
import Hummingbird
import LadingHTTP

// The commands of forms to the API.
extension DispatchRoutes {
    /// Carries out a command: redirects to the page of its order, or returns that page with the reason for which the command was refused.
    func perform(_ command: DispatchCommand, on id: Int, _ form: FormFields, for visit: Visit) async throws -> Response {
        let response = try await send(.post, "orders/\(id)/\(command.rawValue)", command.body(form), form, for: visit)
        if response.status.kind == .successful { return .redirect(to: "\(DispatchQuery.path)/orders/\(id)", type: .normal) }
        return try orderPage(try await visit.service.orderAtPosition(id), for: visit, rejection: response)
    }

    /// Sends a command with the key of its form.
    ///
    /// - Parameters:
    ///   - path: The path below the API.
    ///   - version: The version of the order that the form is based on; nil if the command does not depend on it.
    /// - Throws: `NotDelivered` if the response is not final.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: [String: JSONValue], _ form: FormFields, for visit: Visit,
        version: String? = nil
    ) async throws -> BackendResponse {
        var fields: HTTPFields = [.contentType: "application/json", .idempotencyKey: form["key"] ?? ""]
        if let version { fields[.ifMatch] = "\"\(version)\"" }
        let response = try await account.api.forward(
            method, path, token: visit.service.orders.token, fields: fields, body: .bytes(try JSONEncoder().encode(body)),
            containsSecrets: body["pin"] != nil)
        guard response.isFinal else { throw NotDelivered(status: response.status, reason: visit.contexts.reason(of: response)) }
        return response
    }
}
