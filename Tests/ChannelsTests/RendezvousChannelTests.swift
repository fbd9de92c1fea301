import LadingTesting
import Testing
@testable import Channels

@Suite struct RendezvousChannelTests {
    private struct Broken: Error {}

    private let executor = ManualTaskExecutor()
    private let channel = RendezvousChannel<Int>()
    private let log = Log()

    /// Starts a task, and runs all tasks until they wait.
    private func run(_ work: @escaping @Sendable (RendezvousChannel<Int>, Log) async throws -> Void) -> Task<Void, any Error> {
        let task = Task(executorPreference: executor) { [channel, log] in try await work(channel, log) }
        executor.runAll()
        return task
    }

    @Test func `A sender waits until its element is received`() {
        _ = run { channel, log in
            for number in 1...3 {
                try await channel.send(number)
                log.append("gave \(number)")
            }
            channel.finish(.success(()))
        }
        #expect(log.lines.isEmpty)

        _ = run { channel, log in log.append("took \(try await channel.next() ?? 0)") }
        #expect(Set(log.lines) == ["gave 1", "took 1"])

        _ = run { channel, log in
            while let number = try await channel.next() { log.append("took \(number)") }
            log.append("end")
        }
        #expect(Set(log.lines) == ["gave 1", "took 1", "gave 2", "took 2", "gave 3", "took 3", "end"] && log.lines.last == "end")
    }

    @Test func `A receiver waits until an element is sent`() {
        _ = run { channel, log in log.append("took \(try await channel.next() ?? 0)") }
        #expect(log.lines.isEmpty)

        _ = run { channel, _ in try await channel.send(7) }
        #expect(log.lines == ["took 7"])
    }

    @Test func `A failure is thrown on both sides from then on`() async {
        let sender = run { channel, _ in try await channel.send(1) }
        channel.finish(.failure(Broken()))
        channel.finish(.success(()))
        executor.runAll()

        await #expect(throws: Broken.self) { try await sender.value }
        await #expect(throws: Broken.self) { try await channel.next() }
        await #expect(throws: Broken.self) { try await channel.send(2) }
    }

    @Test func `Cancelling one side finishes the channel for the other`() async {
        let receiver = run { channel, _ in _ = try await channel.next() }

        receiver.cancel()
        executor.runAll()

        await #expect(throws: CancellationError.self) { try await receiver.value }
        await #expect(throws: CancellationError.self) { try await channel.send(1) }
    }
}
