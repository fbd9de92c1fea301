/// Which children of a place are wanted: in which order, from where to where, and how many.
///
/// ```swift
/// let cheapest = DatabaseQuery(by: .child("price")).starting(at: 1).first(20)
/// ```
///
/// The server sorts to choose; the object that it answers has no order.
public struct DatabaseQuery: Hashable, Sendable {
    /// What children are ordered by.
    public enum Order: Hashable, Sendable {
        case key
        case value
        case priority
        /// What lies at a path below each child, such as `address/city`.
        case child(String)

        fileprivate var text: String {
            switch self {
            case .key: "$key"
            case .value: "$value"
            case .priority: "$priority"
            case .child(let path): path
            }
        }
    }

    private var order: Order
    private var bounds: [Bound: JSONValue] = [:]
    private var limits: [Limit: Int] = [:]

    private enum Bound: String, Hashable, CaseIterable { case startAt, startAfter, endAt, endBefore, equalTo }
    private enum Limit: String, Hashable, CaseIterable { case limitToFirst, limitToLast }

    public init(by order: Order) {
        self.order = order
    }

    /// Children from this value on.
    public func starting(at value: JSONValue) -> DatabaseQuery { with(.startAt, value) }

    /// Children behind this value.
    public func starting(after value: JSONValue) -> DatabaseQuery { with(.startAfter, value) }

    /// Children up to this value.
    public func ending(at value: JSONValue) -> DatabaseQuery { with(.endAt, value) }

    /// Children in front of this value.
    public func ending(before value: JSONValue) -> DatabaseQuery { with(.endBefore, value) }

    /// Children with exactly this value.
    public func equal(to value: JSONValue) -> DatabaseQuery { with(.equalTo, value) }

    /// No more than this many, from the beginning.
    public func first(_ count: Int) -> DatabaseQuery { with(.limitToFirst, count) }

    /// No more than this many, from the end.
    public func last(_ count: Int) -> DatabaseQuery { with(.limitToLast, count) }

    private func with(_ bound: Bound, _ value: JSONValue) -> DatabaseQuery {
        var query = self
        query.bounds[bound] = value
        return query
    }

    private func with(_ limit: Limit, _ count: Int) -> DatabaseQuery {
        var query = self
        query.limits[limit] = count
        return query
    }

    // MARK: On the wire

    /// As parameters of a URL; values are JSON, texts with their quotes.
    func parameters() throws(RealtimeDatabase.Failure) -> URLQuery {
        if let validationMessage { throw .invalidQuery(validationMessage) }
        if case .child(let path) = order, try DatabasePath(path).keys.isEmpty { throw .invalidKey(path) }
        var query: URLQuery = ["orderBy": .init(JSONValue.string(order.text).text)]
        for bound in Bound.allCases { if let value = bounds[bound] { query.append(bound.rawValue, .init(value.text)) } }
        for limit in Limit.allCases { if let count = limits[limit] { query.append(limit.rawValue, .init(count)) } }
        return query
    }

    private var validationMessage: String? {
        let isScalar = bounds.values.allSatisfy { value in
            switch value {
            case .array, .object: false
            default: order != .key || value.string != nil
            }
        }
        return if bounds[.equalTo] != nil, bounds.count > 1 {
            "equal to one value leaves no room for other bounds"
        } else if bounds[.startAt] != nil && bounds[.startAfter] != nil || bounds[.endAt] != nil && bounds[.endBefore] != nil {
            "it begins once and ends once"
        } else if limits.count > 1 {
            "it is the first or the last that are wanted"
        } else if !limits.values.allSatisfy({ $0 > 0 }) {
            "at least one must be wanted"
        } else if !isScalar {
            order == .key ? "keys are texts" : "a bound is a text, a number, true, false or null"
        } else {
            nil
        }
    }
}
