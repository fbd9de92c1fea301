import OrderLifecycle

/// The orders, the sort and the place of a dispatcher's table, as in the address of its page.
struct DispatchQuery: Hashable, Sendable {
    static let path = "/dispatch"

    /// The orders among which is searched.
    enum Scope: Hashable, Sendable {
        case attention
        case all
        case state(OrderState)

        init?(_ text: String) {
            switch text {
            case "attention": self = .attention
            case "all": self = .all
            default:
                guard let state = OrderState(rawValue: text) else { return nil }
                self = .state(state)
            }
        }

        var text: String {
            switch self {
            case .attention: "attention"
            case .all: "all"
            case .state(let state): state.rawValue
            }
        }

        static var allCases: [Scope] { [.attention, .all] + OrderState.allCases.map(Scope.state) }
    }

    enum Sort: String, CaseIterable, Sendable { case newest, due, price }

    var scope = Scope.attention
    var text = ""
    var sort = Sort.due
    /// The cursor of the previous page; nil for the first page.
    var cursor: String?

    /// Creates a query; values that are not known are ignored.
    init(_ query: String?) {
        let fields = FormFields(query ?? "")
        if let scope = fields["show"].flatMap(Scope.init) { self.scope = scope }
        if let sort = fields["sort"].flatMap(Sort.init) { self.sort = sort }
        text = RequestedQuery.significantPart(of: fields["search"] ?? "")
        cursor = fields["after"].flatMap { $0.isEmpty ? nil : $0 }
    }

    /// The query with other orders, on its first page.
    func scoped(to scope: Scope) -> DispatchQuery {
        var query = self
        (query.scope, query.cursor) = (scope, nil)
        return query
    }

    /// The query of another page; the first one without a cursor.
    func page(after cursor: String?) -> DispatchQuery {
        var query = self
        query.cursor = cursor
        return query
    }

    /// The address of the page.
    var url: String { "\(Self.path)?\(parameters)" }

    /// The parameters of the address.
    var parameters: String {
        let fields = [("show", scope.text), ("search", text), ("sort", sort.rawValue), ("after", cursor ?? "")]
        return fields.filter { !$0.1.isEmpty }.map { "\($0.0)=\($0.1.percentEncodedComponent)" }.joined(separator: "&")
    }

    /// The parameters of the API.
    var apiParameters: [String: String] {
        var parameters = ["sort": sort.rawValue]
        switch scope {
        case .attention, .all: parameters["scope"] = scope.text
        case .state: parameters["state"] = scope.text
        }
        parameters["text"] = text.isEmpty ? nil : text
        parameters["after"] = cursor
        return parameters
    }
}
