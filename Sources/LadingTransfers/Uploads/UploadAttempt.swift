import FileAccess
import Foundation
import HTTPTypes
package import LadingHTTP
import Timing

/// One attempt at an upload, which performs the effects of `UploadExchange`.
package struct UploadAttempt {
    /// The maximum size of a response body, in bytes.
    private static let bodyLimit = 64 << 10
    /// The time limit of a response head, extended by the time that the request body takes at `minimumBytesPerSecond`.
    private static let headTimeout = Duration.seconds(30)
    private static let minimumBytesPerSecond = 8 << 10

    private let tracker: TransferTracker
    private let context: TransferContext
    private let file: RandomAccessFile
    private let fingerprint: FileFingerprint
    private let target: URL
    private var exchange: UploadExchange

    /// - Throws: `TransferError` when the source cannot be read.
    init(_ tracker: TransferTracker, _ context: TransferContext) throws {
        let record = tracker.record
        self.tracker = tracker
        self.context = context
        target = record.remote
        do {
            file = try RandomAccessFile.openForReading(record.file)
            guard try file.isRegular else { throw POSIXError(.EISDIR) }
            fingerprint = try file.fingerprint()
        } catch {
            throw TransferError.sourceUnreadable(record.file, cause: error)
        }
        exchange = UploadExchange(
            target: record.remote, length: fingerprint.size, resource: record.resource, isResumable: record.isResumable)
    }

    /// Uploads the remaining part of the file.
    ///
    /// - Throws: `AttemptFailure` or an error that it can be created from; `CancellationError` when the attempt was stopped.
    mutating func run() async throws {
        if let known = tracker.record.fingerprint, known != fingerprint { throw TransferError.sourceChanged(file.url) }
        tracker.update {
            $0.fingerprint = fingerprint
            $0.total = fingerprint.size
        }
        var next = try await handle(.begin)
        while let request = next { next = try await send(request) }
    }

    /// Requests that the server discard an unfinished upload.
    static func discard(_ record: TransferRecord, _ context: TransferContext) async {
        guard let resource = record.resource, var fields = try? await context.headers(resource) else { return }
        fields[.uploadDraftInteropVersion] = ResumableUpload.interopVersion
        var message = RequestMessage(method: .delete, url: resource, headers: fields, trust: .discovered(in: record.remote))
        message.preservesMethod = true
        // Errors are ignored: servers discard unfinished uploads sooner or later.
        try? await context.client.exchange(message) { _, _, _ in }
    }

    /// Returns the time limit of the response head for a message with this body.
    package static func headTimeout(sending body: RequestBody) -> Duration {
        headTimeout + .seconds((body.length ?? 0) / minimumBytesPerSecond)
    }

    private mutating func send(_ request: UploadExchange.Request) async throws -> UploadExchange.Request? {
        let stopwatch = context.startStopwatch()
        let message = try await message(request)
        let limit = Self.headTimeout(sending: message.body)
        let (head, url) = try await context.client.exchange(message, headTimeout: limit) { head, body, url in
            var read = 0
            for try await chunk in body {
                read += chunk.count
                if read > Self.bodyLimit || stopwatch.elapsed() > limit { break }
            }
            return (head, url)
        }
        return try await handle(.response(head, url: url, elapsed: stopwatch.elapsed()))
    }
}

// MARK: - Messages

extension UploadAttempt {
    private func message(_ request: UploadExchange.Request) async throws -> RequestMessage {
        switch request {
        case .discover: return try await message(.options, target)
        case .create:
            var message = try await message(.post, target)
            message.headers[.uploadComplete] = ResumableUpload.text(false)
            message.headers[.uploadLength] = "\(exchange.length)"
            return message
        case .offset: return try await message(.head, resource)
        case .append(let range, let isLast):
            var message = try await message(.patch, resource)
            message.headers[.contentType] = ResumableUpload.mediaType
            message.headers[.uploadOffset] = "\(range.lowerBound)"
            message.headers[.uploadComplete] = ResumableUpload.text(isLast)
            message.body = body(range)
            return message
        case .whole:
            var message = try await message(.put, target)
            message.body = body(0..<exchange.length)
            return message
        }
    }

    private var resource: URL { exchange.resource ?? target }

    private func message(_ method: HTTPRequest.Method, _ url: URL) async throws -> RequestMessage {
        var fields = try await context.headers(url)
        fields[.uploadDraftInteropVersion] = ResumableUpload.interopVersion
        // The server chose the resource, which may lead to a private address on the server's own host only.
        let trust = url == target ? URLTrust.configured : .discovered(in: target)
        var message = RequestMessage(method: method, url: url, headers: fields, trust: trust)
        message.preservesMethod = true
        return message
    }

    /// Returns a body with a range of the source, read in chunks while it is sent.
    private func body(_ range: Range<Int>) -> RequestBody {
        .stream(length: range.count) { [file, fingerprint] in SourceChunks(file: file, fingerprint: fingerprint, range: range) }
            .reportingSentBytes { [tracker, length = exchange.length] sent in tracker.reportProgress(range.lowerBound + sent, of: length) }
    }
}

// MARK: - Effects

extension UploadAttempt {
    private mutating func handle(_ event: UploadExchange.Event) async throws -> UploadExchange.Request? {
        var effects: [UploadExchange.Effect] = []
        exchange.handle(event, effects: &effects)
        var next: UploadExchange.Request?
        for effect in effects {
            switch effect {
            case .send(let request): next = request
            case .save: try await save()
            case .done: break
            case .fail(let failure): throw failure
            }
        }
        return next
    }

    private func save() async throws {
        tracker.update { record in
            record.completed = exchange.offset
            record.resource = exchange.resource
            record.isResumable = exchange.isResumable
        }
        tracker.reportProgress(exchange.offset, of: exchange.length)
        try await tracker.save()
    }
}
