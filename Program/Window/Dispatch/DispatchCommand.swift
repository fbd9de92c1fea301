/// The commands of a dispatcher to an order, named as in the paths of the page and of the API.
enum DispatchCommand: String, CaseIterable {
    case cancel, reassign, correct, accept

    /// Returns the body of the API's command.
    func body(_ form: FormFields) -> [String: JSONValue] {
        switch self {
        case .cancel: return [:]
        case .reassign: return ["courier": .text(form["courier"] ?? "")]
        case .correct:
            var body: [String: JSONValue] = ["state": .text(form["state"] ?? "")]
            if let courier = form["courier"], !courier.isEmpty { body["courier"] = .text(courier) }
            return body
        case .accept: return ["report": .integer(form["report"].flatMap { Int($0) } ?? 0)]
        }
    }
}
