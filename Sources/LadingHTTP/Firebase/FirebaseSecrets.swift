import Foundation

/// Takes out of what people may see whatever lets somebody in.
enum FirebaseSecrets {
    /// What a token is called in the query of a URL.
    static let tokenParameter = "auth"
    /// What an upload is called there; who knows it can go on with it.
    private static let uploadParameter = "upload_id"
    private static let secrets = QuerySecrets([tokenParameter, uploadParameter])

    static func removed(from url: URL) -> URL { secrets.removed(from: url) }

    /// An error whose URL, and what Foundation adds to its cause, has nothing of that.
    static func removed(from error: any Error) -> any Error { secrets.removed(from: error) }
}
