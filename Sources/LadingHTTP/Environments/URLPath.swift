/// A path below a base URL, written as text; what is put into it stays within its segment.
///
/// ```swift
/// let path: URLPath = "orders/\(id)/items"
/// ```
///
/// With `a/b?c` as `id` the path is `orders/a%2Fb%3Fc/items`. Escapes in the text around are left as they are.
public struct URLPath: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// Percent-encoded, without a slash at its beginning.
    public let text: String

    public init(stringLiteral text: String) {
        self.text = Self.relative(PercentEncoding.path.encode(text))
    }

    public init(stringInterpolation: Interpolation) {
        text = Self.relative(stringInterpolation.text)
    }

    private static func relative(_ text: String) -> String { String(text.drop { $0 == "/" }) }

    public struct Interpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        public init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity)
        }

        public mutating func appendLiteral(_ literal: String) {
            text += PercentEncoding.path.encode(literal)
        }

        public mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            let value = value.description
            // Dots alone would lead to another segment.
            text += value == "." || value == ".." ? value.replacing(".", with: "%2E") : PercentEncoding.unreserved.encode(value)
        }
    }
}
