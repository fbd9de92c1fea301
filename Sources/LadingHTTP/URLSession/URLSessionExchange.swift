import Foundation
import Synchronization
import Timing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// One exchange of a `URLSessionExecutor`: the delegate delivers the response, the task of the executor reads it.
final class URLSessionExchange: Sendable {
    private struct State {
        var buffer: ResponseBuffer
        /// The reader that waits for a part of the response.
        var reader: CheckedContinuation<Void, Never>?
        var timeoutTask: Task<Void, Never>?
        /// Whether the task was closed. It is accessed only in `taskQueue`, so that completions stay in order.
        var isClosed = false
    }

    private let message: RequestMessage
    private let file: UploadFile?
    private let task: URLSessionDataTask
    /// The serial queue for calls of the task. On Linux these block until the session responds, which must not block Swift's threads.
    private let taskQueue = DispatchQueue(label: "lading.urlsession")
    private let limits: ResponseBuffer.Limits
    private let stopwatch: Stopwatch
    private let state: Mutex<State>

    /// - Parameter file: The file that the body is sent from; nil when it is sent from memory.
    init(
        _ message: RequestMessage, _ file: UploadFile?, _ task: URLSessionDataTask, _ limits: ResponseBuffer.Limits, _ stopwatch: Stopwatch
    ) {
        self.message = message
        self.file = file
        self.task = task
        self.limits = limits
        self.stopwatch = stopwatch
        state = Mutex(State(buffer: ResponseBuffer(limits: limits)))
    }

    /// Sends the message and starts to enforce the time limits.
    func begin() {
        // The time before, in which addresses were resolved and the body was written to a file, is no silence of the server.
        state.withLock { $0.buffer.recordActivity(at: stopwatch.elapsed()) }
        let timeoutTask = Task { await self.watchDeadlines() }
        state.withLock { $0.timeoutTask = timeoutTask }
        taskQueue.async { [task] in task.resume() }
    }

    func head() async throws -> ResponseHead {
        guard case .head(let head) = try await next() else {
            throw BackendError.malformedResponse(message.url, cause: URLError(.badServerResponse))
        }
        return head
    }

    /// Returns the next bytes of the body, after the head was read; nil after the last.
    func nextChunk() async throws -> [UInt8]? {
        guard case .body(let bytes) = try await next() else { return nil }
        return bytes
    }

    /// Returns the next part of the response.
    private func next() async throws -> ResponseBuffer.Part {
        while true {
            if let part = try nextPart() { return part }
            await waitUntilReady()
        }
    }

    /// Returns the next part; nil when the reader has to wait for it.
    private func nextPart() throws -> ResponseBuffer.Part? {
        try state.withLock { state in
            guard let (part, effect) = try state.buffer.next(at: stopwatch.elapsed()) else { return nil }
            enqueue(effect)
            return part
        }
    }

    /// Ends the exchange and closes the connection, unless the response has ended.
    func close(_ error: any Error = CancellationError()) {
        update { buffer in
            defer { buffer.cancel(with: error) }
            return buffer.hasEnded ? nil : .close
        }
        state.withLock { $0.timeoutTask }?.cancel()
    }

    private func waitUntilReady() async {
        await withCheckedContinuation { reader in
            let isReady = state.withLock { state in
                if !state.buffer.isReady { state.reader = reader }
                return state.buffer.isReady
            }
            if isReady { reader.resume() }
        }
    }

    private func watchDeadlines() async {
        while true {
            let now = stopwatch.elapsed()
            switch state.withLock({ $0.buffer.deadline(at: now) }) {
            case .none: return
            case .expired(let limit): return close(BackendError.timedOut(message.url, after: limit))
            case .at(let deadline):
                do { try await stopwatch.sleep(deadline) } catch { return }
            }
        }
    }

    /// Updates the buffer, and resumes the reader if there is something to read.
    private func update(_ event: (inout ResponseBuffer) -> ResponseBuffer.Effect?) {
        let reader = state.withLock { state in
            enqueue(event(&state.buffer))
            return state.buffer.isReady ? state.reader.take() : nil
        }
        reader?.resume()
    }

    /// Performs an effect in `taskQueue`. It is called under the lock under which the effect was decided, so that effects stay in order.
    private func enqueue(_ effect: ResponseBuffer.Effect?) {
        guard let effect else { return }
        taskQueue.async { [self] in
            switch effect {
            case .suspend: task.suspend()
            case .resume: task.resume()
            case .close:
                state.withLock { $0.isClosed = true }
                task.cancel()
            }
        }
    }
}

// MARK: - Delegate events

extension URLSessionExchange {
    func received(_ response: URLResponse) {
        guard let head = ResponseHead(response) else { return }
        update { buffer in
            buffer.receive(head, at: stopwatch.elapsed())
            return nil
        }
    }

    /// Calls a completion handler of the task, in order with the other calls of the task.
    ///
    /// On Linux, calling the handler of a task that was cancelled meanwhile crashes the process; such a task does not need the call.
    func enqueueCompletion(_ completion: @escaping @Sendable () -> Void) {
        #if canImport(FoundationNetworking)
            taskQueue.async { [self] in
                guard !state.withLock({ $0.isClosed }) else { return }
                completion()
            }
        #else
            taskQueue.async(execute: completion)
        #endif
    }

    /// Returns the body for another transmission; nil when it is in memory, where the session finds it.
    func makeBodyStream() -> InputStream? { file?.makeStream() }

    func received(_ data: Data) {
        update { buffer in
            buffer.receive(data, at: stopwatch.elapsed(), overrun: BackendError.bufferLimitExceeded(message.url, limit: limits.size))
        }
    }

    /// Records activity and reports the progress of the request body.
    ///
    /// - Parameter count: The number of bytes of the body sent so far. On Linux it also counts those of an earlier transmission.
    func sentBody(_ count: Int) {
        state.withLock { $0.buffer.recordActivity(at: stopwatch.elapsed()) }
        message.body.reportSent(min(count, message.body.length ?? file?.length ?? count))
    }

    func completed(_ error: (any Error)?) {
        update { buffer in
            buffer.finish(error.map { .failure(backendError($0, of: message, hasReceivedHead: buffer.hasHead)) } ?? .success(()))
            return nil
        }
    }
}
