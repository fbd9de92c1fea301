import Testing

@testable import LadingOperations

@Suite struct FairQueueTests {
    private var queue = FairQueue()
    private var table = SlotTable<TestElement, FlightTag>()
    private var owners: [FlightID: Int] = [:]
    private var sequenceNumber: UInt64 = 0

    private struct TestElement: SlotElement {
        mutating func clear() {}
    }

    private mutating func pushFlight(for consumer: Int, distance: Int = 0) {
        let flight = table.insert(TestElement())
        owners[flight] = consumer
        sequenceNumber += 1
        queue.push(
            .init(distance: distance, sequenceNumber: sequenceNumber, subject: .flight(flight, version: 0)),
            for: OperationConsumer(number: UInt32(consumer)))
    }

    private mutating func popConsumers(limit: Int = .max) -> [Int] {
        var consumers: [Int] = []
        while consumers.count < limit, let flight = queue.popFirst(isLive: { _ in true }) { consumers.append(owners[flight] ?? -1) }
        return consumers
    }

    /// Covers the linear search of few queues and the dictionary of many.
    @Test(arguments: [2, 8, 9, 40]) mutating func `Consumers take turns, for any number of consumers`(count: Int) {
        for _ in 0..<3 { for consumer in 0..<count { pushFlight(for: consumer) } }

        let consumers = popConsumers()

        #expect(consumers == Array(repeating: Array(0..<count), count: 3).flatMap { $0 })
        #expect(queue.liveCount == 0)
    }

    @Test mutating func `Adding and removing consumers does not mix up their queues`() {
        for consumer in 0..<12 { pushFlight(for: consumer) }
        for _ in 0..<6 { pushFlight(for: 3) }
        for consumer in 20..<26 { pushFlight(for: consumer) }

        let consumers = popConsumers()
        for consumer in 0..<4 { pushFlight(for: consumer) }

        #expect(consumers.sorted() == (Array(0..<12) + Array(repeating: 3, count: 6) + Array(20..<26)).sorted())
        #expect(popConsumers().sorted() == [0, 1, 2, 3])
    }

    @Test mutating func `The queues of nine consumers are found after one was removed and another added`() {
        pushFlight(for: 0)
        for _ in 0..<3 { for consumer in 1...8 { pushFlight(for: consumer) } }
        #expect(popConsumers(limit: 10) == Array(0...8) + [1])

        pushFlight(for: 9)

        #expect(popConsumers() == Array(2...9) + Array(1...8))
    }

    @Test mutating func `New consumers are served in order of arrival, before one that was just served`() {
        for _ in 0..<2 { pushFlight(for: 1) }
        #expect(popConsumers(limit: 1) == [1])

        for consumer in 2...4 { pushFlight(for: consumer) }

        #expect(popConsumers() == [2, 3, 4, 1])
    }

    private mutating func pushOperation(_ operationID: UInt32, for consumer: UInt32 = 0, distance: Int = 0) {
        sequenceNumber += 1
        queue.push(
            .init(distance: distance, sequenceNumber: sequenceNumber, subject: .operation(OperationID(index: operationID))),
            for: OperationConsumer(number: consumer))
    }

    /// Consumes all entries; returns the operation ids in order, with -1 for a flight.
    private mutating func consumeAll() -> [Int] {
        var operationIDs: [Int] = []
        while let (entry, _) = queue.peek() {
            if case .operation(let operationID) = entry.subject {
                operationIDs.append(Int(operationID.index))
            } else {
                operationIDs.append(-1)
            }
            queue.consumeNext()
        }
        return operationIDs
    }

    @Test mutating func `A removed operation is skipped`() {
        for operationID in 0..<5 { pushOperation(UInt32(operationID)) }

        queue.remove(sequenceNumber: 1)
        queue.remove(sequenceNumber: 4)

        #expect(queue.liveCount == 3)
        #expect(consumeAll() == [1, 2, 4])
        #expect(queue.liveCount == 0)
    }

    /// Removes operations as soon as they are pushed; returns the number after which the queue needs compaction.
    private mutating func staleCountUntilCompaction() -> Int {
        var count = 0
        while !queue.shouldCompact, count < 1_000 {
            pushOperation(0)
            queue.remove(sequenceNumber: sequenceNumber)
            count += 1
        }
        return count
    }

    @Test(arguments: [0, 1, 10]) mutating func `A queue needs compaction when its stale entries outnumber the live ones by more than 64`(
        liveCount: Int
    ) {
        for operationID in 0..<liveCount { pushOperation(UInt32(operationID)) }

        #expect(staleCountUntilCompaction() == liveCount + 65)
    }

    enum Departure: CaseIterable {
        case consumption, skipping, removal, compaction
    }

    @Test(arguments: Departure.allCases) mutating func `Entries that have left the queue do not count as stale`(departure: Departure) {
        for operationID in 0..<100 { pushOperation(UInt32(operationID)) }

        switch departure {
        case .consumption: for _ in 1...90 { queue.consumeNext() }
        case .skipping:
            for number: UInt64 in 1...90 { queue.remove(sequenceNumber: number) }
            _ = queue.peek()
        case .removal:
            queue.remove(sequenceNumber: 1)
            _ = queue.removeOperations()
        case .compaction:
            for number: UInt64 in 1...90 { queue.remove(sequenceNumber: number) }
            queue.compact { _ in false }
        }

        let liveCount = departure == .removal ? 0 : 10
        #expect(queue.liveCount == liveCount)
        #expect(staleCountUntilCompaction() == liveCount + 65)
    }

    @Test mutating func `A queue with many removed operations is compacted`() {
        for operationID in 0..<200 { pushOperation(UInt32(operationID)) }
        for sequenceNumber in 1...195 { queue.remove(sequenceNumber: UInt64(sequenceNumber)) }

        #expect(queue.shouldCompact)
        queue.compact { _ in false }

        #expect(!queue.shouldCompact)
        #expect(consumeAll() == [195, 196, 197, 198, 199])
    }

    @Test mutating func `Removing all operations leaves the flights in the queue`() {
        pushOperation(0, for: 1)
        pushFlight(for: 2)
        pushOperation(1, for: 2)
        pushOperation(2, for: 3)
        queue.remove(sequenceNumber: 4)

        let removed = queue.removeOperations()

        #expect(removed.map(\.consumer.number) == [1, 2])
        #expect(queue.liveCount == 1)
        #expect(consumeAll() == [-1])
    }
}
