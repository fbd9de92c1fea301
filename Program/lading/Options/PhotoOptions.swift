import ArgumentParser
import Foundation
import LadingHTTP
import MarsPhotos

/// The source of the photos.
struct PhotoOptions: ParsableArguments {
    /// The environment variable with the key of a photo service.
    static let keyVariable = "LADING_PHOTOS_KEY"

    @Option(
        help: ArgumentHelp(
            """
            The API of the photo service: v1, or msl or mars2020, the raw images of Curiosity or Perseverance at mars.nasa.gov \
            (default: v1). The API key is read from the environment variable \(Self.keyVariable).
            """, valueName: "shape"),
        transform: PhotoSourceKind.init(argument:))
    var photosSource: PhotoSourceKind?

    @Option(
        help: ArgumentHelp(
            "The URL of the photo service, on any server; for v1 its base URL, such as https://example.org/api/v1.",
            valueName: "url"),
        transform: WebAddress.init(argument:))
    var photosURL: WebAddress?

    func validate() throws {
        guard let query = photosURL?.url.query() else { return }
        throw ValidationError(
            query.contains("api_key")
                ? "--photos-url must not contain a key, which other users could see: set the environment variable \(Self.keyVariable)."
                : "--photos-url must be a URL without a query.")
    }

    var kind: PhotoSourceKind { photosSource ?? .v1 }

    /// Creates the source of the photos.
    ///
    /// - Parameters:
    ///   - origin: The server behind the apps; nil when none was specified.
    ///   - images: The client for images; nil for the client of the documents.
    ///   - environment: The environment, which may contain the key.
    /// - Throws: `ProgramFailure` when the key is too long.
    func source(
        origin: URL?, client: BackendClient, images: BackendClient? = nil,
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws -> any PhotoSource {
        kind.source(at: address(origin: origin), client: client, images: images, key: try Self.key(in: environment))
    }

    /// Returns the specified address, otherwise that of the origin, otherwise the public address of the service.
    func address(origin: URL?) -> URL {
        photosURL?.url ?? origin.map { Self.root(of: $0) } ?? (kind == .v1 ? FeedOptions.defaultOrigin.url : kind.publicURL)
    }

    /// The read timeout; nil for the default.
    var readTimeout: Duration? { kind == .mars2020 ? .seconds(60) : nil }

    /// Returns the advice for users when the server cannot be reached.
    func hint(origin: URL?) -> String {
        if photosURL != nil { return "check the URL of --photos-url" }
        return origin == nil && kind != .v1
            ? "check the network, or choose another server with --photos-url"
            : "start it with \"lading serve\", or choose another with --origin or --photos-url"
    }

    private static func key(in environment: [String: String]) throws -> PhotoAPIKey? {
        guard let text = environment[keyVariable], !text.allSatisfy(\.isWhitespace) else { return nil }
        guard let key = PhotoAPIKey(text) else { throw ProgramFailure(message: "the key in \(keyVariable) is too long: check it") }
        return key
    }

    /// Returns the URL of the server without a path: the service has its own.
    private static func root(of origin: URL) -> URL {
        var parts = URLComponents(url: origin, resolvingAgainstBaseURL: true)
        parts?.path = ""
        parts?.query = nil
        parts?.fragment = nil
        return parts?.url ?? origin
    }
}

extension PhotoSourceKind {
    fileprivate init(argument text: String) throws {
        guard let kind = Self(rawValue: text) else {
            throw ValidationError("expected one of \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = kind
    }
}
