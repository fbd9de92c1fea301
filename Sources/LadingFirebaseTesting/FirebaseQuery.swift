import LadingFirebase
import LadingHTTP

/// A query that selects children of a node with the semantics of the Realtime Database.
struct FirebaseQuery {
    private let order: String
    private let bounds: [(name: String, value: JSONValue)]
    private let limit: (name: String, count: Int)?

    private static let boundNames = ["startAt", "startAfter", "endAt", "endBefore", "equalTo"]
    private static let limitNames = ["limitToFirst", "limitToLast"]

    /// Parses a query; nil when the parameters select everything.
    ///
    /// - Throws: `InvalidQuery` with the reason when the parameters are invalid.
    init?(_ query: [String: String]) throws(InvalidQuery) {
        let names = (Self.boundNames + Self.limitNames).filter { query[$0] != nil }
        guard let orderBy = query["orderBy"] else {
            if names.isEmpty { return nil }
            throw InvalidQuery(reason: "orderBy must be defined when other query parameters are defined")
        }
        guard query["shallow"] == nil else { throw InvalidQuery(reason: "Mixing 'shallow' and querying parameters is not supported") }
        guard let order = (try? JSONValue(json: orderBy.utf8))?.string else {
            throw InvalidQuery(reason: "orderBy must be a valid JSON encoded path")
        }
        self.order = order
        var bounds: [(String, JSONValue)] = []
        for name in Self.boundNames {
            guard let text = query[name] else { continue }
            guard let value = try? JSONValue(json: text.utf8) else {
                throw InvalidQuery(reason: "Constraint index field must be a JSON primitive")
            }
            bounds.append((name, value))
        }
        self.bounds = bounds
        let limits = Self.limitNames.filter { query[$0] != nil }
        guard limits.count < 2 else { throw InvalidQuery(reason: "limitToFirst and limitToLast cannot be used together") }
        if let name = limits.first {
            guard let count = query[name].flatMap({ Int($0) }), count > 0 else {
                throw InvalidQuery(reason: "\(name) must be a positive integer")
            }
            limit = (name, count)
        } else {
            limit = nil
        }
    }

    struct InvalidQuery: Error { let reason: String }

    /// Returns the selected children of a value.
    ///
    /// - Parameter priority: Returns the priority of a child; null when it has none.
    func applied(to value: JSONValue, priority: (_ key: String) -> JSONValue) -> JSONValue {
        let members = value.members
        guard !members.isEmpty else { return value }
        var rows = members.map { (key: $0, rank: rank(of: $1, under: $0, priority)) }.filter { isWithin($0.rank) }
        rows.sort { ($0.rank, Rank(key: $0.key)) < ($1.rank, Rank(key: $1.key)) }
        switch limit {
        case ("limitToFirst", let count)?: rows = Array(rows.prefix(count))
        case (_, let count)?: rows = Array(rows.suffix(count))
        case nil: break
        }
        let selectedKeys = Set(rows.map(\.key))
        return JSONValue.object(members.filter { selectedKeys.contains($0.key) }).rendered
    }

    private func rank(of value: JSONValue, under key: String, _ priority: (_ key: String) -> JSONValue) -> Rank {
        switch order {
        case "$key": Rank(key: key)
        case "$value": Rank(value)
        case "$priority": Rank(priority(key))
        default: Rank(value.value(at: DatabasePath.keys(of: order)))
        }
    }

    private func isWithin(_ rank: Rank) -> Bool {
        bounds.allSatisfy { name, value in
            let bound = order == "$key" ? Rank(key: value.string ?? "") : Rank(value)
            return switch name {
            case "startAt": rank >= bound
            case "startAfter": rank > bound
            case "endAt": rank <= bound
            case "endBefore": rank < bound
            default: rank == bound
            }
        }
    }

    /// A position in the order null, false, true, numbers, strings, objects. Numeric keys precede other keys.
    private enum Rank: Comparable {
        case null, no, yes
        case number(Double)
        case text(String)
        case object

        init(_ value: JSONValue) {
            self =
                switch value {
                case .null: .null
                case .bool(let flag): flag ? .yes : .no
                case .integer(let number): .number(Double(number))
                case .number(let number): .number(number)
                case .string(let text): .text(text)
                case .array, .object: .object
                }
        }

        init(key: String) {
            self = Int32(key).map { .number(Double($0)) } ?? .text(key)
        }
    }
}
