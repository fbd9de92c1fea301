public import Foundation

/// Who is signed in, and what proves it. It can be kept, as a secret, and handed in again in the next run.
///
/// As text it shows nothing of its tokens.
public struct FirebaseCredential: Hashable, Codable, Sendable {
    /// The user's id in the project (`localId`).
    public var userID: String
    public var email: String?
    /// Proves to the services who asks; good for an hour.
    public var idToken: String
    /// What another ID token is had for.
    public var refreshToken: String
    /// When the ID token is no longer good.
    public var expires: Date

    public init(userID: String, email: String?, idToken: String, refreshToken: String, expires: Date) {
        self.userID = userID
        self.email = email
        self.idToken = idToken
        self.refreshToken = refreshToken
        self.expires = expires
    }
}

extension FirebaseCredential: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String { "the credential of user \(userID)" }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: ["userID": userID, "expires": expires]) }
}
