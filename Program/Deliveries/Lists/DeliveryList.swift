public import Foundation
import LadingHTTP

/// The URLs of a list of deliveries: its pages, its images and the favourite marks of its deliveries.
public struct DeliveryList: Hashable, Sendable {
    /// The URL without the query items of a page.
    public let url: URL

    private static let pageQueryNames: Set<String> = ["offset", "limit"]

    /// Creates a list from the URL of any of its pages.
    ///
    /// - Parameter url: An absolute http or https URL; the query items of a page are removed, all others are preserved.
    public init(url: URL) {
        self.url = url.replacingQuery { $0.filter { !Self.pageQueryNames.contains($0.name) } }
    }

    /// Returns the URL of a page.
    public func pageURL(offset: Int, limit: Int) -> URL {
        url.replacingQuery {
            $0 + [URLQueryItem(name: "offset", value: offset.description), URLQueryItem(name: "limit", value: limit.description)]
        }
    }

    /// Returns the URL of a favourite mark: `/v1/deliveries/7/favourite` for `/deliveries` and `/v1/deliveries`, `/v2/deliveries/…` for version 2.
    public func favouriteURL(of id: DeliveryID) -> URL {
        var parts = url.path(percentEncoded: true).split(separator: "/").map(String.init)
        let version = parts.dropLast().last
        if parts.last == "deliveries", version != "v1", version != "v2" { parts.insert("v1", at: parts.count - 1) }
        let path: URLPath = "\(id)/favourite"
        var components = url.components
        components?.query = nil
        components?.percentEncodedPath = "/" + (parts + [path.text]).joined(separator: "/")
        return components?.url ?? url
    }

    /// Returns a URL of another list moved to this list's scheme, host and port; for the same list on another server.
    public func rebasing(_ url: URL, from other: DeliveryList) -> URL {
        guard url.origin == other.url.origin, var counterpart = url.components, let here = self.url.components else { return url }
        (counterpart.scheme, counterpart.host, counterpart.port) = (here.scheme, here.host, here.port)
        return counterpart.url ?? url
    }
}

extension URL {
    fileprivate var components: URLComponents? { URLComponents(url: self, resolvingAgainstBaseURL: true) }

    /// The scheme, host and port.
    fileprivate var origin: [String?] { [scheme, host(), port?.description] }

    /// Returns the URL with changed query items and without a fragment. Unchanged items preserve their escapes.
    fileprivate func replacingQuery(_ change: ([URLQueryItem]) -> [URLQueryItem]) -> URL {
        guard var components else { return self }
        let items = change(components.percentEncodedQueryItems ?? [])
        components.percentEncodedQueryItems = items.isEmpty ? nil : items
        components.fragment = nil
        return components.url ?? self
    }
}
