import Foundation
import HTTPTypes
import LadingHTTP
import OrderLifecycle

/// A problem document of the API (RFC 9457), as far as pages word it.
struct APIRejection: Decodable, Sendable {
    private let type: String
    /// The reason in English.
    let detail: String?
    /// The courier who has the order.
    let holder: APIOrder.Person?
    /// The time since which the courier has the order (RFC 3339).
    let at: String?
    private let state: String?
    let order: Int?
    /// The maximum size of the content, in bytes.
    let limit: Int?
    /// The path of a faulty field.
    let field: String?
    let rule: APIRule?
    private let `final`: Bool?

    /// Decodes the body of a response; nil for another document.
    init?(_ response: BackendResponse) {
        guard let rejection = try? JSONDecoder().decode(Self.self, from: Data(response.body)) else { return nil }
        self = rejection
    }

    /// The last part of the type, such as `taken`.
    var name: String { type.split(separator: ":").last.map(String.init) ?? "" }

    /// Whether the same request would be refused again.
    var isFinal: Bool { `final` ?? true }

    /// The state of the order; nil if it is not known.
    var orderState: OrderState? { state.flatMap(OrderState.init(rawValue:)) }
}

extension BackendResponse {
    /// Whether the same request would be refused again. Otherwise it may succeed later with its key, or may have succeeded already; so with an
    /// error of a proxy, which has no document of the API.
    var isFinal: Bool { APIRejection(self)?.isFinal ?? (status.kind != .serverError) }
}
