/// A path below a base URL. Interpolated values are percent-encoded and stay within their segment.
///
/// ```swift
/// let path: URLPath = "orders/\(id)/items"
/// ```
///
/// With `a/b?c` as `id` the path is `orders/a%2Fb%3Fc/items`. Escapes in the literal text are preserved.
public struct URLPath: Hashable, Sendable, ExpressibleByStringInterpolation {
    /// The percent-encoded path without a leading slash.
    package let text: String

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
            // A segment of dots alone would resolve to another segment.
            text += value == "." || value == ".." ? value.replacing(".", with: "%2E") : PercentEncoding.unreserved.encode(value)
        }
    }
}
