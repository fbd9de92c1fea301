#if NIO
    import Channels
    import LadingHTTP
    import NIOCore
    import Synchronization

    /// A channel that hands the chunks of a body from the task that reads it to AsyncHTTPClient, one at a time.
    ///
    /// AsyncHTTPClient requests a chunk when the socket has room for it. It reads a body in a task of its own, which is never cancelled; therefore
    /// the body itself is read elsewhere.
    final class RequestBodyChannel: Sendable {
        private struct State {
            /// The chunk and its sender, or AsyncHTTPClient while there is no chunk to receive.
            var rendezvous = Rendezvous<ByteBuffer>()
            /// The time at which the chunk or the end was sent that has not been received yet.
            var waitingSince: ContinuousClock.Instant?
            /// Whether a connection exists and has requested the body.
            var hasDemand = false
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
                if case .failure(let error) = state.rendezvous.end { error } else { nil }
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
                try await withCheckedThrowingContinuation { (sender: Rendezvous<ByteBuffer>.Sender) in
                    send(chunk, from: sender)
                }
            } onCancel: {
                finish(.failure(CancellationError()))
            }
        }

        private func send(_ chunk: ByteBuffer, from sender: Rendezvous<ByteBuffer>.Sender) {
            let resumption = state.withLock { state in
                let resumption = state.rendezvous.send(chunk, from: sender)
                if state.rendezvous.hasElement { state.waitingSince = clock.now }
                return resumption
            }
            resumption.perform()
        }

        private func nextChunk() async throws -> ByteBuffer? {
            // The event loop applies back-pressure; without waiting for it the receiver would have megabytes by then.
            try await eventLoop.submit {}.get()
            return try await withCheckedThrowingContinuation { (receiver: Rendezvous<ByteBuffer>.Receiver) in
                receive(receiver)
            }
        }

        private func receive(_ receiver: Rendezvous<ByteBuffer>.Receiver) {
            let resumption = state.withLock { state in
                (state.hasDemand, state.waitingSince) = (true, nil)
                state.isEndConsumed = state.rendezvous.end != nil
                return state.rendezvous.receive(receiver)
            }
            resumption.perform()
        }

        /// Finishes the channel at once; a chunk that was not received is dropped.
        private func finish(_ result: Result<Void, any Error>) {
            let resumption = state.withLock { state in
                if state.rendezvous.end == nil {
                    state.isEndConsumed = state.rendezvous.hasReceiver
                    state.waitingSince = state.isEndConsumed ? nil : clock.now
                }
                return state.rendezvous.finish(result)
            }
            resumption.perform()
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
