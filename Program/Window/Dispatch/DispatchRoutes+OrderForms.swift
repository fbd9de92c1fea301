import Foundation
import HTTPTypes
import Hummingbird
import LadingHTTP

// The forms to create and edit orders. What was entered is never lost: it is shown again with the reason for which it was not saved.
extension DispatchRoutes {
    private static let newPath = "\(DispatchQuery.path)/orders/new"

    func newForm(for visit: Visit) -> Response { formPage(DispatchForm(FormFields("")), of: nil, version: nil, for: visit) }

    func editForm(_ id: Int, for visit: Visit) async throws -> Response {
        guard let order = try await visit.service.orders.order(id) else { throw PageError.noSuchOrder }
        return formPage(DispatchForm(order, timeZone: repository.timeZone), of: order, version: order.version, for: visit)
    }

    func create(_ form: FormFields, for visit: Visit) async throws -> Response {
        let entries = DispatchForm(form)
        let response = try await send(.post, "orders", entries.body(isNew: true, timeZone: repository.timeZone), form, for: visit)
        guard response.status.kind == .successful, let id = CommandResponse(response)?.order else {
            return formPage(
                entries, of: nil, version: nil, for: visit, problem: visit.contexts.entryProblem(response), status: response.status)
        }
        return .redirect(to: "\(DispatchQuery.path)/orders/\(id)", type: .normal)
    }

    func edit(_ id: Int, _ form: FormFields, for visit: Visit) async throws -> Response {
        let entries = DispatchForm(form)
        let body = entries.body(isNew: false, timeZone: repository.timeZone)
        let response = try await send(.put, "orders/\(id)", body, form, for: visit, version: form["version"])
        if response.status.kind == .successful { return .redirect(to: "\(DispatchQuery.path)/orders/\(id)", type: .normal) }
        guard let order = try await visit.service.orders.order(id) else { throw PageError.noSuchOrder }
        let isChanged = response.status == .preconditionFailed
        return formPage(
            entries, of: order, version: isChanged ? order.version : form["version"], for: visit,
            problem: isChanged ? visit.texts.editConflict : visit.contexts.entryProblem(response),
            stored: isChanged ? DispatchForm(order, timeZone: repository.timeZone) : nil, status: response.status)
    }

    /// Returns the page with the form.
    ///
    /// - Parameters:
    ///   - order: The order as it is stored; nil for a new one.
    ///   - version: The version that the entries are based on.
    ///   - problem: The reason for which the entries were not saved; nil if they were not sent yet.
    ///   - stored: The stored content, if somebody else has changed it; nil otherwise.
    private func formPage(
        _ entries: DispatchForm, of order: APIOrder?, version: String?, for visit: Visit, problem: String? = nil,
        stored: DispatchForm? = nil, status: HTTPResponse.Status = .ok
    ) -> Response {
        let texts = visit.texts
        let orderURL = order.map { "\(DispatchQuery.path)/orders/\($0.id)" }
        let context = TemplateContext.DispatchFormPage(
            title: order == nil ? texts.newOrder : texts.edit, backURL: orderURL ?? DispatchQuery.path,
            action: orderURL.map { "\($0)/edit" } ?? Self.newPath,
            formToken: visit.contexts.formToken, key: makeKey(), version: version, problem: problem,
            fields: entries.fields(texts, timeZone: repository.timeZone, isNew: order == nil, stored: stored),
            map: visit.contexts.placeMap(of: entries),
            texts: texts)
        return page(.dispatchForm, context, title: context.title, for: visit, status: status)
    }
}

/// The response of the API to a new order.
private struct CommandResponse: Decodable {
    let order: Int?

    init?(_ response: BackendResponse) {
        guard let decoded = try? JSONDecoder().decode(Self.self, from: Data(response.body)) else { return nil }
        self = decoded
    }
}
