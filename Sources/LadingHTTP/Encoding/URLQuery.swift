package import Foundation

/// An ordered list of names and values, for the query of a URL or a form; names may be repeated.
///
/// ```swift
/// let query: URLQuery = ["q": "fish & chips", "page": 3, "tag": ["new", "cheap"], "exact": nil]
/// query.text  // q=fish%20%26%20chips&page=3&tag=new&tag=cheap&exact
/// ```
public struct URLQuery: Hashable, Sendable {
    /// A name with the value after its equals sign; nil when there is none.
    package struct Item: Hashable, Sendable {
        package var name: String
        package var value: String?

        package init(_ name: String, _ value: String?) {
            self.name = name
            self.value = value
        }
    }

    package var items: [Item]

    package init(_ items: [Item] = []) {
        self.items = items
    }

    /// Adds a name with a value; a list adds the name once per element, and `nil` adds the name alone.
    public mutating func append(_ name: String, _ value: Value) {
        items += value.texts.map { Item(name, $0) }
    }
}

extension URLQuery: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init()
        for (name, value) in elements { append(name, value) }
    }

    /// A value that can be written as text, or a list of such values.
    public struct Value: Hashable, Sendable {
        fileprivate let texts: [String?]

        public init(_ value: some LosslessStringConvertible) {
            texts = [value.description]
        }

        public init(each values: some Sequence<some LosslessStringConvertible>) {
            texts = values.map(\.description)
        }
    }
}

extension URLQuery.Value: ExpressibleByStringInterpolation, ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral,
    ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral, ExpressibleByNilLiteral
{
    public init(stringLiteral text: String) { self.init(text) }
    public init(integerLiteral number: Int) { self.init(number) }
    public init(floatLiteral number: Double) { self.init(number) }
    public init(booleanLiteral isTrue: Bool) { self.init(isTrue) }
    public init(arrayLiteral elements: URLQuery.Value...) { texts = elements.flatMap(\.texts) }
    public init(nilLiteral: ()) { texts = [nil] }
}

// MARK: - Text

extension URLQuery {
    /// The query of a URL, without the question mark (RFC 3986 §3.4): all but unreserved characters are percent-encoded, spaces and `+` too.
    package var text: String {
        joined { PercentEncoding.unreserved.encode($0) }
    }

    /// The body of a form, `application/x-www-form-urlencoded` (WHATWG URL §5.2): a space becomes `+`.
    package var formText: String {
        joined(missingValue: "") { PercentEncoding.form.encode($0) }
    }

    /// Returns the items joined by `&`, with encoded names and values.
    ///
    /// - Parameter none: The replacement of a missing value; nil omits the equals sign, too.
    private func joined(missingValue none: String? = nil, _ encoded: (String) -> String) -> String {
        items.map { item in
            let value = item.value.map(encoded) ?? none
            return encoded(item.name) + (value.map { "=" + $0 } ?? "")
        }
        .joined(separator: "&")
    }
}

extension URL {
    /// Returns the URL with a query after its own one, whose text does not change.
    ///
    /// `appending(queryItems:)` decodes and encodes the whole query: `%2B` becomes `+`, which most servers read as a space.
    package func appending(query: URLQuery) -> URL {
        guard !query.items.isEmpty, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        let texts = [parts.percentEncodedQuery ?? "", query.text]
        parts.percentEncodedQuery = texts.filter { !$0.isEmpty }.joined(separator: "&")
        return parts.url ?? self
    }
}
