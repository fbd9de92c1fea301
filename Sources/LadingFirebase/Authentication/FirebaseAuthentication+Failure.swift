import ErrorDescriptions
public import Foundation
import LadingHTTP

extension FirebaseAuthentication {
    /// An error of a sign-in or of a token refresh.
    public enum Failure: Error {
        /// The server refused the request, with its code and an optional detail.
        case refused(Code, detail: String?)
        /// A response could not be decoded.
        case decodingFailed(cause: any Error)
        /// No user is signed in.
        case notSignedIn
    }

    /// An error code of the server, such as `EMAIL_NOT_FOUND`. Codes other than those named here exist.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let emailNotFound = Code(rawValue: "EMAIL_NOT_FOUND")
        public static let invalidPassword = Code(rawValue: "INVALID_PASSWORD")
        /// The email address or the password is wrong; projects with email enumeration protection do not distinguish them.
        public static let invalidLoginCredentials = Code(rawValue: "INVALID_LOGIN_CREDENTIALS")
        public static let userDisabled = Code(rawValue: "USER_DISABLED")
        public static let userNotFound = Code(rawValue: "USER_NOT_FOUND")
        public static let emailExists = Code(rawValue: "EMAIL_EXISTS")
        public static let invalidEmail = Code(rawValue: "INVALID_EMAIL")
        public static let missingPassword = Code(rawValue: "MISSING_PASSWORD")
        public static let weakPassword = Code(rawValue: "WEAK_PASSWORD")
        public static let operationNotAllowed = Code(rawValue: "OPERATION_NOT_ALLOWED")
        public static let tooManyAttempts = Code(rawValue: "TOO_MANY_ATTEMPTS_TRY_LATER")
        /// The refresh token has expired; the user has to sign in again.
        public static let tokenExpired = Code(rawValue: "TOKEN_EXPIRED")
        public static let invalidRefreshToken = Code(rawValue: "INVALID_REFRESH_TOKEN")
    }
}

extension FirebaseAuthentication.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String { message.redactingSecrets }

    private var message: String {
        switch self {
        case .refused(let code, let detail?): "cannot sign in: \(detail) (\(code.rawValue))"
        case .refused(let code, nil): "cannot sign in: \(code.rawValue)"
        case .decodingFailed(let cause): "cannot sign in: the server sent an invalid response\(cause.descriptionSuffix)"
        case .notSignedIn: "no user is signed in: sign in first"
        }
    }
}
