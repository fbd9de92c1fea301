import LadingHTTP
import NIOCore
import Synchronization

/// Hands the chunks of a body from the task that reads it to AsyncHTTPClient, one at a time.
///
/// AsyncHTTPClient takes a chunk when there is room for it on the socket. It reads a body in a task of its own, which nobody cancels; that is why the
/// body itself is read elsewhere.
final class RequestBodyChannel: Sendable {
    private struct State {
        var chunk: ByteBuffer?
        /// Whoever brings a chunk, until it is taken.
        var sender: CheckedContinuation<Void, any Error>?
        /// AsyncHTTPClient, when there is nothing to take.
        var receiver: CheckedContinuation<ByteBuffer?, any Error>?
        /// When the chunk, or the end, was brought that nobody has taken yet.
        var waitingSince: ContinuousClock.Instant?
        /// Whether there is a connection, and the body was asked for.
        var hasDemand = false
        var end: Result<Void, any Error>?
        var isEndConsumed = false
    }

    /// The most that is handed over at once, in bytes: a slow link has to take that much within the limit of silence.
    private static let chunkSize = 32 << 10

    private let state = Mutex(State())
    private let clock = ContinuousClock()
    /// The loop of the connection. What was taken before is on the socket, or has filled it, when the loop has come round.
    private let eventLoop: any EventLoop

    init(eventLoop: any EventLoop) {
        self.eventLoop = eventLoop
    }

    /// Why the body came to no good end; nil when it did, or is under way.
    var failure: (any Error)? {
        state.withLock { state in
            if case .failure(let error) = state.end { error } else { nil }
        }
    }

    /// Whether all of it is on its way, so that nobody has to watch over that any more.
    var isConsumed: Bool { state.withLock { $0.isEndConsumed } }

    /// Reads a body and hands it over, as fast as it is taken.
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

    /// Ends when nothing was taken for this long, although there was something.
    func waitForStall(of limit: Duration) async throws {
        while true {
            // Before there is a connection nobody can take anything.
            let waitingSince = state.withLock { $0.hasDemand ? $0.waitingSince : nil }
            let deadline = (waitingSince ?? clock.now).advanced(by: limit)
            if waitingSince != nil, deadline <= clock.now { return }
            try await clock.sleep(until: deadline)
        }
    }

    private func send(_ chunk: ByteBuffer) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (giver: CheckedContinuation<Void, any Error>) in
                wait(giver, with: chunk)
            }
        } onCancel: {
            finish(.failure(CancellationError()))
        }
    }

    private func wait(_ sender: CheckedContinuation<Void, any Error>, with chunk: ByteBuffer) {
        enum Step { case delivered(CheckedContinuation<ByteBuffer?, any Error>), ended(any Error), waiting }
        let step = state.withLock { state -> Step in
            if case .failure(let error) = state.end { return .ended(error) }
            if let taker = state.receiver {
                state.receiver = nil
                return .delivered(taker)
            }
            (state.chunk, state.sender, state.waitingSince) = (chunk, sender, clock.now)
            return .waiting
        }
        switch step {
        case .delivered(let taker):
            taker.resume(returning: chunk)
            sender.resume()
        case .ended(let error): sender.resume(throwing: error)
        case .waiting: break
        }
    }

    private func nextChunk() async throws -> ByteBuffer? {
        // Whoever takes is told to wait by the loop; without this it would have taken megabytes by then.
        try await eventLoop.submit {}.get()
        return try await withCheckedThrowingContinuation { taker in
            let (result, giver) = state.withLock { state -> (Result<ByteBuffer?, any Error>?, CheckedContinuation<Void, any Error>?) in
                state.hasDemand = true
                if let chunk = state.chunk {
                    defer { (state.chunk, state.sender, state.waitingSince) = (nil, nil, nil) }
                    return (.success(chunk), state.sender)
                }
                if let end = state.end {
                    (state.isEndConsumed, state.waitingSince) = (true, nil)
                    return (end.map { nil }, nil)
                }
                state.receiver = taker
                return (nil, nil)
            }
            giver?.resume()
            if let result { taker.resume(with: result) }
        }
    }

    /// Nothing follows. What failed is told at once, even if a chunk waits to be taken.
    private func finish(_ result: Result<Void, any Error>) {
        let (giver, taker) = state.withLock { state in
            guard state.end == nil else {
                return (nil, nil) as (CheckedContinuation<Void, any Error>?, CheckedContinuation<ByteBuffer?, any Error>?)
            }
            state.end = result
            state.isEndConsumed = state.receiver != nil
            state.waitingSince = state.isEndConsumed ? nil : clock.now
            defer { (state.chunk, state.sender, state.receiver) = (nil, nil, nil) }
            return (state.sender, state.receiver)
        }
        giver?.resume(with: result)
        taker?.resume(with: result.map { nil })
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
