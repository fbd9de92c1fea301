public import Foundation
public import HTTPTypes
public import LadingHTTP
public import LadingTransfers
import Timing

/// Cloud Storage for Firebase: files in a bucket, over the REST interface of Firebase's own libraries.
///
/// ```swift
/// let storage = FirebaseStorage(project, client: client, authentication: authentication)
/// let photo = try storage.reference("receipts/4711.jpg")
/// try await photo.upload(file, settings: .init(contentType: "image/jpeg"))
/// ```
///
/// Each request to the storage carries the ID token of the signed-in user, as `Authorization: Firebase …`. It is added after all interceptors of the
/// client, which do not see it. They see the URLs of uploads, which permit continuing them.
public struct FirebaseStorage: Sendable {
    let project: FirebaseProject
    let client: BackendClient
    private let tokens: FirebaseTokenInterceptor?
    let retryPolicy: TransferRetryPolicy
    let random: ClosureRandomNumberGenerator
    let stopwatch: Stopwatch

    /// Creates a client of a storage bucket.
    ///
    /// - Parameters:
    ///   - authentication: The source of ID tokens; without one, or while no user is signed in, requests are unauthenticated.
    ///   - retryPolicy: The delays before an interrupted upload is resumed, and the maximum number of attempts.
    ///   - clock: The clock for those delays.
    ///   - random: Returns 64 random bits.
    public init(
        _ project: FirebaseProject, client: BackendClient, authentication: FirebaseAuthentication? = nil,
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    ) {
        let tokens = authentication.map { authentication in
            // 403 concerns the permissions of the user.
            FirebaseTokenInterceptor(authentication: authentication, service: project.storage, location: .header) {
                $0.status == .unauthorized
            }
        }
        self.project = project
        self.client = tokens.map(client.adding) ?? client
        self.tokens = tokens
        self.retryPolicy = retryPolicy
        self.random = ClosureRandomNumberGenerator(generate: random)
        stopwatch = Stopwatch(clock)
    }

    /// Returns a reference to a file, which need not exist.
    ///
    /// - Parameter name: The full name, with slashes between folders, which exist by name only.
    /// - Throws: `Failure.invalidName`.
    public func reference(_ name: String) throws(Failure) -> StorageReference {
        let isName = (1...StorageReference.nameLimit).contains(name.utf8.count) && name != "." && name != ".."
        guard isName, !name.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" }) else { throw .invalidName(name) }
        return StorageReference(self, name: name)
    }

    /// Returns the header fields that authorize requests for a file, as `FileTransfers` needs them.
    ///
    /// ```swift
    /// let transfers = FileTransfers(client: client, queue: queue, journal: journal, headers: storage.headers)
    /// let id = try await transfers.download(photo.contentURL, to: file)
    /// ```
    ///
    /// - Returns: No fields for a URL of another server.
    /// - Throws: `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
    @Sendable public nonisolated(nonsending) func headers(for url: URL) async throws -> HTTPFields {
        try await authorized(RequestMessage(url: url)).headers
    }

    /// Returns the message with the token, for exchanges without interceptors.
    private func authorized(_ message: RequestMessage) async throws -> RequestMessage {
        guard let tokens, let token = try await tokens.token(for: message) else { return message }
        return tokens.adding(token, to: message)
    }

    /// Returns the error for a rejection. A transient one is a `BackendError`, which can be retried like any other.
    static func failure(_ response: BackendResponse, of name: String) -> any Error {
        guard !ResponseHead(status: response.status, headers: response.headers).isTransientFailure, response.status.kind == .clientError
        else {
            return BackendError(statusOf: response)
        }
        guard response.status != .notFound else { return Failure.notFound(name) }
        return Failure.refused(status: response.status.code, reason: FirebaseErrorBody(response)?.message ?? response.status.reasonPhrase)
    }
}
