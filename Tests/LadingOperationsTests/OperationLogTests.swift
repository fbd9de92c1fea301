import Testing

@testable import LadingOperations

/// Tests of the length of recorded segments.
@Suite struct OperationLogTests {
    private let schedule = OperationSchedule(configuration: LaneConfiguration())

    @Test func `A record has at most as many entries as its limit and, once it was full, more than half as many`() {
        var record = DecisionRecord<OperationSchedule>(limit: 10)
        var counts: [Int] = []
        for _ in 1...20 {
            if record.needsSegment() { record.beginSegment(with: schedule) }
            record.appendEvent(.beginDraining)
            record.appendEffects([])
            counts.append(record.entries.count)
        }

        #expect(counts == Array(1...10) + Array(6...10) + Array(6...10))
    }

    @Test func `A record with limit 0 is disabled`() {
        #expect(!DecisionRecord<OperationSchedule>(limit: 0).needsSegment())
        #expect(DecisionRecord<OperationSchedule>(limit: 1).needsSegment())
    }

    @Test func `A record that is cleared is empty and begins again`() {
        var record = DecisionRecord<OperationSchedule>(limit: 10)
        #expect(record.isEmpty)
        record.beginSegment(with: schedule)
        record.appendEvent(.beginDraining)
        #expect(!record.isEmpty)

        record.removeAll()

        #expect(record.isEmpty && record.entries.isEmpty)
        #expect(record.needsSegment())
    }

    @Test(
        arguments: [
            (10, 10, 1_024, true), (10, 11, 11, false), (10, 10, 1_025, false),
            (2_000, 1, 2_000, true), (2_000, 1, 2_001, false),
            (1, 1, 1, true), (0, 0, 0, false),
        ])
    func `A schedule is recorded with as many operations as the limit, and as many slots as the limit or 1,024`(
        limit: Int, operations: Int, capacity: Int, isRecorded: Bool
    ) {
        var log = OperationLog(limit: limit)

        #expect(log.needsSegment(operations: operations, capacity: capacity) == isRecorded)
    }

    @Test func `A schedule that has become too large clears the record`() {
        var log = OperationLog(limit: 10)
        log.beginSegment(with: schedule)
        log.appendEvent(.beginDraining)

        #expect(log.needsSegment(operations: 11, capacity: 11) == false)
        #expect(log.record.isEmpty)
        #expect(log.needsSegment(operations: 10, capacity: 11) == true)
    }

    @Test(arguments: [(0, 10), (2, 10), (3, 12), (5, 20)])
    func `A segment has four events for each operation of the schedule, and at least half of the limit`(operations: Int, length: Int) {
        var log = OperationLog(limit: 20)
        log.beginSegment(with: schedule)

        for _ in 1..<length {
            log.appendEvent(.beginDraining)
            #expect(log.needsSegment(operations: operations, capacity: operations) == false)
        }
        log.appendEvent(.beginDraining)
        #expect(log.needsSegment(operations: operations, capacity: operations) == true)
    }
}
