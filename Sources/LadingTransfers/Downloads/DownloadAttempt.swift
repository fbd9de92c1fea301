import FileAccess
import Foundation
import HTTPTypes
import LadingHTTP
import Timing

/// One attempt at a download, which performs the effects of `DownloadExchange`.
struct DownloadAttempt: Sendable {
    /// A request for a file from an offset, provided that its version is unchanged.
    private struct RangeRequest {
        var offset: Int
        var version: FileVersion?
    }

    private let tracker: TransferTracker
    private let context: TransferContext
    private let partFile: PartFile
    private let file: RandomAccessFile
    private let stopwatch: Stopwatch
    private let url: URL
    private let backgroundSync = BackgroundSync()
    private var exchange: DownloadExchange

    /// - Throws: `TransferError` when the target or the part file cannot be created.
    init(_ tracker: TransferTracker, _ context: TransferContext) throws {
        let record = tracker.record
        self.tracker = tracker
        self.context = context
        url = record.remote
        partFile = PartFile(of: record.file, id: record.id)
        try partFile.checkTarget(replacing: record.replacesTarget)
        file = try partFile.open()
        stopwatch = context.startStopwatch()
        exchange = DownloadExchange(url: record.remote, version: record.version, total: record.total, digest: record.digest)
    }

    /// Whether an earlier attempt published the file and was killed before it could record that.
    static func isPublished(_ record: TransferRecord) -> Bool {
        guard let fingerprint = record.fingerprint, access(PartFile(of: record.file, id: record.id).url.path, F_OK) != 0 else {
            return false
        }
        return (try? RandomAccessFile.openForReading(record.file).fingerprint()) == fingerprint
    }

    /// Downloads the missing part of the file and publishes it.
    ///
    /// - Throws: `AttemptFailure` or an error that it can be created from; `CancellationError` when the attempt was stopped.
    mutating func run() async throws {
        // Closures that retain the file may briefly outlive the attempt.
        defer { file.unlock() }
        let length = try usableLength()
        if length < tracker.record.completed { try await forgetSyncedBytes(of: length) }
        var next = try await handle(.begin(length: length))
        do {
            while let request = next { next = try await send(request) }
        } catch {
            // Received data is synced, also when the attempt was stopped.
            try? await finalCheckpoint()
            throw error
        }
    }

    /// Truncates the part file to its valid bytes and returns their number: all of them after a crash of the process, the synced ones otherwise.
    private func usableLength() throws -> Int {
        let (record, length) = (tracker.record, try onFile { try $0.length })
        let usable = record.bootID != nil && record.bootID == context.bootID ? length : min(length, record.completed)
        if usable < length { try onFile { try $0.truncate(to: usable) } }
        return usable
    }

    /// Resets the number of synced bytes, as the part file has lost some, and those that replace them are not synced yet.
    ///
    /// - Parameter length: The number of bytes in the part file, from which the download still resumes.
    private func forgetSyncedBytes(of length: Int) async throws {
        tracker.resetProgress()
        tracker.reportProgress(length, of: tracker.record.total)
        try await tracker.save()
    }

    private mutating func send(_ request: RangeRequest) async throws -> RangeRequest? {
        let message = RequestMessage(url: url, headers: try await headers(for: request))
        // A stored response may be outdated, and after a mismatch it would be received again.
        return try await context.client.withoutCache().exchange(message) { head, body, _ in
            if let next = try await handle(.head(head)) { return next }
            for try await chunk in body {
                try write(chunk)
                _ = try await handle(.received(chunk.count, at: stopwatch.elapsed()))
                tracker.reportProgress(exchange.completed, of: exchange.total)
            }
            return try await handle(.ended)
        }
    }

    private func headers(for request: RangeRequest) async throws -> HTTPFields {
        var fields = try await context.headers(url)
        // A range of an encoded file is useless, and the length of an encoded file is unknown.
        fields[.acceptEncoding] = "identity"
        if request.offset > 0, let version = request.version {
            fields[.range] = "bytes=\(request.offset)-"
            fields[.ifRange] = version.text
        }
        return fields
    }

    /// Performs work on the part file, whose errors name the target.
    private func onFile<Value>(_ work: (RandomAccessFile) throws -> Value) throws -> Value {
        do { return try work(file) } catch { throw PartFile.transferError(error, target: partFile.target) }
    }

    private func write(_ chunk: [UInt8]) throws {
        try onFile { try $0.write(chunk, at: exchange.completed) }
    }
}

// MARK: - Effects

extension DownloadAttempt {
    /// Handles an event and performs its effects; returns the next request, if any.
    private mutating func handle(_ event: DownloadExchange.Event) async throws -> RangeRequest? {
        var effects: [DownloadExchange.Effect] = []
        exchange.handle(event, effects: &effects)
        var request: RangeRequest?
        for effect in effects {
            switch effect {
            case .request(let offset, let version): request = RangeRequest(offset: offset, version: version)
            case .check(let range, let digest):
                guard try await matches([digest], in: range) == [true] else { return try await handle(.mismatched(.digestMismatch(url))) }
            case .publish:
                guard file.isFile(at: partFile.url) else { return try await handle(.partFileLost(.partFileInUse(partFile.target))) }
                if let mismatch = try await publish() { return try await handle(.mismatched(mismatch)) }
            default: try await perform(effect)
            }
        }
        return request
    }

    private func perform(_ effect: DownloadExchange.Effect) async throws {
        switch effect {
        case .request, .check, .publish: break
        case .truncate(let length):
            try await backgroundSync.waitForCompletion()
            try onFile { try $0.truncate(to: length) }
            tracker.resetProgress()
        case .reserve(let needed): try reserve(needed)
        case .save:
            try await backgroundSync.waitForCompletion()
            try await save(exchange, synced: nil, bootID: context.bootID)
        case .checkpoint: checkpointInBackground()
        case .fail(let failure): throw failure
        }
    }

    private func reserve(_ needed: Int) throws {
        guard let capacity = context.availableCapacity(partFile.target.deletingLastPathComponent()), capacity < needed else { return }
        throw TransferError.diskFull(partFile.target, needed: needed)
    }

    /// Syncs the received data and waits for the result.
    private func checkpoint() async throws {
        try await backgroundSync.waitForCompletion()
        try await checkpoint(exchange)
    }

    /// Syncs the received data after the last write, and nothing else: a chunk may have been written in part.
    private func finalCheckpoint() async throws {
        try await backgroundSync.waitForCompletion()
        try onFile { file in
            if try file.length > exchange.completed { try file.truncate(to: exchange.completed) }
        }
        try await sync()
        try await save(exchange, synced: exchange.completed, bootID: nil)
    }

    /// Syncs the received data while more arrives.
    private func checkpointInBackground() {
        backgroundSync.begin { [self] in try await checkpoint(exchange) }
    }

    private func checkpoint(_ exchange: DownloadExchange) async throws {
        try await sync()
        try await save(exchange, synced: exchange.completed, bootID: context.bootID)
    }

    private func sync() async throws {
        do {
            try await context.threadPool.run { [file] in try file.sync() }
        } catch {
            throw PartFile.transferError(error, target: partFile.target)
        }
    }

    private func save(_ exchange: DownloadExchange, synced completed: Int?, bootID: String?) async throws {
        tracker.update { record in
            record.bootID = bootID
            record.total = exchange.total
            record.version = exchange.version
            record.digest = exchange.digest
            record.isResumable = exchange.isResumable ?? record.isResumable
            if let completed { record.completed = completed }
        }
        try await tracker.save()
    }

    /// Returns whether a range of the part file has the digest in each of some fields. It ends when the attempt is stopped.
    private func matches(_ digests: [String], in range: Range<Int>) async throws -> [Bool] {
        try await context.threadPool.runCancellable { [file, context] checkCancellation in
            try ContentDigest.matches(digests, file: file, in: range, using: context.digests, checkCancellation: checkCancellation)
        }
    }

    /// Publishes the file under its name; returns the mismatch when the file on disk is not the one that was received.
    private func publish() async throws -> TransferError? {
        try await checkpoint()
        if let mismatch = try await mismatch() { return mismatch }
        let fingerprint = try onFile { try $0.fingerprint() }
        tracker.update { $0.fingerprint = fingerprint }
        try await tracker.save()
        do {
            try await context.threadPool.run { [partFile, replaces = tracker.record.replacesTarget] in
                try RandomAccessFile.publish(partFile.url, as: partFile.target, replacing: replaces)
            }
        } catch {
            throw PartFile.transferError(error, target: partFile.target)
        }
        return nil
    }

    /// Returns the mismatch between the part file and the whole file; nil when there is none.
    private func mismatch() async throws -> TransferError? {
        let found = try onFile { try $0.length }
        guard found == exchange.completed else { return .lengthMismatch(partFile.target, expected: exchange.completed, found: found) }
        let known = tracker.record.knownDigest
        try context.checkSupport(of: known)
        let sent = exchange.digest.map { (text: $0, mismatch: TransferError.digestMismatch(url)) }
        let expected = known.map { (text: $0.text, mismatch: TransferError.unexpectedContent(url)) }
        let digests = [sent, expected].compactMap { $0 }
        let results = try await matches(digests.map { $0.text }, in: 0..<found)
        return results.firstIndex(of: false).map { digests[$0].mismatch }
    }
}
