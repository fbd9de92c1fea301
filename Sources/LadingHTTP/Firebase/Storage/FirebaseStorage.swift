public import Foundation
public import HTTPTypes
import LadingOperations

/// Cloud Storage for Firebase: files in a bucket, by the interface that Firebase's own libraries use.
///
/// ```swift
/// let storage = FirebaseStorage(project, client: client, authentication: authentication)
/// let photo = try storage.reference("receipts/4711.jpg")
/// try await photo.upload(file, settings: .init(contentType: "image/jpeg"))
/// ```
///
/// The ID token of whoever is signed in goes with each request to the storage, as `Authorization: Firebase …`.
public struct FirebaseStorage: Sendable {
    let project: FirebaseProject
    let client: BackendClient
    /// For replies that are handed over as they arrive: their messages have the token in them already, which interceptors must not see.
    let streamClient: BackendClient
    let tokens: FirebaseTokenInterceptor?
    let retryPolicy: TransferRetryPolicy
    let random: ClosureRandomNumberGenerator
    let stopwatch: Stopwatch

    /// - Parameters:
    ///   - authentication: Whose ID token goes with each request; without one, and while nobody is signed in, the storage is asked as nobody.
    ///   - patience: How long is waited before an upload that broke goes on, and when it is given up.
    ///   - clock: What those waits are measured by.
    ///   - random: Draws 64 bits.
    public init(
        _ project: FirebaseProject, client: BackendClient, authentication: FirebaseAuthentication? = nil,
        retryPolicy: TransferRetryPolicy = TransferRetryPolicy(), clock: some Clock<Duration> = ContinuousClock(),
        random: @escaping @Sendable () -> UInt64 = { .random(in: 0 ... .max) }
    ) {
        let tokens = authentication.map { authentication in
            // 403 is about what a user may do.
            FirebaseTokenInterceptor(authentication: authentication, service: project.storage, location: .header) { $0.status == .unauthorized }
        }
        self.project = project
        self.client = tokens.map(client.adding) ?? client
        streamClient = client.withoutInterceptors()
        self.tokens = tokens
        self.retryPolicy = retryPolicy
        self.random = ClosureRandomNumberGenerator(generate: random)
        stopwatch = Stopwatch(clock)
    }

    /// A file, whether there is one or not.
    ///
    /// - Parameter name: With slashes between folders, which exist by their names alone.
    /// - Throws: `Failure.badName`.
    public func reference(_ name: String) throws(Failure) -> StorageReference {
        let isName = (1...StorageReference.nameLimit).contains(name.utf8.count) && name != "." && name != ".."
        guard isName, !name.unicodeScalars.contains(where: { $0 == "\r" || $0 == "\n" }) else { throw .invalidName(name) }
        return StorageReference(self, name: name)
    }

    /// The header fields that let somebody have a file: what `FileTransfers` wants to be told.
    ///
    /// ```swift
    /// let transfers = FileTransfers(client: client, queue: queue, journal: journal, fields: storage.fields)
    /// let id = try await transfers.download(photo.contentURL, to: file)
    /// ```
    ///
    /// - Returns: None for a URL of any other server.
    /// - Throws: `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`.
    @Sendable public nonisolated(nonsending) func headers(for url: URL) async throws -> HTTPFields {
        try await authorized(RequestMessage(url: url)).headers
    }

    /// The message with the token, for exchanges that no interceptor stands around.
    private func authorized(_ message: RequestMessage) async throws -> RequestMessage {
        guard let tokens, let token = try await tokens.token(for: message) else { return message }
        return tokens.adding(token, to: message)
    }

    /// What a refusal means: one that may pass is a `BackendError`, which can be tried again like any other.
    static func failure(_ response: BackendResponse, of name: String) -> any Error {
        guard !ResponseHead(status: response.status, headers: response.headers).isTransientFailure, response.status.kind == .clientError else {
            return BackendError.status(response.status.code, response.url, headers: response.headers)
        }
        guard response.status != .notFound else { return Failure.notFound(name) }
        return Failure.refused(status: response.status.code, reason: FirebaseErrorBody(response)?.message ?? response.status.reasonPhrase)
    }
}
