import LadingTesting
import Synchronization
import Testing

@testable import Window

@Suite("Dispatch: shared reads")
struct SharedReadsTests {
    @Test func `Whoever asks during a read shares the next one, which has begun later`() async throws {
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

        async let first = reads.value(for: "a", read)
        while count.withLock({ $0 }) == 0 { await Task.yield() }
        async let second = reads.value(for: "a", read)
        async let third = reads.value(for: "a", read)
        #expect(try await reads.value(for: "b") { 9 } == 9)
        for _ in 0..<100 { await Task.yield() }
        gate.open()

        #expect(try await first == 1)
        #expect(try await [second, third] == [2, 2])
        #expect(try await reads.value(for: "a", read) == 3)
    }

    @Test func `A failed read fails for those who share it, and not for later ones`() async throws {
        let reads = SharedReads<String, Int>()

        await #expect(throws: CancellationError.self) { try await reads.value(for: "a") { throw CancellationError() } }
        #expect(try await reads.value(for: "a") { 1 } == 1)
    }
}
