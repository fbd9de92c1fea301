public import LadingHTTP

/// A selection of the children of a location: their order, their range, and their maximum number.
///
/// ```swift
/// let cheapest = DatabaseQuery(by: .child("price")).starting(at: 1).first(20)
/// ```
///
/// The server sorts in order to select; the object in its response is unordered.
public struct DatabaseQuery: Hashable, Sendable {
    /// The sort key of the children.
    public enum Order: Hashable, Sendable {
        case key
        case value
        /// The priority that a write sets with the member `.priority`.
        case priority
        /// The value at a path below each child, such as `address/city`.
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

    /// Returns the query for children at or after this value.
    public func starting(at value: JSONValue) -> DatabaseQuery { with(.startAt, value) }

    /// Returns the query for children after this value.
    public func starting(after value: JSONValue) -> DatabaseQuery { with(.startAfter, value) }

    /// Returns the query for children at or before this value.
    public func ending(at value: JSONValue) -> DatabaseQuery { with(.endAt, value) }

    /// Returns the query for children before this value.
    public func ending(before value: JSONValue) -> DatabaseQuery { with(.endBefore, value) }

    /// Returns the query for children with exactly this value.
    public func equal(to value: JSONValue) -> DatabaseQuery { with(.equalTo, value) }

    /// Returns the query for at most this many children, from the beginning.
    public func first(_ count: Int) -> DatabaseQuery { with(.limitToFirst, count) }

    /// Returns the query for at most this many children, from the end.
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

    // MARK: Wire format

    /// Returns the parameters of the URL; values are JSON, so strings are quoted.
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
        let isFinite = bounds.values.allSatisfy { value in
            if case .number(let number) = value { number.isFinite } else { true }
        }
        return if bounds[.equalTo] != nil, bounds.count > 1 {
            "equality cannot be combined with other bounds"
        } else if bounds[.startAt] != nil && bounds[.startAfter] != nil || bounds[.endAt] != nil && bounds[.endBefore] != nil {
            "a query has one start and one end"
        } else if limits.count > 1 {
            "first and last cannot be combined"
        } else if !limits.values.allSatisfy({ $0 > 0 }) {
            "the limit must be positive"
        } else if !isScalar {
            order == .key ? "keys must be strings" : "a bound must be a string, a number, true, false or null"
        } else if !isFinite {
            "a bound must be a finite number"
        } else {
            nil
        }
    }
}
