import Foundation
import LadingFirebase
import LadingHTTP
import Testing

@Suite struct FirebaseErrorTests {
    private enum Case: CaseIterable {
        case signInRefused, signInUndecoded, notSignedIn
        case invalidKey, pathTooLong, invalidQuery, databaseRefused, preconditionFailed, valueUndecoded, cancelled, authenticationRevoked
        case invalidName, notFound, storageRefused, metadataUndecoded, inconsistentResponse

        init(_ error: FirebaseAuthentication.Failure) {
            self =
                switch error {
                case .refused: .signInRefused
                case .decodingFailed: .signInUndecoded
                case .notSignedIn: .notSignedIn
                }
        }

        init(_ error: RealtimeDatabase.Failure) {
            self =
                switch error {
                case .invalidKey: .invalidKey
                case .pathTooLong: .pathTooLong
                case .invalidQuery: .invalidQuery
                case .refused: .databaseRefused
                case .preconditionFailed: .preconditionFailed
                case .decodingFailed: .valueUndecoded
                case .cancelled: .cancelled
                case .authenticationRevoked: .authenticationRevoked
                }
        }

        init(_ error: FirebaseStorage.Failure) {
            self =
                switch error {
                case .invalidName: .invalidName
                case .notFound: .notFound
                case .refused: .storageRefused
                case .decodingFailed: .metadataUndecoded
                case .inconsistentResponse: .inconsistentResponse
                }
        }
    }

    private static let cause = DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "The given data was not valid JSON."))

    private static let authentication: [(FirebaseAuthentication.Failure, String)] = [
        (.refused(.weakPassword, detail: "use 6 characters"), "cannot sign in: use 6 characters (WEAK_PASSWORD)"),
        (.refused(.emailNotFound, detail: nil), "cannot sign in: EMAIL_NOT_FOUND"),
        (.decodingFailed(cause: cause), "cannot sign in: the server sent an invalid response (The given data was not valid JSON)"),
        (.notSignedIn, "no user is signed in: sign in first"),
    ]

    private static let database: [(RealtimeDatabase.Failure, String)] = [
        (.invalidKey("a.b"), "“a.b” is not a valid database key: use a nonempty text without . # $ [ ] / and control characters"),
        (.pathTooLong(limit: 32), "the path exceeds the limit of 32 levels: use a shorter one"),
        (.invalidQuery("an order is missing"), "the query is invalid: an order is missing"),
        (.refused(status: 401, reason: "Permission denied"), "the database responded with 401: Permission denied"),
        (.preconditionFailed(DatabaseVersion(.null, tag: .init("a"))), "the value was changed concurrently: read it again and retry"),
        (.decodingFailed(try! DatabasePath("a/b"), cause: cause), "cannot read /a/b: The given data was not valid JSON"),
        (.cancelled(try! DatabasePath("a/b"), reason: nil), "permission to read /a/b was revoked: check the security rules"),
        (
            .cancelled(try! DatabasePath("a/b"), reason: "Permission denied."),
            "permission to read /a/b was revoked: check the security rules"
        ),
        (
            .cancelled(try! DatabasePath("a/b"), reason: "The specified payload is too large"),
            "the server ended the events of /a/b: The specified payload is too large"
        ),
        (
            .authenticationRevoked("credential is no longer valid"),
            "the user is no longer signed in (credential is no longer valid): sign in again"
        ),
    ]

    private static let storage: [(FirebaseStorage.Failure, String)] = [
        (.invalidName(".."), "“..” is not a valid file name: use at most 1,024 bytes without line breaks"),
        (.notFound("a.jpg"), "the storage has no file a.jpg"),
        (.refused(status: 403, reason: "Permission denied"), "the storage responded with 403: Permission denied"),
        (.decodingFailed("a.jpg", cause: cause), "cannot read the metadata of a.jpg: The given data was not valid JSON"),
        (
            .inconsistentResponse("parts are accepted but not stored"),
            "the storage sent an inconsistent response: parts are accepted but not stored"
        ),
    ]

    private static let sentences: [(any Error, String)] = authentication + database + storage

    @Test(arguments: sentences.indices) func `Both descriptions of an error are one sentence`(index: Int) {
        let (error, sentence) = Self.sentences[index]

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `Every case has a sentence`() {
        let cases = Self.authentication.map { Case($0.0) } + Self.database.map { Case($0.0) } + Self.storage.map { Case($0.0) }

        #expect(Set(cases) == Set(Case.allCases))
    }
}
