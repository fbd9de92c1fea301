import LadingTesting
import Synchronization
import Testing

@testable import Window

@Suite("Dispatch: shared reads")
struct SharedReadsTests {
    @Test func `Requests during a read share the next one, which begins later`() async throws {
        let reads = SharedReads<String, Int>()
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

        let first = reads.task(for: "a", read)
        await gate.waitForWaiters(count: 1)
        let (second, third) = (reads.task(for: "a", read), reads.task(for: "a", read))
        #expect(try await reads.value(for: "b") { 9 } == 9)
        gate.open()

        #expect(try await first.value == 1)
        #expect(try await second.value == 2 && second == third)
        #expect(try await reads.value(for: "a", read) == 3)
    }

    @Test func `A failed read fails for those who share it, and not for later ones`() async throws {
        let reads = SharedReads<String, Int>()

        await #expect(throws: CancellationError.self) { try await reads.value(for: "a") { throw CancellationError() } }
        #expect(try await reads.value(for: "a") { 1 } == 1)
    }
}
