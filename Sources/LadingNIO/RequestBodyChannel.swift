#if NIO
    import LadingHTTP
    import NIOCore
    import Synchronization

    /// A channel that hands the chunks of a body from the task that reads it to AsyncHTTPClient, one at a time.
    ///
    /// AsyncHTTPClient requests a chunk when the socket has room for it. It reads a body in a task of its own, which is never cancelled; therefore
    /// the body itself is read elsewhere.
    final class RequestBodyChannel: Sendable {
        private struct State {
            var chunk: ByteBuffer?
            /// The sender of the chunk, until it is received.
            var sender: CheckedContinuation<Void, any Error>?
            /// AsyncHTTPClient, while there is no chunk to receive.
            var receiver: CheckedContinuation<ByteBuffer?, any Error>?
            /// The time at which the chunk or the end was sent that has not been received yet.
            var waitingSince: ContinuousClock.Instant?
            /// Whether a connection exists and has requested the body.
            var hasDemand = false
            var end: Result<Void, any Error>?
            var isEndConsumed = false
        }

        /// The maximum size of a chunk, in bytes: a slow link has to accept one within the read timeout.
        private static let chunkSize = 32 << 10

        private let state = Mutex(State())
        private let clock = ContinuousClock()
        /// The event loop of the connection. After one cycle of the loop, earlier chunks are on the socket or have filled it.
        private let eventLoop: any EventLoop

        init(eventLoop: any EventLoop) {
            self.eventLoop = eventLoop
        }

        /// The error of the body; nil when it was read completely or is in progress.
        var failure: (any Error)? {
            state.withLock { state in
                if case .failure(let error) = state.end { error } else { nil }
            }
        }

        /// Whether the body was received completely, so that it can no longer stall.
        var isConsumed: Bool { state.withLock { $0.isEndConsumed } }

        /// Sends the chunks of a body as fast as they are received.
        func sendAll(of body: RequestBody) async throws {
            do {
                for try await chunk in body {
                    var rest = ByteBuffer(bytes: chunk)
                    while let piece = rest.readSlice(length: Swift.min(Self.chunkSize, rest.readableBytes)), piece.readableBytes > 0 {
                        try await send(piece)
                    }
                }
                finish(.success(()))
            } catch {
                finish(.failure(error))
                throw error
            }
        }

        /// Returns when nothing was received for this long although there was something.
        func waitForPause(of limit: Duration) async throws {
            while true {
                // Without a connection nothing can be received.
                let waitingSince = state.withLock { $0.hasDemand ? $0.waitingSince : nil }
                let deadline = (waitingSince ?? clock.now).advanced(by: limit)
                if waitingSince != nil, deadline <= clock.now { return }
                try await clock.sleep(until: deadline)
            }
        }

        private func send(_ chunk: ByteBuffer) async throws {
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (sender: CheckedContinuation<Void, any Error>) in
                    wait(sender, with: chunk)
                }
            } onCancel: {
                finish(.failure(CancellationError()))
            }
        }

        private func wait(_ sender: CheckedContinuation<Void, any Error>, with chunk: ByteBuffer) {
            enum Step { case delivered(CheckedContinuation<ByteBuffer?, any Error>), ended(any Error), waiting }
            let step = state.withLock { state -> Step in
                if case .failure(let error) = state.end { return .ended(error) }
                if let receiver = state.receiver {
                    state.receiver = nil
                    return .delivered(receiver)
                }
                (state.chunk, state.sender, state.waitingSince) = (chunk, sender, clock.now)
                return .waiting
            }
            switch step {
            case .delivered(let receiver):
                receiver.resume(returning: chunk)
                sender.resume()
            case .ended(let error): sender.resume(throwing: error)
            case .waiting: break
            }
        }

        private func nextChunk() async throws -> ByteBuffer? {
            // The event loop applies back-pressure; without waiting for it the receiver would have megabytes by then.
            try await eventLoop.submit {}.get()
            return try await withCheckedThrowingContinuation { receiver in
                let (result, sender) = state.withLock { state -> (Result<ByteBuffer?, any Error>?, CheckedContinuation<Void, any Error>?) in
                    state.hasDemand = true
                    if let chunk = state.chunk {
                        defer { (state.chunk, state.sender, state.waitingSince) = (nil, nil, nil) }
                        return (.success(chunk), state.sender)
                    }
                    if let end = state.end {
                        (state.isEndConsumed, state.waitingSince) = (true, nil)
                        return (end.map { nil }, nil)
                    }
                    state.receiver = receiver
                    return (nil, nil)
                }
                sender?.resume()
                if let result { receiver.resume(with: result) }
            }
        }

        /// Finishes the channel at once; a chunk that was not received is dropped.
        private func finish(_ result: Result<Void, any Error>) {
            let (sender, receiver) = state.withLock { state in
                guard state.end == nil else {
                    return (nil, nil) as (CheckedContinuation<Void, any Error>?, CheckedContinuation<ByteBuffer?, any Error>?)
                }
                state.end = result
                state.isEndConsumed = state.receiver != nil
                state.waitingSince = state.isEndConsumed ? nil : clock.now
                defer { (state.chunk, state.sender, state.receiver) = (nil, nil, nil) }
                return (state.sender, state.receiver)
            }
            sender?.resume(with: result)
            receiver?.resume(with: result.map { nil })
        }
    }

    extension RequestBodyChannel: AsyncSequence {
        typealias Element = ByteBuffer

        struct AsyncIterator: AsyncIteratorProtocol {
            fileprivate let channel: RequestBodyChannel

            mutating func next() async throws -> ByteBuffer? { try await channel.nextChunk() }
        }

        func makeAsyncIterator() -> AsyncIterator { AsyncIterator(channel: self) }
    }
#endif
