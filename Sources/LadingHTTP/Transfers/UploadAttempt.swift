import Foundation
import HTTPTypes
import LadingOperations

/// One attempt at an upload: reads, asks, and does what `UploadExchange` decides.
struct UploadAttempt {
    /// What of a reply's body is read before the connection is given up, in bytes.
    private static let bodyLimit = 64 << 10
    /// How long a reply may take, and how much longer for each so many bytes that are sent before: a link that is slower is given up.
    private static let headTime = Duration.seconds(30)
    private static let slowestLink = 8 << 10

    private let ledger: TransferLedger
    private let tools: TransferTools
    private let file: FileBytes
    private let stamp: SourceStamp
    private let target: URL
    private var exchange: UploadExchange

    /// - Throws: `TransferError` when the source cannot be read.
    init(_ ledger: TransferLedger, _ tools: TransferTools) throws {
        let record = ledger.record
        self.ledger = ledger
        self.tools = tools
        target = record.remote
        do {
            file = try FileBytes.reading(record.file)
            guard try file.isRegular else { throw POSIXError(.EISDIR) }
            stamp = try file.stamp()
        } catch {
            throw TransferError.sourceUnreadable(record.file, cause: error)
        }
        exchange = UploadExchange(
            target: record.remote, length: stamp.size, resource: record.resource, isResumable: record.isResumable)
    }

    /// - Throws: `TransferTrouble`, or anything that can be made one; `CancellationError` when it was told to stop.
    mutating func run() async throws {
        if let known = ledger.record.stamp, known != stamp { throw TransferError.sourceChanged(file.url) }
        ledger.update {
            $0.stamp = stamp
            $0.total = stamp.size
        }
        var request = try await handle(.begin)
        while let asked = request { request = try await ask(asked) }
    }

    /// Tells the server that nothing more will come.
    static func discard(_ record: TransferRecord, _ tools: TransferTools) async {
        guard let resource = record.resource, var fields = try? await tools.fields(resource) else { return }
        fields[.uploadDraftInteropVersion] = ResumableUpload.interopVersion
        let message = RequestMessage(method: .delete, url: resource, headers: fields, provenance: .named(by: record.remote))
        // It forgets unfinished uploads by itself, sooner or later.
        try? await tools.client.exchange(message) { _, _, _ in }
    }

    /// How long the reply to a message with this body may take.
    static func headTime(sending body: RequestBody) -> Duration {
        headTime + .seconds((body.length ?? 0) / slowestLink)
    }

    private mutating func ask(_ request: UploadExchange.Request) async throws -> UploadExchange.Request? {
        let stopwatch = tools.startStopwatch()
        let message = try await message(request)
        let limit = Self.headTime(sending: message.body)
        let (head, url) = try await tools.client.exchange(message, headTime: limit) { head, body, url in
            var read = 0
            for try await chunk in body {
                read += chunk.count
                if read > Self.bodyLimit || stopwatch.elapsed() > limit { break }
            }
            return (head, url)
        }
        return try await handle(.reply(head, url: url, elapsed: stopwatch.elapsed()))
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
        var fields = try await tools.fields(url)
        fields[.uploadDraftInteropVersion] = ResumableUpload.interopVersion
        // The server names the resource: it may lead to a private address of its own host alone.
        return RequestMessage(method: method, url: url, headers: fields, provenance: url == target ? .own : .named(by: target))
    }

    /// A part of the source, read piece by piece as it is sent.
    private func body(_ range: Range<Int>) -> RequestBody {
        .stream(length: range.count) { [file, stamp] in SourceChunks(file: file, stamp: stamp, range: range) }
            .reporting { [ledger, length = exchange.length] sent in ledger.move(to: range.lowerBound + sent, of: length) }
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
            case .ask(let request): next = request
            case .note: try await note()
            case .done: break
            case .fail(let trouble): throw trouble
            }
        }
        return next
    }

    private func note() async throws {
        ledger.update { record in
            record.completed = exchange.offset
            record.resource = exchange.resource
            record.isResumable = exchange.isResumable
        }
        ledger.move(to: exchange.offset, of: exchange.length)
        try await ledger.note()
    }
}
