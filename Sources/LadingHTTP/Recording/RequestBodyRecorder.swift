import Foundation
import Synchronization

/// Writes down the body of a message while it is sent, on whichever thread that happens.
final class RequestBodyRecorder: Sendable {
    private struct State {
        var file: BodyFile
        var isWhole = false
        var hasFailed = false
    }

    private let url: URL
    private let state: Mutex<State>

    init(_ url: URL) {
        self.url = url
        state = Mutex(State(file: BodyFile(url)))
    }

    /// Whether the body could not be read to its end, for a reason of its own.
    var hasFailed: Bool { state.withLock { $0.hasFailed } }

    /// The same body, each chunk of which is written down when it is sent.
    func recorded(_ body: RequestBody) throws -> RequestBody {
        if let bytes = body.bytes {
            if !bytes.isEmpty { try note(bytes) }
            try note(nil)
            return body
        }
        var recorded = RequestBody(.stream { try self.sending(of: body) }, length: body.length)
        recorded.whenSent = body.whenSent
        return recorded
    }

    /// One sending, from the beginning.
    private func sending(of body: RequestBody) throws -> RequestBody.NextChunk {
        var body = body
        body.whenSent = nil
        try beginAnew()
        var chunks = body.makeAsyncIterator()
        return {
            do {
                let chunk = try await chunks.next()
                try self.note(chunk)
                return chunk
            } catch {
                self.noteFailure(error)
                throw error
            }
        }
    }

    /// What was sent; nil when the message had no body. Of one that was not sent to its end neither length nor digest is told.
    func close() throws -> RecordedExchange.Body? {
        try state.withLock { state in
            let body = try state.file.close()
            return state.isWhole ? body : RecordedExchange.Body()
        }
    }

    private func beginAnew() throws {
        try state.withLock { state in
            _ = try state.file.close()
            state = State(file: BodyFile(url))
        }
    }

    private func note(_ chunk: [UInt8]?) throws {
        try state.withLock { state in
            guard let chunk else { return state.isWhole = true }
            do { try state.file.write(chunk) } catch { throw RecordingError.notWritten(url, cause: error) }
        }
    }

    /// An executor that has heard enough may cancel the sending; that is not the body's fault.
    private func noteFailure(_ error: any Error) {
        if !(error is CancellationError) { state.withLock { $0.hasFailed = true } }
    }
}
