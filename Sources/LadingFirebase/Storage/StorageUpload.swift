import FileAccess
import Foundation
import HTTPTypes
import LadingHTTP
import LadingOperations
import LadingTransfers
import Timing

/// One upload, which performs the effects of `StorageUploadExchange`.
struct StorageUpload: Sendable {
    /// The maximum size of a response body, in bytes.
    static let bodyLimit = 64 << 10

    /// The next request.
    private struct ScheduledRequest {
        var request: StorageUploadExchange.Request
        var delay: Duration
    }

    private let reference: StorageReference
    private let settings: StorageMetadata.Settings
    private let file: RandomAccessFile
    private let fingerprint: FileFingerprint
    private let progress: OperationProgress?
    private let onSession: @Sendable (StorageUploadSession) -> Void
    private var exchange: StorageUploadExchange
    /// The last response, which contains the metadata when it ended the upload.
    private var response: BackendResponse?

    /// - Throws: `TransferError` when the source cannot be read or has changed.
    init(
        _ reference: StorageReference, _ source: URL, _ settings: StorageMetadata.Settings, _ session: StorageUploadSession?,
        progress: OperationProgress?, onSession: @escaping @Sendable (StorageUploadSession) -> Void
    ) throws {
        self.reference = reference
        self.settings = settings
        self.progress = progress
        self.onSession = onSession
        do {
            file = try RandomAccessFile.openForReading(source)
            guard try file.isRegular else { throw POSIXError(.EISDIR) }
            fingerprint = try file.fingerprint()
        } catch {
            throw TransferError.sourceUnreadable(source, cause: error)
        }
        if let session, session.fingerprint != fingerprint { throw TransferError.sourceChanged(source) }
        exchange = StorageUploadExchange(length: fingerprint.size, session: session?.url, retryPolicy: reference.storage.retryPolicy)
    }

    mutating func run() async throws -> StorageMetadata {
        let stopwatch = reference.storage.stopwatch
        var next = handle(.begin)
        while let scheduled = try next.get() {
            if scheduled.delay > .zero { try await stopwatch.sleep(stopwatch.elapsed() + scheduled.delay) }
            next = try await send(scheduled.request)
        }
        guard let response, let metadata = try? reference.metadata(in: response) else { return try await reference.metadata() }
        return metadata
    }

    private mutating func send(_ request: StorageUploadExchange.Request) async throws -> Result<ScheduledRequest?, any Error> {
        let start = reference.storage.stopwatch.elapsed()
        do {
            let message = try message(request)
            let response = try await reference.storage.client.exchange(
                message, headTimeout: UploadAttempt.headTimeout(sending: message.body)
            ) {
                try await BackendResponse(url: $2, $0, $1, limit: Self.bodyLimit)
            }
            self.response = response
            let head = ResponseHead(status: response.status, headers: response.headers)
            let failure = FirebaseStorage.failure(response, of: reference.name)
            guard !head.isTransientFailure else {
                throw AttemptFailure.transient(FirebaseSecrets.removed(from: failure), retryAfter: head.headers.retryAfter(now: nil))
            }
            let elapsed = reference.storage.stopwatch.elapsed() - start
            // The error in the body is more specific than the status.
            return handle(.response(head, url: response.url, elapsed: elapsed)).mapError { error in
                if case BackendError.status = error { FirebaseSecrets.removed(from: failure) } else { error }
            }
        } catch is CancellationError {
            throw CancellationError()
        } catch {
            return handle(.failed(AttemptFailure(FirebaseSecrets.removed(from: error)), jitter: reference.storage.random.unitInterval()))
        }
    }

    /// Handles an event and performs its effects; returns the next request, nil at the end.
    private mutating func handle(_ event: StorageUploadExchange.Event) -> Result<ScheduledRequest?, any Error> {
        var effects: [StorageUploadExchange.Effect] = []
        exchange.handle(event, effects: &effects)
        var scheduled: ScheduledRequest?
        for effect in effects {
            switch effect {
            case .send(let request, let delay): scheduled = ScheduledRequest(request: request, delay: delay)
            case .sessionStarted(let url): onSession(StorageUploadSession(url: url, fingerprint))
            case .progressed(let offset): progress?.report(completed: offset, total: fingerprint.size)
            case .done: break
            case .fail(let error): return .failure(error)
            }
        }
        return .success(scheduled)
    }
}

// MARK: - Messages

extension StorageUpload {
    private func message(_ request: StorageUploadExchange.Request) throws -> RequestMessage {
        switch request {
        case .start: return try start()
        case .query: return message("query")
        case .upload(let range, let isLast):
            var message = message(isLast ? "upload, finalize" : "upload")
            message.headers[.googUploadOffset] = "\(range.lowerBound)"
            message.body = .stream(length: range.count) { [file, fingerprint] in
                SourceChunks(file: file, fingerprint: fingerprint, range: range)
            }
            return message
        }
    }

    private func start() throws -> RequestMessage {
        let project = reference.storage.project
        let name: JSONValue = ["name": .string(reference.name)]
        var members = try JSONValue(encoding: settings)
        if case .object(let known) = members, case .object(let named) = name { members = .object(known.merging(named) { $1 }) }
        var message = project.storage.message(
            .post, "v0/b/\(project.bucket)/o", query: ["name": .init(reference.name)],
            content: .text(members.text, type: "application/json"))
        message.preservesMethod = true
        message.headers[.uploadProtocol] = "resumable"
        message.headers[.uploadCommand] = "start"
        message.headers[.uploadHeaderLength] = "\(fingerprint.size)"
        message.headers[.uploadHeaderType] = settings.contentType ?? "application/octet-stream"
        return message
    }

    private func message(_ command: String) -> RequestMessage {
        // The server chose the URL, which may lead to a private address on the server's own host only.
        let ownURL = reference.url()
        var message = RequestMessage(method: .post, url: exchange.session ?? ownURL, trust: .discovered(in: ownURL))
        message.preservesMethod = true
        message.headers[.uploadProtocol] = "resumable"
        message.headers[.uploadCommand] = command
        return message
    }
}
