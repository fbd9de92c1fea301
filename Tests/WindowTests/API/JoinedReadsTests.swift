import LadingTesting
import Synchronization
import Testing

@testable import Window

@Suite("Reads that pages share")
struct JoinedReadsTests {
    @Test func `Requests during a read share the next one, which begins later`() async throws {
        let reads = JoinedReads<String, Int>()
        let count = Mutex(0)
        let gate = Gate()
        let read: @Sendable () async throws -> Int = {
            let number = count.withLock { count in
                count += 1
                return count
            }
            if number == 1 { try await gate.wait() }
            return number
        }

        let first = reads.read(for: "a", read)
        await gate.waitForWaiters(count: 1)
        let (second, third) = (reads.read(for: "a", read), reads.read(for: "a", read))
        #expect(try await reads.read(for: "b") { 9 }.task.value == 9)
        gate.open()

        #expect(try await first.task.value == 1)
        #expect(try await second.task.value == 2 && second.task == third.task)
        #expect(first.isOwn && second.isOwn && !third.isOwn)
        #expect(try await reads.read(for: "a", read).task.value == 3)
    }

    @Test func `A failed read fails for those who share it, and not for later ones`() async throws {
        let reads = JoinedReads<String, Int>()

        await #expect(throws: CancellationError.self) {
            try await reads.value(for: "a", isRefusal: { _ in true }) { throw CancellationError() }
        }
        #expect(try await reads.value(for: "a", isRefusal: { _ in true }) { 1 }.value == 1)
    }

    @Test(arguments: [true, false]) func `A read that was refused to somebody else is repeated`(isRefusal: Bool) async throws {
        let reads = JoinedReads<String, Int>()
        let (gate, executor) = (Gate(), FirstJobExecutor())
        _ = reads.read(for: "a") {
            try await gate.wait()
            return 1
        }
        _ = reads.read(for: "a") { throw CancellationError() }

        let joined = Task(executorPreference: executor) { try await reads.value(for: "a", isRefusal: { _ in isRefusal }) { 3 } }
        executor.runFirst()
        gate.open()

        if isRefusal {
            let result = try await joined.value
            #expect(result.value == 3 && result.isOwn)
        } else {
            await #expect(throws: CancellationError.self) { try await joined.value }
        }
    }

    @Test func `A cancelled request does not repeat a read that was refused to somebody else`() async throws {
        struct Refusal: Error {}
        let reads = JoinedReads<String, Int>()
        let (gate, executor) = (Gate(), FirstJobExecutor())
        _ = reads.read(for: "a") {
            try await gate.wait()
            return 1
        }
        _ = reads.read(for: "a") { throw Refusal() }

        let joined = Task(executorPreference: executor) { try await reads.value(for: "a", isRefusal: { $0 is Refusal }) { 3 } }
        executor.runFirst()
        joined.cancel()
        gate.open()

        await #expect(throws: CancellationError.self) { try await joined.value }
    }
}
