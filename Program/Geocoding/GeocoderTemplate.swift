package import Foundation

/// The URL of a geocoder with `{address}` in the place of an address.
package struct GeocoderTemplate: Hashable, Sendable {
    private static let placeholder = "{address}"
    /// The characters that are not escaped in a query or a path (RFC 3986 §2.3).
    private static let unreserved = CharacterSet(charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

    private let text: String

    /// Creates a template; nil unless it is an http or https URL with the placeholder behind the host.
    package init?(_ text: String) {
        self.text = text
        guard text.contains(Self.placeholder), let url = url(of: "a"), ["http", "https"].contains(url.scheme), url.host()?.isEmpty == false,
            url.host() == self.url(of: "b")?.host()
        else { return nil }
    }

    /// Returns the URL for an address.
    package func url(of address: String) -> URL? {
        let escaped = address.addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
        return URL(string: text.replacing(Self.placeholder, with: escaped))
    }
}
