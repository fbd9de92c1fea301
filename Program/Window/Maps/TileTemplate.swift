import Foundation

/// A URL template of a server's map tiles, with `{z}`, `{x}` and `{y}` as placeholders of zoom, column and row.
package struct TileTemplate: Hashable, Sendable {
    /// A violated rule of templates.
    package enum TemplateError: Error, Hashable, CustomStringConvertible {
        case unsupportedScheme
        /// The template has braces other than those of the three placeholders.
        case unknownPlaceholder(String)
        case missingPlaceholder(String)
        /// A placeholder is in the host, so that a tile would determine the server.
        case placeholderInHost
        case tooLong

        package var description: String {
            switch self {
            case .unsupportedScheme: "a tile URL template must be an http or https address"
            case .unknownPlaceholder(let text): "\(text) is not a tile placeholder: use {z}, {x} and {y}"
            case .missingPlaceholder(let text): "\(text) is missing: a tile URL template needs {z}, {x} and {y}"
            case .placeholderInHost: "the server name must not contain a placeholder"
            case .tooLong: "a tile URL template must have at most \(TileTemplate.lengthLimit) characters"
            }
        }
    }

    /// The maximum number of characters.
    package static let lengthLimit = 2_048
    private static let placeholders = ["{z}", "{x}", "{y}"]

    /// The host of the server.
    let host: String
    /// The percent-encoded query items without a placeholder, for instance a key.
    let constantItems: [URLQueryItem]
    /// The template without the constant query items.
    private let pattern: String
    private let text: String

    package init(_ text: String) throws(TemplateError) {
        guard text.count <= Self.lengthLimit else { throw .tooLong }
        let braces = text.matches(of: /\{[^{}]*\}?|\}/).map { String($0.output) }
        if let unknown = braces.first(where: { !Self.placeholders.contains($0) }) { throw .unknownPlaceholder(unknown) }
        if let missing = Self.placeholders.first(where: { !braces.contains($0) }) { throw .missingPlaceholder(missing) }
        guard let url = Self.url(of: text, zoom: 0, x: 0, y: 0), let host = url.host(), !host.isEmpty,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { throw .unsupportedScheme }
        let authority = text.drop { $0 != ":" }.dropFirst("://".count).prefix { !"/?#".contains($0) }
        guard !authority.contains("{") else { throw .placeholderInHost }
        self.text = text
        self.host = host
        (pattern, constantItems) = Self.split(text)
    }

    /// Returns the URL of a tile, without the constant query items.
    func url(of tile: Tile) -> URL? { Self.url(of: pattern, zoom: tile.zoom, x: tile.x, y: tile.y) }

    /// A short text that differs between templates.
    var fingerprint: String { text.fingerprint }

    private static func url(of text: String, zoom: Int, x: Int, y: Int) -> URL? {
        URL(string: text.replacing("{z}", with: "\(zoom)").replacing("{x}", with: "\(x)").replacing("{y}", with: "\(y)"))
    }

    /// Returns the template without its constant query items, and these.
    private static func split(_ text: String) -> (pattern: String, items: [URLQueryItem]) {
        let address = text.prefix { $0 != "#" }
        let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2 else { return (String(address), []) }
        let members = parts[1].split(separator: "&")
        let varying = members.filter { $0.contains("{") }
        let pattern = varying.isEmpty ? String(parts[0]) : "\(parts[0])?\(varying.joined(separator: "&"))"
        let constant = URL(string: "http://a/?\(members.filter { !$0.contains("{") }.joined(separator: "&"))")
        let items = constant.flatMap { URLComponents(url: $0, resolvingAgainstBaseURL: true)?.percentEncodedQueryItems }
        return (pattern, (items ?? []).filter { !$0.name.isEmpty })
    }
}
