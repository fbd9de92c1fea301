public import Foundation
import HTTPTypes
import LadingHTTP
public import LadingOperations
import LadingTransfers

/// A file in Cloud Storage for Firebase and the operations on it.
///
/// Requests throw `FirebaseStorage.Failure`, `FirebaseAuthentication.Failure`, `BackendError`, or `CancellationError`; uploads and downloads
/// also throw `TransferError`.
public struct StorageReference: Sendable {
    /// The maximum length of a file name, in UTF-8 bytes, as defined by the service.
    package static let nameLimit = 1_024

    let storage: FirebaseStorage
    /// The full name, with slashes between folders.
    public let name: String

    init(_ storage: FirebaseStorage, name: String) {
        self.storage = storage
        self.name = name
    }

    /// The URL of the content. Requests to it need the fields of `FirebaseStorage.headers(for:)`.
    public var contentURL: URL { url(query: ["alt": "media"]) }

    func url(query: URLQuery = [:]) -> URL {
        storage.project.storage.url("v0/b/\(storage.project.bucket)/o/\(name)", query: query)
    }
}

// MARK: - Metadata

extension StorageReference {
    /// Returns the metadata of the file.
    public nonisolated(nonsending) func metadata() async throws -> StorageMetadata {
        try metadata(in: try await send(message(.get)))
    }

    /// Changes some of the metadata and preserves the rest.
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
        let response = try await storage.client.response(to: message, within: storage.project.storage.limits)
        guard response.status.kind == .successful else { throw FirebaseStorage.failure(response, of: name) }
        return response
    }
}

// MARK: - Content

extension StorageReference {
    /// Returns the content, in memory.
    ///
    /// - Parameter limit: The maximum size of the content, in bytes.
    public nonisolated(nonsending) func content(limit: Int = 8 << 20) async throws -> [UInt8] {
        var limits = storage.project.storage.limits
        limits.bodySize = limit
        let message = RequestMessage(url: contentURL, headers: storage.project.storage.headers)
        let response = try await storage.client.response(to: message, within: limits)
        guard response.status.kind == .successful else { throw FirebaseStorage.failure(response, of: name) }
        return response.body
    }

    /// Downloads the content to a file, which is published when it is complete.
    ///
    /// Use `FileTransfers` for downloads that can be paused and resumed or that outlive the program.
    /// - Parameters:
    ///   - replacing: Whether an existing file may be replaced.
    ///   - progress: Receives the number of downloaded bytes. It ends with the download, unless it is that of an operation.
    public nonisolated(nonsending) func download(
        to file: URL, replacing: Bool = false, progress: OperationProgress? = .current
    ) async throws {
        let part = PartFile(of: file, id: storage.random.makeTransferID())
        var isComplete = false
        defer { progress?.finishUnlessOfOperation(isComplete: isComplete) }
        try await StorageDownload(reference: self, partFile: part, replacesTarget: replacing, progress: progress).run()
        isComplete = true
    }

    /// Uploads a file in parts; an interrupted upload resumes from the bytes that the server has.
    ///
    /// - Parameters:
    ///   - settings: The metadata of the file.
    ///   - session: A session of an earlier upload of the same file. If it has expired at the server, another one is started.
    ///   - progress: Receives the number of bytes the server has. It ends with the upload, unless it is that of an operation.
    ///   - onSession: Called with a session as soon as the server has started it, to be stored for later.
    @discardableResult
    public nonisolated(nonsending) func upload(
        _ file: URL, settings: StorageMetadata.Settings = .init(), resuming session: StorageUploadSession? = nil,
        progress: OperationProgress? = .current, onSession: @escaping @Sendable (StorageUploadSession) -> Void = { _ in }
    ) async throws -> StorageMetadata {
        var isComplete = false
        defer { progress?.finishUnlessOfOperation(isComplete: isComplete) }
        var upload = try StorageUpload(self, file, settings, session, progress: progress, onSession: onSession)
        let metadata = try await upload.run()
        isComplete = true
        return metadata
    }

    /// Cancels an upload; the server discards its data.
    public nonisolated(nonsending) func cancel(_ session: StorageUploadSession) async throws {
        var message = RequestMessage(method: .post, url: session.url, trust: .discovered(in: url()))
        message.headers[.uploadCommand] = "cancel"
        let response = try await storage.client.response(to: message, within: storage.project.storage.limits)
        guard response.status.kind == .successful || response.status == .notFound else { throw FirebaseStorage.failure(response, of: name) }
    }
}
