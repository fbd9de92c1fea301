import LadingTesting
import Testing

@testable import LadingOperations

/// What is let go of, and when.
@Suite struct LifetimeTests {
    private let pad = QueuePad(processors: 1)

    private final class Luggage: Sendable {}

    /// Whoever gives the memory of larger ones back to the thread that made them waits for it (glibc, mallopt(3): `M_MXFAST`).
    @Test func `An operation takes no more than 120 bytes`() {
        let header = 2 * MemoryLayout<Int>.size
        let lock = MemoryLayout<Int>.size
        let constant = MemoryLayout<(String, Lane, OperationTraits?)>.size

        #expect(header + constant + lock + MemoryLayout<AnyOperation.Box>.size <= 120)
    }

    /// How an operation came to its end.
    enum Ending: CaseIterable {
        case succeeded, failed, cancelledInLine, cancelledRunning, cancelledNew, late, dependencyFailed, joined
    }

    @Test(arguments: Ending.allCases) func `An operation that has ended lets go of its work, and is freed with its last reference`(
        _ ending: Ending
    ) throws {
        weak var luggage: Luggage?
        weak var erased: AnyOperation?
        let gate = Gate()
        var kept: BackendOperation<Int>?
        do {
            let load = Luggage()
            luggage = load
            let key = ending == .joined ? OperationKey(verb: "GET", subject: "x") : nil
            let first = BackendOperation("first", key: key, lane: .cpu) {
                if ending == .failed || ending == .dependencyFailed { throw QueuePad.Broken() }
                if ending == .cancelledRunning { try await gate.pass() }
                return 1
            }
            let operation =
                ending == .joined || ending == .cancelledNew
                ? BackendOperation("work", key: key, lane: .cpu) { withExtendedLifetime(load) { 1 } }
                : BackendOperation(
                    "work", lane: .cpu, rules: OperationRules(retry: OperationRetry { _, _ in nil }), after: first
                ) { _ in withExtendedLifetime(load) { 1 } }
            end(operation, first, ending)
            #expect(operation.state.isEnded)
            erased = operation.erased
            kept = operation
        }

        #expect(luggage == nil)
        #expect(kept != nil)
        kept = nil
        #expect(erased == nil)
        #expect(pad.queue.isIdle)
    }

    private func end(_ operation: BackendOperation<Int>, _ first: BackendOperation<Int>, _ ending: Ending) {
        if ending == .cancelledInLine || ending == .late { pad.queue.pause() }
        if ending == .joined { pad.submit(first) }
        if ending != .cancelledNew { pad.submit(operation, deadline: ending == .late ? .seconds(1) : nil) }
        pad.executor.runAll()
        switch ending {
        case .cancelledInLine, .cancelledRunning, .cancelledNew: operation.cancel()
        case .late: pad.advance(by: .seconds(1))
        case .succeeded, .failed, .dependencyFailed, .joined: break
        }
        pad.executor.runAll()
    }

    @Test func `A chain of 100,000 that was cancelled is freed without a deep stack`() {
        var last: BackendOperation<Int>? = BackendOperation("0", lane: .cpu) { 0 }
        let first = last
        for index in 1..<100_000 {
            guard let before = last else { break }
            last = BackendOperation("\(index)", lane: .cpu, after: before) { $0 + 1 }
        }
        pad.queue.pause()
        if let last { pad.submit(last) }

        first?.cancel()

        #expect(last?.state == .cancelled)
        last = nil
        #expect(pad.queue.isIdle)
    }
}
