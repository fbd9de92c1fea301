import LadingHTTP
import NIOCore
import Synchronization

/// Hands the chunks of a body from the task that reads it to AsyncHTTPClient, one at a time.
///
/// AsyncHTTPClient takes a chunk when there is room for it on the socket. It reads a body in a task of its own, which nobody cancels; that is why the
/// body itself is read elsewhere.
final class BodyFeed: Sendable {
    private struct State {
        var chunk: ByteBuffer?
        /// Whoever brings a chunk, until it is taken.
        var giver: CheckedContinuation<Void, any Error>?
        /// AsyncHTTPClient, when there is nothing to take.
        var taker: CheckedContinuation<ByteBuffer?, any Error>?
        /// When the chunk, or the end, was brought that nobody has taken yet.
        var waitingSince: ContinuousClock.Instant?
        /// Whether there is a connection, and the body was asked for.
        var isWanted = false
        var end: Result<Void, any Error>?
        var isEndTaken = false
    }

    /// The most that is handed over at once, in bytes: a slow link has to take that much within the limit of silence.
    private static let pieceSize = 32 << 10

    private let state = Mutex(State())
    private let clock = ContinuousClock()
    /// The loop of the connection. What was taken before is on the socket, or has filled it, when the loop has come round.
    private let loop: any EventLoop

    init(loop: any EventLoop) {
        self.loop = loop
    }

    /// Why the body came to no good end; nil when it did, or is under way.
    var failure: (any Error)? {
        state.withLock { state in
            if case .failure(let error) = state.end { error } else { nil }
        }
    }

    /// Whether all of it is on its way, so that nobody has to watch over that any more.
    var isTaken: Bool { state.withLock { $0.isEndTaken } }

    /// Reads a body and hands it over, as fast as it is taken.
    func pour(_ body: RequestBody) async throws {
        do {
            for try await chunk in body {
                var rest = ByteBuffer(bytes: chunk)
                while let piece = rest.readSlice(length: Swift.min(Self.pieceSize, rest.readableBytes)), piece.readableBytes > 0 {
                    try await give(piece)
                }
            }
            end(.success(()))
        } catch {
            end(.failure(error))
            throw error
        }
    }

    /// Ends when nothing was taken for this long, although there was something.
    func stall(of limit: Duration) async throws {
        while true {
            // Before there is a connection nobody can take anything.
            let waitingSince = state.withLock { $0.isWanted ? $0.waitingSince : nil }
            let deadline = (waitingSince ?? clock.now).advanced(by: limit)
            if waitingSince != nil, deadline <= clock.now { return }
            try await clock.sleep(until: deadline)
        }
    }

    private func give(_ chunk: ByteBuffer) async throws {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (giver: CheckedContinuation<Void, any Error>) in
                wait(giver, with: chunk)
            }
        } onCancel: {
            end(.failure(CancellationError()))
        }
    }

    private func wait(_ giver: CheckedContinuation<Void, any Error>, with chunk: ByteBuffer) {
        enum Step { case handed(CheckedContinuation<ByteBuffer?, any Error>), ended(any Error), waiting }
        let step = state.withLock { state -> Step in
            if case .failure(let error) = state.end { return .ended(error) }
            if let taker = state.taker {
                state.taker = nil
                return .handed(taker)
            }
            (state.chunk, state.giver, state.waitingSince) = (chunk, giver, clock.now)
            return .waiting
        }
        switch step {
        case .handed(let taker):
            taker.resume(returning: chunk)
            giver.resume()
        case .ended(let error): giver.resume(throwing: error)
        case .waiting: break
        }
    }

    private func take() async throws -> ByteBuffer? {
        // Whoever takes is told to wait by the loop; without this it would have taken megabytes by then.
        try await loop.submit {}.get()
        return try await withCheckedThrowingContinuation { taker in
            let (result, giver) = state.withLock { state -> (Result<ByteBuffer?, any Error>?, CheckedContinuation<Void, any Error>?) in
                state.isWanted = true
                if let chunk = state.chunk {
                    defer { (state.chunk, state.giver, state.waitingSince) = (nil, nil, nil) }
                    return (.success(chunk), state.giver)
                }
                if let end = state.end {
                    (state.isEndTaken, state.waitingSince) = (true, nil)
                    return (end.map { nil }, nil)
                }
                state.taker = taker
                return (nil, nil)
            }
            giver?.resume()
            if let result { taker.resume(with: result) }
        }
    }

    /// Nothing follows. What failed is told at once, even if a chunk waits to be taken.
    private func end(_ result: Result<Void, any Error>) {
        let (giver, taker) = state.withLock { state in
            guard state.end == nil else {
                return (nil, nil) as (CheckedContinuation<Void, any Error>?, CheckedContinuation<ByteBuffer?, any Error>?)
            }
            state.end = result
            state.isEndTaken = state.taker != nil
            state.waitingSince = state.isEndTaken ? nil : clock.now
            defer { (state.chunk, state.giver, state.taker) = (nil, nil, nil) }
            return (state.giver, state.taker)
        }
        giver?.resume(with: result)
        taker?.resume(with: result.map { nil })
    }
}

extension BodyFeed: AsyncSequence {
    typealias Element = ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let feed: BodyFeed

        mutating func next() async throws -> ByteBuffer? { try await feed.take() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(feed: self) }
}
