import Foundation
import HTTPTypes
import LadingRecording
import LadingTesting
import Testing
@testable import LadingHTTP
import TemporaryFolders

@Suite struct ReplayTimingTests {
    private let clock = ManualClock()
    private let directory: TemporaryFolder
    private let message = RequestMessage(url: URL(string: "http://example.org/slow")!)

    init() async throws {
        directory = try TemporaryFolder()
        let recordingClock = ManualClock()
        let recorder = try RecordingExecutor(TimedExecutor(clock: recordingClock), in: directory.url, clock: recordingClock)
        try await recorder.execute(message, timeLimit: .seconds(9)) { _, body in
            for try await _ in body {}
        }
    }

    private func replay(_ timing: ReplayingExecutor.Timing, timeLimit: Duration = .seconds(9)) async throws -> [Duration] {
        let executor = try ReplayingExecutor(directory: directory.url, timing: timing, clock: clock)
        let start = clock.now
        return try await executor.execute(message, timeLimit: timeLimit) { _, body in
            var times = [start.duration(to: clock.now)]
            for try await _ in body { times.append(start.duration(to: clock.now)) }
            return times
        }
    }

    @Test func `Responses are replayed immediately by default`() async throws {
        #expect(try await replay(.immediate) == [.zero, .zero, .zero])
    }

    @Test func `Responses are replayed with their recorded timing`() async throws {
        let start = clock.now
        let exchange = Task { try await replay(.asRecorded) }

        for second in 1...3 {
            #expect(await start.duration(to: clock.nextTimer()) == .seconds(second))
            clock.advance(by: .seconds(1))
        }

        #expect(try await exchange.value == [.seconds(1), .seconds(2), .seconds(3)])
    }

    @Test func `A recorded head later than the time limit times out`() async throws {
        let exchange = Task { try await replay(.asRecorded, timeLimit: .milliseconds(500)) }
        _ = await clock.nextTimer()

        clock.advance(by: .milliseconds(500))

        await #expect { try await exchange.value } throws: { error in
            if case BackendError.timedOut(_, after: .milliseconds(500)) = error { true } else { false }
        }
    }

    @Test func `A recorded failure later than the time limit times out`() async throws {
        let message = RequestMessage(url: try #require(URL(string: "http://example.org/down")))
        let recordingClock = ManualClock()
        let recorder = try RecordingExecutor(FailingExecutor(clock: recordingClock), in: directory.url, clock: recordingClock)
        _ = try? await recorder.execute(message, timeLimit: .seconds(60)) { _, _ in }
        let executor = try ReplayingExecutor(directory: directory.url, timing: .asRecorded, clock: clock)
        let start = clock.now
        let exchange = Task { try await executor.execute(message, timeLimit: .seconds(5)) { _, _ in } }

        #expect(await start.duration(to: clock.nextTimer()) == .seconds(5))
        clock.advance(by: .seconds(5))

        await #expect { try await exchange.value } throws: { error in
            if case BackendError.timedOut(_, after: .seconds(5)) = error { true } else { false }
        }
    }

    @Test func `A cancelled replay stops waiting`() async throws {
        let exchange = Task { try await replay(.asRecorded) }
        _ = await clock.nextTimer()

        exchange.cancel()

        await #expect(throws: CancellationError.self) { try await exchange.value }
    }
}

/// An executor that responds with a head after one second, and with a chunk after each further one.
private struct TimedExecutor: BackendExecutor {
    let clock: ManualClock

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        clock.advance(by: .seconds(1))
        var sent = 0
        return try await receive(
            ResponseHead(status: .ok),
            ResponseBody {
                guard sent < 2 else { return nil }
                clock.advance(by: .seconds(1))
                sent += 1
                return [7]
            })
    }
}

/// An executor whose host is unreachable after 29 seconds.
private struct FailingExecutor: BackendExecutor {
    struct Unplugged: Error {}

    let clock: ManualClock

    func execute<Outcome: Sendable>(
        _ message: RequestMessage, timeLimit: Duration, receive: (ResponseHead, ResponseBody) async throws -> Outcome
    ) async throws -> Outcome {
        clock.advance(by: .seconds(29))
        throw BackendError.unreachable(message.url, cause: Unplugged())
    }
}
