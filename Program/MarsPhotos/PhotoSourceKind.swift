public import Foundation
public import LadingHTTP

/// The supported kinds of photo services.
public enum PhotoSourceKind: String, CaseIterable, Sendable {
    /// The Mars Photos API, version 1, on any compatible host.
    case v1
    /// The raw images of Curiosity at mars.nasa.gov.
    case msl
    /// The raw images of Perseverance at mars.nasa.gov.
    case mars2020

    /// The URL of the public service.
    public var publicURL: URL {
        switch self {
        case .v1: URL(string: "https://rovers.nebulum.one/api/v1")!
        case .msl: URL(string: "https://mars.nasa.gov/api/v1/raw_image_items/")!
        case .mars2020: URL(string: "https://mars.nasa.gov/rss/api/")!
        }
    }

    /// The path of the service on a server whose URL has no path.
    private var defaultPath: String {
        switch self {
        case .v1: "/mars-photos/api/v1"
        case .msl: "/api/v1/raw_image_items"
        case .mars2020: "/rss/api"
        }
    }

    /// Returns a source of this kind.
    ///
    /// - Parameters:
    ///   - url: The http or https URL of a server or of the service on it. Without a path, the usual path is used, and for `v1` the root as a
    ///     fallback.
    ///   - images: The client that loads the photos themselves, for instance with a cache; nil for the client of the documents.
    ///   - key: The API key, sent in the query of requests to this service only.
    public func source(at url: URL, client: BackendClient, images: BackendClient? = nil, key: PhotoAPIKey? = nil) -> any PhotoSource {
        let service = PhotoService(url, defaultPath: defaultPath, allowsRoot: self == .v1, client: client, images: images, key: key)
        return switch self {
        case .v1: V1Source(service)
        case .msl: MSLSource(service)
        case .mars2020: Mars2020Source(service)
        }
    }
}
