public import Foundation

extension FirebaseAuthentication {
    /// Why nobody is signed in.
    public enum Failure: Error {
        /// The server refused, with its code and what it adds to it.
        case refused(Code, detail: String?)
        /// A reply of the server was not what it should be.
        case decodingFailed(cause: any Error)
        /// Nobody has signed in, or everybody has signed out.
        case notSignedIn
    }

    /// A code with which the server refuses, such as `EMAIL_NOT_FOUND`. There are more than those named here.
    public struct Code: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        public static let emailNotFound = Code(rawValue: "EMAIL_NOT_FOUND")
        public static let invalidPassword = Code(rawValue: "INVALID_PASSWORD")
        /// Address or password is wrong; projects that protect addresses do not say which.
        public static let invalidLoginCredentials = Code(rawValue: "INVALID_LOGIN_CREDENTIALS")
        public static let userDisabled = Code(rawValue: "USER_DISABLED")
        public static let userNotFound = Code(rawValue: "USER_NOT_FOUND")
        public static let emailExists = Code(rawValue: "EMAIL_EXISTS")
        public static let invalidEmail = Code(rawValue: "INVALID_EMAIL")
        public static let missingPassword = Code(rawValue: "MISSING_PASSWORD")
        public static let weakPassword = Code(rawValue: "WEAK_PASSWORD")
        public static let operationNotAllowed = Code(rawValue: "OPERATION_NOT_ALLOWED")
        public static let tooManyAttempts = Code(rawValue: "TOO_MANY_ATTEMPTS_TRY_LATER")
        /// The refresh token is too old: sign in again.
        public static let tokenExpired = Code(rawValue: "TOKEN_EXPIRED")
        public static let invalidRefreshToken = Code(rawValue: "INVALID_REFRESH_TOKEN")
    }
}

extension FirebaseAuthentication.Failure: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        switch self {
        case .refused(let code, let detail?): "cannot sign in: \(detail) (\(code.rawValue))"
        case .refused(let code, nil): "cannot sign in: \(code.rawValue)"
        case .decodingFailed: "cannot sign in: the server sent a reply that cannot be read"
        case .notSignedIn: "nobody is signed in"
        }
    }
}
