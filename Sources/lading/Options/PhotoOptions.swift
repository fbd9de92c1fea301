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
            How the service of photos speaks: v1, or msl and mars2020, the raw images of Curiosity and of Perseverance at mars.nasa.gov (default: v1). \
            A key to the service is taken from the variable \(Self.keyVariable).
            """, valueName: "shape"),
        transform: PhotoSourceKind.init(argument:))
    var photosSource: PhotoSourceKind?

    @Option(
        help: ArgumentHelp(
            "Where the service of photos is, on any server: for v1 what its paths begin with, such as https://example.org/api/v1.",
            valueName: "url"))
    var photosURL: WebAddress?

    func validate() throws {
        guard let query = photosURL?.url.query() else { return }
        throw ValidationError(
            query.contains("api_key")
                ? "--photos-url takes no key, which others could see: put it into the variable \(Self.keyVariable)."
                : "--photos-url takes an address without a query.")
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
        if photosURL != nil { return "check the address given with --photos-url" }
        return origin == nil && kind != .v1
            ? "check the network, or name another server with --photos-url"
            : "start it with \"lading serve\", or name another server with --origin or --photos-url"
    }

    private static func key(in environment: [String: String]) throws -> PhotoAPIKey? {
        guard let text = environment[keyVariable], !text.allSatisfy(\.isWhitespace) else { return nil }
        guard let key = PhotoAPIKey(text) else { throw ProgramFailure(message: "the key in \(keyVariable) is too long to be one") }
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
            throw ValidationError("a service of photos speaks \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = kind
    }
}
