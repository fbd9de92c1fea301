public import Foundation
public import LadingHTTP

/// Where a list of deliveries is, and what lies beside it: its pages, its pictures, the favourite marks of its deliveries.
public struct DeliveryList: Hashable, Sendable {
    /// Without the members of the query that name a page.
    public let url: URL

    private static let pageQueryNames: Set<String> = ["offset", "limit"]

    /// - Parameter url: Absolute, of scheme http or https; members of its query that name a page are left out, all others stay.
    public init(url: URL) {
        self.url = url.replacingQuery { $0.filter { !Self.pageQueryNames.contains($0.name) } }
    }

    /// The address of a page.
    public func pageURL(offset: Int, limit: Int) -> URL {
        url.replacingQuery {
            $0 + [URLQueryItem(name: "offset", value: offset.description), URLQueryItem(name: "limit", value: limit.description)]
        }
    }

    /// The address of the favourite mark of a delivery: `/v1/deliveries/7/favourite` for `/deliveries` and `/v1/deliveries`, `/v2/deliveries/…` for that one.
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

    /// Where a URL that lies beside another list lies beside this one, when both are the same list on servers with other addresses.
    public func rebasing(_ url: URL, from other: DeliveryList) -> URL {
        guard url.origin == other.url.origin, var counterpart = url.components, let here = self.url.components else { return url }
        (counterpart.scheme, counterpart.host, counterpart.port) = (here.scheme, here.host, here.port)
        return counterpart.url ?? url
    }

    /// The request for a picture. A list can name pictures anywhere, but at private addresses on its own host alone.
    ///
    /// - Parameter sizeLimit: The longest body, in bytes.
    public func imageRequest(for imageURL: URL, sizeLimit: Int) -> BackendRequest<BackendResponse> {
        BackendRequest(url: imageURL, trust: .discovered(in: url), limits: ResponseLimits(bodySize: sizeLimit))
    }
}

extension URL {
    fileprivate var components: URLComponents? { URLComponents(url: self, resolvingAgainstBaseURL: true) }

    /// Scheme, host and port.
    fileprivate var origin: [String?] { [scheme, host(), port?.description] }

    /// The same URL with other members in its query, and without a fragment. Members that stay keep their escapes.
    fileprivate func replacingQuery(_ change: ([URLQueryItem]) -> [URLQueryItem]) -> URL {
        guard var components else { return self }
        let items = change(components.percentEncodedQueryItems ?? [])
        components.percentEncodedQueryItems = items.isEmpty ? nil : items
        components.fragment = nil
        return components.url ?? self
    }
}
