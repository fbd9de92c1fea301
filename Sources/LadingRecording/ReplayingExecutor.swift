import Digests
public import Foundation
import HTTPTypes
public import LadingHTTP
import Synchronization
import Timing

/// An executor that replays the exchanges recorded by a `RecordingExecutor`, without a network.
///
/// A request is matched with the recording of an equal one: by method, URL, body, and the header fields that the response varied by. Secrets count as
/// equal. A response with 206 or 416 is replayed for the same range only, and one with 304 or 412 for requests with a condition only. Equal requests
/// are matched with their recordings in order, and then with the last one. Failures are replayed as failures. A request without a recording fails
/// with `RecordingError.noRecording`.
public final class ReplayingExecutor: BackendExecutor {
    /// The timing of replayed responses.
    public enum Timing: Hashable, Sendable {
        case immediate
        /// The timing of the recording.
        case asRecorded
    }

    private let index: Mutex<RecordingIndex>
    private let secrets: SecretRedaction
    private let timing: Timing
    private let startStopwatch: @Sendable () -> Stopwatch

    /// Creates an executor of the recorded exchanges in a directory.
    ///
    /// - Parameters:
    ///   - secrets: The redaction that the recording was made with.
    ///   - clock: The clock of `Timing.asRecorded`.
    /// - Throws: `RecordingError` when a recording cannot be read. Bodies are read on demand.
    public init(
        directory: URL, secrets: SecretRedaction = .standard, timing: Timing = .immediate, clock: some Clock<Duration> = ContinuousClock()
    ) throws {
        index = Mutex(RecordingIndex(try RecordingDirectory(url: directory).recordings(), secrets: secrets))
        self.secrets = secrets
        self.timing = timing
        startStopwatch = { Stopwatch(clock) }
    }

    public nonisolated(nonsending) func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration,
        receive: nonisolated(nonsending) (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try Task.checkCancellation()
        let stopwatch = startStopwatch()
        let recording = try await recording(for: message)
        let exchange = recording.exchange
        guard let head = recording.head, let response = exchange.response else {
            try await waitForHead(of: message, until: exchange.failure?.at ?? 0, within: timeLimit, stopwatch)
            throw failure(of: exchange, for: message)
                ?? RecordingError.noRecording(method: exchange.request.method, url: exchange.request.url)
        }
        let body = try recording.responseBody()
        try await waitForHead(of: message, until: response.at, within: timeLimit, stopwatch)
        return try await receive(
            head,
            ResponseBody { [self] in
                try Task.checkCancellation()
                if let time = body?.nextTime { try await wait(until: time, stopwatch) }
                if let chunk = try body?.next() { return chunk }
                if let failure = failure(of: exchange, for: message) {
                    try await wait(until: exchange.failure?.at ?? 0, stopwatch)
                    throw failure
                }
                return nil
            })
    }

    private func recording(for message: RequestMessage) async throws -> Recording {
        let key = RecordingIndex.RequestKey(method: message.method.rawValue, url: secrets.redacted(message.url))
        let digest = try await digest(of: message.body)
        guard let recording = index.withLock({ $0.next(for: key, body: digest, headers: message.headers) }) else {
            throw RecordingError.noRecording(method: key.method, url: key.url)
        }
        return recording
    }

    /// Returns the digest of a body, read as if it were sent; nil for an empty body.
    private func digest(of body: RequestBody) async throws -> String? {
        var (digest, isEmpty) = (SHA256(), true)
        for try await chunk in body where !chunk.isEmpty {
            digest.update(data: chunk)
            isEmpty = false
        }
        return isEmpty ? nil : digest.finalize().hexString
    }

    private func failure(of exchange: RecordedExchange, for message: RequestMessage) -> (any Error)? {
        exchange.failure?.error(for: message.url, recordedAs: exchange.request.url)
    }

    /// Waits until the recorded time of the response head, or of the failure in its place.
    ///
    /// - Throws: `BackendError.timedOut` when that exceeds the time limit.
    private func waitForHead(of message: RequestMessage, until time: Double, within limit: Duration, _ stopwatch: Stopwatch) async throws {
        guard timing == .asRecorded, .seconds(time) > limit else { return try await wait(until: time, stopwatch) }
        try await stopwatch.sleep(limit)
        throw BackendError.timedOut(message.url, after: limit)
    }

    /// Waits until the recorded time of an event, if exchanges are replayed at their recorded pace.
    ///
    /// - Parameter time: The time since the exchange began, in seconds.
    private func wait(until time: Double, _ stopwatch: Stopwatch) async throws {
        if timing == .asRecorded { try await stopwatch.sleep(.seconds(time)) }
    }
}
