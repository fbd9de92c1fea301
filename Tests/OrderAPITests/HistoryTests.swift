import JSONWriting
import OrderLifecycle
import OrderStorage
import Testing

@testable import OrderAPI

@Suite("API: histories")
struct HistoryTests {
    private static let (mina, start) = (PersonID(rawValue: String(repeating: "m", count: 40)), OrderAPIFixture.start)
    private static let photo = ProofDigest(rawValue: String(repeating: "a1", count: 32))!

    private static func history(_ events: [OrderEvent], _ reports: [StoredReport] = []) -> OrderHistory {
        let content = OrderContent(title: "Soup", price: "1", currency: "EUR", destination: .init(address: "Quay", coordinate: nil))
        let record = OrderRecord(
            id: 1, content: content, state: .open, version: OrderVersion(fence: .initial, eventCount: events.count), holder: nil,
            heldSince: nil, leaseEnd: nil, deadline: nil, attempts: 0, openReports: 0, externalID: nil)
        return OrderHistory(record: record, events: events, reports: reports, proofs: [])
    }

    private static func event(_ number: Int, missing items: [String] = []) -> OrderEvent {
        OrderEvent(
            number: number, action: .reassign, state: .delivered, fence: Fence(rawValue: .max), holder: mina, actor: mina,
            actionTime: start, acceptanceTime: start, missingItems: items, reason: .recipientUnavailable,
            proofs: Array(repeating: photo, count: 20))
    }

    private static func report(_ number: Int, missing items: [String]) -> StoredReport {
        let report = OrderReport(
            action: .pickUp, actor: mina, fence: Fence(rawValue: .max), cause: .staleFence, actionTime: start, acceptanceTime: start,
            missingItems: items)
        return StoredReport(number: number, report: report, isSettled: false)
    }

    /// Returns the number of bytes of an array of documents.
    private static func size<Element>(_ elements: [Element], _ write: (Element, inout JSONWriter) -> Void) -> Int {
        var json = JSONWriter(.unicode)
        json.array(elements) { element, json in json.object { write(element, &$0) } }
        return json.text.utf8.count
    }

    @Test func `A response contains all of a short history, and the newest part of a long one`() {
        let short = Self.history((1...3).map { Self.event($0) }, [Self.report(1, missing: ["3"])])
        let long = Self.history((1...3_000).map { Self.event($0) })

        #expect(short.newestEvents == short.events && short.newestReports == short.reports)
        let events = long.newestEvents
        #expect((400..<1_000).contains(events.count))
        #expect(events == Array(long.events.suffix(events.count)))
        #expect(Self.size(events) { $0.write(to: &$1) } <= OrderHistory.sizeLimit)
    }

    @Test(arguments: ["9", "\u{1}", "ä"]) func `Reports with many items are no longer than the limit together`(character: String) {
        let items = Array(repeating: String(repeating: character, count: 200), count: 500)
        let history = Self.history([], (1...60).map { Self.report($0, missing: items) })

        let reports = history.newestReports

        #expect(!reports.isEmpty && reports.count < 60 && reports.last?.number == 60)
        #expect(Self.size(reports) { $0.report.write(to: &$1) } <= OrderHistory.sizeLimit)
    }
}
