import Foundation
import HTTPTypes
import LadingOperations

/// One attempt at an upload: reads, asks, and does what `UploadExchange` decides.
struct UploadAttempt {
    /// What of a reply's body is read before the connection is given up, in bytes.
    private static let bodyLimit = 64 << 10
    /// How long a reply may take, and how much longer for each so many bytes that are sent before: a link that is slower is given up.
    private static let headTimeout = Duration.seconds(30)
    private static let minimumBytesPerSecond = 8 << 10

    private let tracker: TransferTracker
    private let context: TransferContext
    private let file: RandomAccessFile
    private let fingerprint: FileFingerprint
    private let target: URL
    private var exchange: UploadExchange

    /// - Throws: `TransferError` when the source cannot be read.
    init(_ ledger: TransferTracker, _ tools: TransferContext) throws {
        let record = ledger.record
        self.tracker = ledger
        self.context = tools
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

    /// - Throws: `AttemptFailure`, or anything that can be made one; `CancellationError` when it was told to stop.
    mutating func run() async throws {
        if let known = tracker.record.fingerprint, known != fingerprint { throw TransferError.sourceChanged(file.url) }
        tracker.update {
            $0.fingerprint = fingerprint
            $0.total = fingerprint.size
        }
        var request = try await handle(.begin)
        while let asked = request { request = try await send(asked) }
    }

    /// Tells the server that nothing more will come.
    static func discard(_ record: TransferRecord, _ tools: TransferContext) async {
        guard let resource = record.resource, var fields = try? await tools.headers(resource) else { return }
        fields[.uploadDraftInteropVersion] = ResumableUpload.interopVersion
        let message = RequestMessage(method: .delete, url: resource, headers: fields, trust: .discovered(in: record.remote))
        // It forgets unfinished uploads by itself, sooner or later.
        try? await tools.client.exchange(message) { _, _, _ in }
    }

    /// How long the reply to a message with this body may take.
    static func headTimeout(sending body: RequestBody) -> Duration {
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
        // The server names the resource: it may lead to a private address of its own host alone.
        return RequestMessage(method: method, url: url, headers: fields, trust: url == target ? .configured : .discovered(in: target))
    }

    /// A part of the source, read piece by piece as it is sent.
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
            case .fail(let trouble): throw trouble
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
