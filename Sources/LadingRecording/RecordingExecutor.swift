public import Foundation
public import LadingHTTP
import Synchronization
import Timing

/// An executor that records the exchanges of another one, in a directory that `ReplayingExecutor` reads.
///
/// Each exchange becomes a folder with a readable file `exchange.json` and the bodies beside it. Secrets are replaced before anything is written;
/// bodies are recorded unchanged. An exchange that is cancelled, or whose request body cannot be read, is not recorded; one that fails is recorded
/// with its failure. A write error fails the exchange with `RecordingError.writeFailed`. A confidential message is sent without being recorded.
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

    /// Creates an executor that records the exchanges of another one.
    ///
    /// - Parameters:
    ///   - directory: The directory to add recordings to, created if it does not exist. It belongs to one executor at a time.
    ///   - clock: The clock that measures the arrival of the parts of a response.
    /// - Throws: `RecordingError` when the directory cannot be used.
    public init(
        _ executor: any BackendExecutor, in directory: URL, secrets: SecretRedaction = .standard,
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
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try Task.checkCancellation()
        guard !message.containsSecrets else { return try await executor.execute(message, timeLimit: timeLimit, receive: receive) }
        let number = nextNumber.withLock { number in
            defer { number += 1 }
            return number
        }
        let writer = try ExchangeWriter(message, number: number, in: directory.url, secrets: secrets)
        let recorder = ExchangeRecorder(writer: writer, stopwatch: startStopwatch())
        do {
            let outcome = try await executor.execute(writer.message, timeLimit: timeLimit) { head, body in
                recorder.record(head)
                return try await receive(head, recorder.recording(body))
            }
            try recorder.finish()
            return outcome
        } catch {
            try recorder.finish(error)
            throw error
        }
    }
}

/// A recorder of one exchange.
private final class ExchangeRecorder {
    private enum BodyEnd {
        case complete
        case failed(any Error)
        case writeFailed
    }

    private let writer: ExchangeWriter
    private let stopwatch: Stopwatch
    /// The end of the body; nil while it has not been read to its end.
    private var end: BodyEnd?
    private var isFinished = false

    init(writer: ExchangeWriter, stopwatch: Stopwatch) {
        self.writer = writer
        self.stopwatch = stopwatch
    }

    func record(_ head: ResponseHead) { writer.write(head, at: stopwatch.elapsed()) }

    /// Returns the same body, each chunk of which is recorded when it is read.
    func recording(_ body: ResponseBody) -> ResponseBody {
        var chunks = body.makeAsyncIterator()
        return ResponseBody {
            do {
                let chunk = try await chunks.next()
                if chunk == nil { self.end = .complete }
                try self.record(chunk)
                return chunk
            } catch {
                if self.end == nil { self.end = .failed(error) }
                throw error
            }
        }
    }

    private func record(_ chunk: [UInt8]?) throws {
        guard let chunk else { return }
        do { try writer.write(chunk, at: stopwatch.elapsed()) } catch {
            end = .writeFailed
            throw error
        }
    }

    /// Completes the recording after the receiver has returned.
    func finish() throws {
        isFinished = true
        switch end {
        case .complete: try writer.finish(nil)
        case .failed(let error): try finishFailed(error)
        case .writeFailed: writer.discard()
        case nil: try writer.finish(.truncated(at: stopwatch.elapsed()))
        }
    }

    /// Completes the recording after an error of the exchange or of the receiver.
    func finish(_ error: any Error) throws {
        guard !isFinished else { return }
        if !writer.hasHead, end == nil { end = .failed(error) }
        if error is CancellationError || writer.hasRequestBodyFailed { writer.discard() } else { try finish() }
    }

    private func finishFailed(_ error: any Error) throws {
        if error is CancellationError { return writer.discard() }
        try writer.finish(writer.failure(error, at: stopwatch.elapsed()))
    }
}
