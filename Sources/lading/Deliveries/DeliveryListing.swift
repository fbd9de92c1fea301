import Deliveries
import Foundation
import LadingFeeds

/// The stored deliveries that match a query, printed in batches: a long list does not have to fit into memory.
struct DeliveryListing: Sendable {
    let store: any RecordStore<Delivery>
    let query: RecordQuery
    /// The maximum number of printed deliveries; nil for all.
    let limit: Int?
    let isJSON: Bool

    /// The number of records that are read and printed at once.
    private static let batchSize = 1_000

    func print() async throws -> DeliveryListingSummary {
        var summary = DeliveryListingSummary()
        var table = DeliveryTable(width: Terminal.output.tableWidth)
        var start = ResultCursor.first
        while summary.count < limit ?? .max {
            let records = try await store.records(query, from: start, limit: min(Self.batchSize, (limit ?? .max) - summary.count)).records
            guard let last = records.last else { break }
            if isJSON {
                Terminal.output.write((summary.count == 0 ? "[" : ",") + records.map(DeliveryLine.json).joined(separator: ","))
            } else {
                Terminal.output.write(table.text(of: records.map(\.withLocalChanges)))
            }
            summary.add(records.map(\.storedAt))
            start = .after(last.position)
        }
        if isJSON { Terminal.output.write(summary.count == 0 ? "[]\n" : "]\n") }
        return summary
    }
}

/// The number of printed deliveries, and their age.
struct DeliveryListingSummary: Sendable {
    private(set) var count = 0
    private var oldest = Date.distantFuture
    private var newest = Date.distantPast

    mutating func add(_ dates: [Date]) {
        count += dates.count
        for date in dates { (oldest, newest) = (min(oldest, date), max(newest, date)) }
    }

    /// Returns a summary such as `3 deliveries, stored 5 minutes ago`.
    func text(now: Date) -> String {
        let (newest, oldest) = (Self.text(from: newest, to: now), Self.text(from: oldest, to: now))
        let range = newest == oldest ? newest : "between \(oldest) and \(newest)"
        return "\(count) stored \(count == 1 ? "delivery" : "deliveries"), fetched \(range) ago"
    }

    private static func text(from start: Date, to end: Date) -> String {
        Duration.seconds(max(0, end.timeIntervalSince(start)))
            .formatted(.units(allowed: [.days, .hours, .minutes, .seconds], width: .wide, maximumUnitCount: 1))
    }
}
