public import Foundation

/// The identity and the tokens of a signed-in user. Store it as a secret to restore the sign-in in the next run.
///
/// Its text descriptions omit the tokens.
public struct FirebaseCredential: Hashable, Codable, Sendable {
    /// The user's id in the project (`localId`).
    public var userID: String
    public var email: String?
    /// The token that authenticates requests to the services, valid for an hour.
    public var idToken: String
    /// The token that is exchanged for a new ID token.
    public var refreshToken: String
    /// The expiry date of the ID token.
    public var expires: Date

    /// Creates the credential of a sign-in through an identity provider, such as Apple or Google, or with a custom token.
    ///
    /// The values are in the responses of `accounts:signInWithIdp` and `accounts:signInWithCustomToken`.
    ///
    /// - Parameters:
    ///   - userID: The member `localId`; after a sign-in with a custom token, whose response has none, the claim `sub` of the ID token.
    ///   - expires: The date of the response plus `expiresIn`, which is in seconds.
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
