import Testing

@testable import LadingOperations

@Suite struct UrgencyQueuesTests {
    private var queues = UrgencyQueues()
    private var table = SlotTable<TestElement, FlightTag>()
    private var sequenceNumber: UInt64 = 0

    private struct TestElement: SlotElement {
        mutating func clear() {}
    }

    private static let urgencies: [OperationPriority.Urgency] = [.visible, .prefetch, .background]

    @discardableResult
    private mutating func push(_ urgency: OperationPriority.Urgency, for consumer: UInt32) -> FlightID {
        let flight = table.insert(TestElement())
        sequenceNumber += 1
        let entry = FairQueue.Entry(distance: 0, sequenceNumber: sequenceNumber, subject: .flight(flight, version: 0))
        queues[urgency].push(entry, for: OperationConsumer(number: consumer))
        return flight
    }

    @Test(arguments: urgencies) mutating func `A consumer that was just served yields to another, even after its entries ran out`(
        urgency: OperationPriority.Urgency
    ) {
        let first = push(urgency, for: 1)
        let popped = [queues.popNext { _ in true }, queues.popNext { _ in true }]
        #expect(popped == [first, nil])
        let isEmpty = queues.peek(includingNonvisible: true) == nil
        #expect(isEmpty)

        push(urgency, for: 1)
        let second = push(urgency, for: 2)

        let next = queues.popNext { _ in true }
        #expect(next == second)
    }

    @Test(arguments: urgencies) mutating func `Queues need compaction when one of them does`(urgency: OperationPriority.Urgency) {
        for _ in 1...65 {
            push(urgency, for: 1)
            queues[urgency].liveCount -= 1
        }
        #expect(queues.shouldCompact)

        queues.compact { _ in false }

        #expect(!queues.shouldCompact)
    }
}
