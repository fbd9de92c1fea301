public import Foundation
import HTTPTypes
public import LadingOperations

/// A file in Cloud Storage for Firebase, and what can be done with it.
///
/// Whatever asks throws `FirebaseStorage.Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`; what moves files throws
/// `TransferError` as well.
public struct StorageReference: Sendable {
    /// The longest name of a file, in bytes of UTF-8, as the service has it.
    public static let nameLimit = 1_024

    let storage: FirebaseStorage
    /// The whole name, with slashes between folders.
    public let name: String

    init(_ storage: FirebaseStorage, name: String) {
        self.storage = storage
        self.name = name
    }

    /// Where the content is; who asks there must show who he is (`FirebaseStorage.fields(for:)`).
    public var contentURL: URL { url(query: ["alt": "media"]) }

    func url(query: URLQuery = [:]) -> URL {
        storage.project.storage.url("v0/b/\(storage.project.bucket)/o/\(name)", query: query)
    }
}

// MARK: - What is known of it

extension StorageReference {
    /// What the storage knows of it.
    public nonisolated(nonsending) func metadata() async throws -> StorageMetadata {
        try metadata(in: try await send(message(.get)))
    }

    /// Sets some of it, and leaves the rest as it is.
    @discardableResult
    public nonisolated(nonsending) func update(_ settings: StorageMetadata.Settings) async throws -> StorageMetadata {
        try metadata(in: try await send(message(.patch, content: .json(settings))))
    }

    /// Removes the file.
    public nonisolated(nonsending) func delete() async throws {
        _ = try await send(message(.delete))
    }

    func metadata(in response: BackendResponse) throws -> StorageMetadata {
        do {
            return try JSONDecoder().decode(StorageMetadata.self, from: Data(response.body))
        } catch let error as DecodingError {
            throw FirebaseStorage.Failure.decodingFailed(name, cause: ResponseDecodingError(error))
        }
    }

    private func message(_ method: HTTPRequest.Method, content: RequestContent? = nil) -> RequestMessage {
        let headers = storage.project.storage.headers
        guard let content else { return RequestMessage(method: method, url: url(), headers: headers) }
        return RequestMessage(method: method, url: url(), headers: headers, content: content)
    }

    private func send(_ message: RequestMessage) async throws -> BackendResponse {
        let reply = try await storage.client.response(to: message, within: storage.project.storage.limits)
        guard reply.status.kind == .successful else { throw FirebaseStorage.failure(reply, of: name) }
        return reply
    }
}

// MARK: - Its content

extension StorageReference {
    /// The content, in memory.
    ///
    /// - Parameter limit: The most bytes that are taken.
    public nonisolated(nonsending) func content(limit: Int = 8 << 20) async throws -> [UInt8] {
        var bounds = storage.project.storage.limits
        bounds.bodySize = limit
        let message = RequestMessage(url: contentURL, headers: storage.project.storage.headers)
        let reply = try await storage.client.response(to: message, within: bounds)
        guard reply.status.kind == .successful else { throw FirebaseStorage.failure(reply, of: name) }
        return reply.body
    }

    /// Writes the content to a file, which gets its name when it is whole.
    ///
    /// A download that is to be paused, to go on after a break, or to outlive the program is one for `FileTransfers`.
    /// - Parameters:
    ///   - replacing: Whether a file that is there already may be replaced.
    ///   - progress: Hears how many bytes have come.
    public nonisolated(nonsending) func download(
        to file: URL, replacing: Bool = false, progress: OperationProgress? = .current
    ) async throws {
        let part = PartFile(of: file, id: storage.random.makeTransferID())
        try await StorageDownload(reference: self, partFile: part, replacesTarget: replacing, progress: progress).run()
    }

    /// Sends a file, in parts; what broke goes on from what the server has.
    ///
    /// - Parameters:
    ///   - settings: What is to be known of it.
    ///   - session: One that was begun earlier, with the same file; when the server has forgotten it, another is begun.
    ///   - progress: Hears how many bytes the server has.
    ///   - onSession: Hears of a session as soon as the server has one, to be kept for a later day.
    @discardableResult
    public nonisolated(nonsending) func upload(
        _ file: URL, settings: StorageMetadata.Settings = .init(), resuming session: StorageUploadSession? = nil,
        progress: OperationProgress? = .current, onSession: @escaping @Sendable (StorageUploadSession) -> Void = { _ in }
    ) async throws -> StorageMetadata {
        var upload = try StorageUpload(self, file, settings, session, progress: progress, onSession: onSession)
        return try await upload.run()
    }

    /// Gives up an upload: the server forgets what it has of it.
    public nonisolated(nonsending) func cancel(_ session: StorageUploadSession) async throws {
        var message = RequestMessage(method: .post, url: session.url, trust: .discovered(in: url()))
        message.headers[.uploadCommand] = "cancel"
        let reply = try await storage.client.response(to: message, within: storage.project.storage.limits)
        guard reply.status.kind == .successful || reply.status == .notFound else { throw FirebaseStorage.failure(reply, of: name) }
    }
}
