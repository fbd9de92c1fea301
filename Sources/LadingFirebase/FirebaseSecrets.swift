import Foundation
import LadingHTTP

/// The secrets of Firebase in URLs and errors, and their removal.
enum FirebaseSecrets {
    /// The query parameter of a token.
    static let tokenParameter = "auth"
    /// The query parameter of an upload id, which permits continuing the upload.
    private static let uploadParameter = "upload_id"
    private static let secrets = QuerySecrets([tokenParameter, uploadParameter])

    static func removed(from url: URL) -> URL { secrets.removed(from: url) }

    /// Returns an error without secrets in its URL and in the details that Foundation adds to its cause.
    static func removed(from error: any Error) -> any Error { secrets.removed(from: error) }
}
