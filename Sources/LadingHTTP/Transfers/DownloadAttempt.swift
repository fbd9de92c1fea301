import Foundation
import HTTPTypes
import LadingOperations

/// One attempt at a download: asks, writes, and does what `DownloadExchange` decides.
struct DownloadAttempt: Sendable {
    /// What is asked of the server.
    private struct Question {
        var offset: Int
        var version: FileVersion?
    }

    private let ledger: TransferLedger
    private let tools: TransferTools
    private let part: PartFile
    private let file: FileBytes
    private let stopwatch: Stopwatch
    private let url: URL
    private let sideClaim = SideClaim()
    private var exchange: DownloadExchange

    /// - Throws: `TransferError` when the target cannot come about.
    init(_ ledger: TransferLedger, _ tools: TransferTools) throws {
        let record = ledger.record
        self.ledger = ledger
        self.tools = tools
        url = record.remote
        part = PartFile(of: record.file, id: record.id)
        try part.checkTarget(replacing: record.replaces)
        file = try part.open()
        stopwatch = tools.startStopwatch()
        exchange = DownloadExchange(url: record.remote, version: record.version, total: record.total, digest: record.digest)
    }

    /// Whether an earlier attempt had brought the whole file, and was killed before it could write so.
    static func isPublished(_ record: TransferRecord) -> Bool {
        guard let stamp = record.stamp, access(PartFile(of: record.file, id: record.id).url.path, F_OK) != 0 else { return false }
        return (try? FileBytes.reading(record.file).stamp()) == stamp
    }

    /// - Throws: `TransferTrouble`, or anything that can be made one; `CancellationError` when it was told to stop.
    mutating func run() async throws {
        // Closures that hold the file may outlive the attempt by a moment.
        defer { file.unlock() }
        var question = try await handle(.begin(length: try usableLength()))
        do {
            while let asked = question { question = try await ask(asked) }
        } catch {
            // What has arrived is made sure of, also when the attempt was told to stop.
            try? await claimLast()
            throw error
        }
    }

    /// The number of part-file bytes known to be valid: all of them when its process was killed, what was synced when it ended in order or with the machine.
    private func usableLength() throws -> Int {
        let (record, length) = (ledger.record, try file.length)
        let usable = record.boot != nil && record.boot == tools.boot ? length : min(length, record.completed)
        if usable < length { try file.truncate(to: usable) }
        return usable
    }

    private mutating func ask(_ question: Question) async throws -> Question? {
        let message = RequestMessage(url: url, headers: try await fields(question))
        return try await tools.client.exchange(message) { head, body, _ in
            if let next = try await handle(.head(head)) { return next }
            for try await chunk in body {
                try write(chunk)
                _ = try await handle(.received(chunk.count, at: stopwatch.elapsed()))
                ledger.move(to: exchange.completed, of: exchange.total)
            }
            return try await handle(.ended)
        }
    }

    private func fields(_ question: Question) async throws -> HTTPFields {
        var fields = try await tools.fields(url)
        // A part of a coded file is of no use, and of a coded one no length is known.
        fields[.acceptEncoding] = "identity"
        if question.offset > 0, let version = question.version {
            fields[.range] = "bytes=\(question.offset)-"
            fields[.ifRange] = version.text
        }
        return fields
    }

    private func write(_ chunk: [UInt8]) throws {
        do { try file.write(chunk, at: exchange.completed) } catch { throw PartFile.error(error, part.target) }
    }
}

// MARK: - Effects

extension DownloadAttempt {
    /// Tells the decision an event and does what it says; gives what is to be asked next.
    private mutating func handle(_ event: DownloadExchange.Event) async throws -> Question? {
        var effects: [DownloadExchange.Effect] = []
        exchange.handle(event, effects: &effects)
        var question: Question?
        for effect in effects {
            switch effect {
            case .ask(let offset, let version): question = Question(offset: offset, version: version)
            case .check(let range, let digest):
                guard try await holds(digest, in: range) else { return try await handle(.mismatched(.digestMismatch(url))) }
            case .publish:
                guard file.isFile(at: part.url) else { return try await handle(.lost(.partFileInUse(part.target))) }
                if let mismatch = try await publish() { return try await handle(.mismatched(mismatch)) }
            default: try await perform(effect)
            }
        }
        return question
    }

    private func perform(_ effect: DownloadExchange.Effect) async throws {
        switch effect {
        case .ask, .check, .publish: break
        case .truncate(let length):
            try await sideClaim.settle()
            try file.truncate(to: length)
            ledger.reset()
        case .reserve(let needed): try reserve(needed)
        case .note:
            try await sideClaim.settle()
            try await note(exchange, claiming: nil, boot: tools.boot)
        case .claim: claimAside()
        case .fail(let trouble): throw trouble
        }
    }

    private func reserve(_ needed: Int) throws {
        guard let room = tools.room(part.target.deletingLastPathComponent()), room < needed else { return }
        throw TransferError.diskFull(part.target, needed: needed)
    }

    /// Makes sure of what is there, and waits until that is done.
    private func claim() async throws {
        try await sideClaim.settle()
        try await claim(exchange)
    }

    /// Makes sure of what is there when nothing more will be written, and of nothing else: a chunk may have been written in part.
    private func claimLast() async throws {
        try await sideClaim.settle()
        if try file.length > exchange.completed { try file.truncate(to: exchange.completed) }
        try await sync()
        try await note(exchange, claiming: exchange.completed, boot: nil)
    }

    /// Makes sure of what is there while more arrives.
    private func claimAside() {
        sideClaim.begin { [self] in try await claim(exchange) }
    }

    private func claim(_ exchange: DownloadExchange) async throws {
        try await sync()
        try await note(exchange, claiming: exchange.completed, boot: tools.boot)
    }

    private func sync() async throws {
        do {
            try await tools.files.run { [file] in try file.sync() }
        } catch {
            throw PartFile.error(error, part.target)
        }
    }

    private func note(_ exchange: DownloadExchange, claiming completed: Int?, boot: String?) async throws {
        ledger.update { record in
            record.boot = boot
            record.total = exchange.total
            record.version = exchange.version
            record.digest = exchange.digest
            record.isResumable = exchange.isResumable ?? record.isResumable
            if let completed { record.completed = completed }
        }
        try await ledger.note()
    }

    private func holds(_ digest: String, in range: Range<Int>) async throws -> Bool {
        try await tools.files.run { [file, tools] in
            try ContentDigest.holds(digest, for: file, in: range, knowing: tools.digests)
        }
    }

    /// Gives the file its name; returns the difference when the file on disk is not the one that arrived.
    private func publish() async throws -> TransferError? {
        try await claim()
        if let mismatch = try await mismatch() { return mismatch }
        let stamp = try file.stamp()
        ledger.update { $0.stamp = stamp }
        try await ledger.note()
        do {
            try await tools.files.run { [part, replaces = ledger.record.replaces] in
                try FileBytes.publish(part.url, as: part.target, replacing: replaces)
            }
        } catch {
            throw PartFile.error(error, part.target)
        }
        return nil
    }

    /// Returns the difference between the part file and the whole file; nil when there is none.
    private func mismatch() async throws -> TransferError? {
        let found = try file.length
        guard found == exchange.completed else { return .lengthMismatch(part.target, expected: exchange.completed, found: found) }
        if let digest = exchange.digest, try await !holds(digest, in: 0..<found) { return .digestMismatch(url) }
        guard let known = ledger.record.knownDigest else { return nil }
        try tools.checkSupport(of: known)
        return try await holds(known.text, in: 0..<found) ? nil : .unexpectedContent(url)
    }
}
