import Foundation
import HTTPTypes
import LadingOperations
import LadingTesting
import Synchronization
import Testing

@testable import LadingHTTP

/// Background refreshes of stale responses.
extension HTTPCacheTests {
    @Test(
        .timeLimit(.minutes(10)),
        arguments: [
            (Endless(cacheControl: "no-store", chunkSize: 1, interval: .zero), 0...0),
            (Endless(cacheControl: "max-age=5", chunkSize: 64 << 10, interval: .zero), 1...16),
            (Endless(cacheControl: "max-age=5", chunkSize: 1, interval: .seconds(9)), 34...34),
        ])
    func `A refresh ends when its body is not stored or exceeds the time limit`(body: Endless, reads: ClosedRange<Int>) async throws {
        fixture.script("Cache-Control: max-age=5, stale-while-revalidate=60", "one")
        _ = try await fixture.get()
        fixture.advance(by: 9)
        let executor = EndlessExecutor(body: body, clock: fixture.clock)
        let client = BackendClient(executor: executor, cache: fixture.cache)

        let shown = try await client.response(to: RequestMessage(url: CacheSamples.url))
        await fixture.queue.waitUntilIdle()

        #expect(shown.text == "one")
        #expect(reads.contains(executor.readCount))
    }
}

/// A response whose body never ends.
struct Endless: Sendable {
    var cacheControl: String
    var chunkSize: Int
    /// The time between two chunks.
    var interval: Duration
}

/// An executor that responds with a body that never ends, and advances a clock with each chunk.
private final class EndlessExecutor: BackendExecutor {
    private let body: Endless
    private let clock: ManualClock
    private let reads = Mutex(0)

    init(body: Endless, clock: ManualClock) {
        self.body = body
        self.clock = clock
    }

    /// The number of chunks that were read.
    var readCount: Int { reads.withLock { $0 } }

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        try await receive(
            ResponseHead(status: .ok, headers: [.cacheControl: body.cacheControl]),
            ResponseBody { [self] in
                reads.withLock { $0 += 1 }
                clock.advance(by: body.interval)
                return [UInt8](repeating: 7, count: body.chunkSize)
            })
    }
}
