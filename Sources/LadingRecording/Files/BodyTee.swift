import Foundation
import LadingHTTP
import Synchronization

/// A recorder of the body of a message while it is sent, from any thread.
final class BodyTee: Sendable {
    private struct State {
        var file: BodyFile
        var isComplete = false
        var hasFailed = false
    }

    private let url: URL
    private let state: Mutex<State>

    init(_ url: URL) {
        self.url = url
        state = Mutex(State(file: BodyFile(url)))
    }

    /// Whether reading the body failed, other than by cancellation.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// Returns the same body, each chunk of which is recorded when it is sent.
    func recorded(_ body: RequestBody) throws -> RequestBody {
        if let bytes = body.bytes {
            if !bytes.isEmpty { try record(bytes) }
            try record(nil)
            return body
        }
        var recorded = RequestBody(.stream { try self.chunks(of: body) }, length: body.length)
        recorded.onSent = body.onSent
        return recorded
    }

    /// Starts a transmission from the beginning.
    private func chunks(of body: RequestBody) throws -> RequestBody.NextChunk {
        var body = body
        body.onSent = nil
        try reset()
        var chunks = body.makeAsyncIterator()
        return {
            do {
                let chunk = try await chunks.next()
                try self.record(chunk)
                return chunk
            } catch {
                self.recordFailure(error)
                throw error
            }
        }
    }

    /// Returns the sent body; nil when the message had none. An incompletely sent body has neither length nor digest.
    func close() throws -> RecordedExchange.Body? {
        try state.withLock { state in
            let body = try state.file.close()
            return state.isComplete ? body : RecordedExchange.Body()
        }
    }

    private func reset() throws {
        try state.withLock { state in
            _ = try state.file.close()
            state = State(file: BodyFile(url))
        }
    }

    private func record(_ chunk: [UInt8]?) throws {
        try state.withLock { state in
            guard let chunk else { return state.isComplete = true }
            do { try state.file.write(chunk) } catch { throw RecordingError.writeFailed(url, cause: error) }
        }
    }

    /// Executors may cancel a transmission after a response, which is no failure of the body.
    private func recordFailure(_ error: any Error) {
        if !(error is CancellationError) { state.withLock { $0.hasFailed = true } }
    }
}
