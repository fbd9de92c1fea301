public import Foundation
public import LadingHTTP

/// The shapes of services that photos can be had from.
public enum PhotoSourceKind: String, CaseIterable, Sendable {
    /// The Mars Photos API, version 1, and whatever host speaks like it.
    case v1
    /// The raw images of Curiosity at mars.nasa.gov.
    case msl
    /// The raw images of Perseverance at mars.nasa.gov.
    case mars2020

    /// Where such a service is in public.
    public var publicURL: URL {
        switch self {
        case .v1: URL(string: "https://rovers.nebulum.one/api/v1")!
        case .msl: URL(string: "https://mars.nasa.gov/api/v1/raw_image_items/")!
        case .mars2020: URL(string: "https://mars.nasa.gov/rss/api/")!
        }
    }

    /// Where it lies on a server that is named without a path.
    private var defaultPath: String {
        switch self {
        case .v1: "/mars-photos/api/v1"
        case .msl: "/api/v1/raw_image_items"
        case .mars2020: "/rss/api"
        }
    }

    /// - Parameters:
    ///   - url: Where the service is, of scheme http or https: a server, or the address that its documents lie below. On a server that is named without a path it
    ///     is asked at the usual one, and a service of `v1` at the root as well.
    ///   - images: Loads the photos themselves, for instance with a cache; nil for the client that reads the documents.
    ///   - key: Sent to this service alone, in its query.
    public func source(at url: URL, client: BackendClient, images: BackendClient? = nil, key: PhotoAPIKey? = nil) -> any PhotoSource {
        let service = PhotoService(url, defaultPath: defaultPath, allowsRoot: self == .v1, client: client, images: images, key: key)
        return switch self {
        case .v1: V1Source(service)
        case .msl: MSLSource(service)
        case .mars2020: Mars2020Source(service)
        }
    }
}
