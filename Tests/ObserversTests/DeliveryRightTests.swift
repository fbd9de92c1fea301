import Observers
import Testing

@Suite struct DeliveryRightTests {
    @Test func `One caller has the right, until it finds nothing to deliver`() {
        var right = DeliveryRight()
        var (isFirstHolder, isSecondHolder) = (false, false)

        let isAcquired = right.acquire(if: true, isHolder: &isFirstHolder)
        let isShared = right.acquire(if: true, isHolder: &isSecondHolder)
        let isRetained = right.acquire(if: true, isHolder: &isFirstHolder)
        #expect(isAcquired && isRetained && isFirstHolder)
        #expect(!isShared && !isSecondHolder)

        let isRetainedForNothing = right.acquire(if: false, isHolder: &isFirstHolder)
        let isPassedOn = right.acquire(if: true, isHolder: &isSecondHolder)
        #expect(!isRetainedForNothing && !isFirstHolder)
        #expect(isPassedOn && isSecondHolder)
    }

    @Test func `A caller without anything to deliver does not acquire the right`() {
        var right = DeliveryRight()
        var (isFirstHolder, isSecondHolder) = (false, false)

        let isAcquiredForNothing = right.acquire(if: false, isHolder: &isFirstHolder)
        let isAcquired = right.acquire(if: true, isHolder: &isSecondHolder)

        #expect(!isAcquiredForNothing && !isFirstHolder)
        #expect(isAcquired && isSecondHolder)
    }

    @Test(arguments: zip([3, 2], [1, 2]))
    func `In each interleaving all is delivered once, in order, by one thread at a time`(threads: Int, records: Int) {
        let recorded = Array(1...threads * records)

        let ends = outcomes(of: ThreadSimulation(threads: threads, records: records))

        #expect(ends.count > 1_000)
        #expect(ends.allSatisfy { $0.delivered == recorded && $0.maximumSenders == 1 })
    }

    /// Returns the ends of all interleavings of the remaining steps.
    private func outcomes(of simulation: ThreadSimulation) -> [ThreadSimulation] {
        let running = simulation.runningThreads
        guard !running.isEmpty else { return [simulation] }
        return running.flatMap { thread in
            var next = simulation
            next.performStep(of: thread)
            return outcomes(of: next)
        }
    }
}

/// Threads that record numbers and deliver them; each step of a thread is a critical section, or a delivery outside of it.
private struct ThreadSimulation {
    private enum Step {
        case record
        case acquire
        case send([Int])

        var isSending: Bool {
            if case .send = self { true } else { false }
        }
    }

    private struct Thread {
        var nextStep = Step.record
        var remainingRecords: Int
        var isHolder = false
    }

    private var threads: [Thread]
    private var right = DeliveryRight()
    private var lastNumber = 0
    private var pending: [Int] = []
    private(set) var delivered: [Int] = []
    /// The maximum number of threads that were sending at the same time.
    private(set) var maximumSenders = 0

    init(threads count: Int, records: Int) {
        threads = Array(repeating: Thread(remainingRecords: records), count: count)
    }

    /// The indices of the threads that have not ended.
    var runningThreads: [Int] { threads.indices.filter { threads[$0].remainingRecords > 0 } }

    mutating func performStep(of thread: Int) {
        switch threads[thread].nextStep {
        case .record:
            lastNumber += 1
            pending.append(lastNumber)
            threads[thread].nextStep = .acquire
        case .acquire: acquire(by: thread)
        case .send(let numbers):
            delivered += numbers
            threads[thread].nextStep = .acquire
        }
        maximumSenders = max(maximumSenders, threads.count { $0.nextStep.isSending })
    }

    private mutating func acquire(by thread: Int) {
        if right.acquire(if: !pending.isEmpty, isHolder: &threads[thread].isHolder) {
            threads[thread].nextStep = .send(pending)
            pending = []
        } else {
            threads[thread].nextStep = .record
            threads[thread].remainingRecords -= 1
        }
    }
}
