import LadingTesting
import Testing

@testable import LadingHTTP

@Suite struct HandoverTests {
    private struct Broken: Error {}

    private let executor = ManualTaskExecutor()
    private let handover = Handover<Int>()
    private let log = Log()

    /// Runs until everybody waits.
    private func run(_ work: @escaping @Sendable (Handover<Int>, Log) async throws -> Void) -> Task<Void, any Error> {
        let task = Task(executorPreference: executor) { [handover, log] in try await work(handover, log) }
        executor.runAll()
        return task
    }

    @Test func `Whoever gives waits until it was taken`() {
        _ = run { handover, log in
            for number in 1...3 {
                try await handover.give(number)
                log.note("gave \(number)")
            }
            handover.end(.success(()))
        }
        #expect(log.lines.isEmpty)

        _ = run { handover, log in log.note("took \(try await handover.take() ?? 0)") }
        #expect(Set(log.lines) == ["gave 1", "took 1"])

        _ = run { handover, log in
            while let number = try await handover.take() { log.note("took \(number)") }
            log.note("end")
        }
        #expect(Set(log.lines) == ["gave 1", "took 1", "gave 2", "took 2", "gave 3", "took 3", "end"] && log.lines.last == "end")
    }

    @Test func `Whoever takes waits until something is given`() {
        _ = run { handover, log in log.note("took \(try await handover.take() ?? 0)") }
        #expect(log.lines.isEmpty)

        _ = run { handover, _ in try await handover.give(7) }
        #expect(log.lines == ["took 7"])
    }

    @Test func `What failed is told to both sides, and from then on`() async {
        let giver = run { handover, _ in try await handover.give(1) }
        handover.end(.failure(Broken()))
        handover.end(.success(()))
        executor.runAll()

        await #expect(throws: Broken.self) { try await giver.value }
        await #expect(throws: Broken.self) { try await handover.take() }
        await #expect(throws: Broken.self) { try await handover.give(2) }
    }

    @Test func `Whoever is cancelled ends it for the other`() async {
        let taker = run { handover, _ in _ = try await handover.take() }

        taker.cancel()
        executor.runAll()

        await #expect(throws: CancellationError.self) { try await taker.value }
        await #expect(throws: CancellationError.self) { try await handover.give(1) }
    }
}
