import HistoryChecking
import OrderLifecycle
import Testing

@Suite("History files")
struct HistoryFileTests {
    private let record: HistoryRecord = {
        var record = HistoryRecord(.response, time: 12, client: "mina", order: 7)
        (record.key, record.action, record.outcome, record.events, record.currentFence) = ("k", .claim, .accepted, [2], Fence(rawValue: 1))
        return record
    }()

    @Test func `A record is read as it was written`() throws {
        #expect(try HistoryFile.records(in: HistoryFile.line(record) + "\n\n" + HistoryFile.line(record)) == [record, record])
    }

    @Test func `Lines may end with CR LF`() throws {
        let line = HistoryFile.line(record)

        #expect(try HistoryFile.records(in: line + "\r\n" + line + "\r\n") == [record, record])
        #expect(throws: HistoryFile.InvalidLine.self) { try HistoryFile.records(in: "no record\r\n" + line) }
    }

    @Test(arguments: [Int64.min, .max]) func `A time to which no duration can be added is invalid`(time: Int64) {
        var (late, leased) = (record, record)
        (late.time, leased.leaseEnd) = (time, Timestamp(milliseconds: time))

        for damaged in [late, leased] {
            let text = HistoryFile.line(damaged) + "\n" + HistoryFile.line(record)
            #expect(throws: HistoryFile.InvalidLine.self) { try HistoryFile.records(in: text) }
        }
    }

    @Test(arguments: [Int.min, 1, 2, Int.max]) func `Numbers of events of any size are compared with the history`(number: Int) {
        var (change, end) = (record, record)
        (change.kind, change.events) = (.change, [number])
        (end.kind, end.state) = (.history, .open)
        end.history = [
            OrderEvent(
                number: 1, action: .create, state: .open, fence: .initial, holder: nil, actor: nil,
                actionTime: Timestamp(milliseconds: 0), acceptanceTime: Timestamp(milliseconds: 0))
        ]

        let isMissing = HistoryChecker.violations(in: [change, end]).contains { $0.invariant == .monotonicReads }
        #expect(isMissing == (number != 1))
    }

    @Test func `A last line without its end is ignored, another invalid line is named`() throws {
        let line = HistoryFile.line(record)

        #expect(try HistoryFile.records(in: line + "\n" + line.dropLast(5)) == [record])
        let error = #expect(throws: HistoryFile.InvalidLine.self) { try HistoryFile.records(in: line + "\nno record\n" + line) }
        #expect(error?.number == 2)
    }
}
