public import Foundation
import LadingOperations
import Synchronization

/// Writes down what another executor exchanges, in a directory that `ReplayingExecutor` answers from.
///
/// Each exchange becomes a folder with a file `exchange.json` for people and the bodies beside it. Secrets are replaced before anything is
/// written; bodies are written as they are. An exchange that is cancelled, or whose own body cannot be read, leaves nothing; one that fails is recorded with its failure. What cannot be
/// written fails the exchange with `RecordingError.notWritten`. A message that is confidential is exchanged without being recorded.
///
/// ```swift
/// let executor = try RecordingExecutor(URLSessionExecutor(), in: directory)
/// ```
public final class RecordingExecutor: BackendExecutor {
    private let executor: any BackendExecutor
    private let directory: RecordingDirectory
    private let secrets: SecretRedaction
    private let startStopwatch: @Sendable () -> Stopwatch
    private let nextNumber: Mutex<Int>

    /// - Parameters:
    ///   - directory: Made unless it is there; recordings that lie in it are added to. It belongs to one executor at a time.
    ///   - clock: Measures when the parts of a reply come.
    /// - Throws: `RecordingError` when the directory cannot be used.
    public init(
        _ executor: any BackendExecutor, in directory: URL, secrets: SecretRedaction = .usual,
        clock: some Clock<Duration> = ContinuousClock()
    ) throws {
        self.executor = executor
        self.directory = RecordingDirectory(url: directory)
        self.secrets = secrets
        startStopwatch = { Stopwatch(clock) }
        nextNumber = Mutex(try self.directory.prepare())
    }

    public nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ReplyHead, ReplyBody) async throws -> Outcome
    ) async throws -> Outcome {
        try Task.checkCancellation()
        guard !message.isConfidential else { return try await executor.execute(message, timeLimit: timeLimit, receive: receive) }
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
        let writer = try ExchangeWriter(message, number: number, in: directory.url, secrets: secrets)
        let scribe = Scribe(writer: writer, stopwatch: startStopwatch())
        do {
            let outcome = try await executor.execute(writer.message, timeLimit: timeLimit) { head, body in
                scribe.note(head)
                return try await receive(head, scribe.noting(body))
            }
            try scribe.finish()
            return outcome
        } catch {
            try scribe.finish(error)
            throw error
        }
    }
}

/// Notes one exchange while it goes on.
private final class Scribe {
    private enum End {
        case whole
        case broken(any Error)
        case unwritable
    }

    private let writer: ExchangeWriter
    private let stopwatch: Stopwatch
    /// How the body ended; nil when nobody has read so far.
    private var end: End?
    private var isFinished = false

    init(writer: ExchangeWriter, stopwatch: Stopwatch) {
        self.writer = writer
        self.stopwatch = stopwatch
    }

    func note(_ head: ReplyHead) { writer.write(head, at: stopwatch.elapsed()) }

    /// The same body, each chunk of which is noted when it is read.
    func noting(_ body: ReplyBody) -> ReplyBody {
        var chunks = body.makeAsyncIterator()
        return ReplyBody {
            do {
                let chunk = try await chunks.next()
                if chunk == nil { self.end = .whole }
                try self.note(chunk)
                return chunk
            } catch {
                if self.end == nil { self.end = .broken(error) }
                throw error
            }
        }
    }

    private func note(_ chunk: [UInt8]?) throws {
        guard let chunk else { return }
        do { try writer.write(chunk, at: stopwatch.elapsed()) } catch {
            end = .unwritable
            throw error
        }
    }

    /// The reader is done.
    func finish() throws {
        isFinished = true
        switch end {
        case .whole: try writer.finish(nil)
        case .broken(let error): try finishBroken(error)
        case .unwritable: writer.discard()
        case nil: try writer.finish(.left(at: stopwatch.elapsed()))
        }
    }

    /// The exchange failed, or the reader did.
    func finish(_ error: any Error) throws {
        guard !isFinished else { return }
        if !writer.hasHead, end == nil { end = .broken(error) }
        if error is CancellationError || writer.hasBodyFailed { writer.discard() } else { try finish() }
    }

    private func finishBroken(_ error: any Error) throws {
        if error is CancellationError { return writer.discard() }
        try writer.finish(writer.failure(error, at: stopwatch.elapsed()))
    }
}
