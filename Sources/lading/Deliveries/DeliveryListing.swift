import Deliveries
import Foundation
import LadingFeeds

/// A listing of the stored deliveries that match a query, read and printed in batches, so that a long list needs little memory.
struct DeliveryListing: Sendable {
    let store: any RecordStore<Delivery>
    let query: RecordQuery
    /// The maximum number of printed deliveries; nil for all.
    let limit: Int?
    let isJSON: Bool

    /// The number of records that are read and printed at once.
    private static let batchSize = 1_000

    /// Prints the deliveries as a table or a JSON array.
    func print() async throws -> DeliveryListingSummary {
        var summary = DeliveryListingSummary()
        var table = DeliveryTable(width: Terminal.output.tableWidth)
        var start = ResultCursor.first
        let limit = limit ?? .max
        while summary.count < limit {
            let records = try await store.records(query, from: start, limit: min(Self.batchSize, limit - summary.count)).records
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

/// The number of printed deliveries, and the range of times at which they were fetched.
struct DeliveryListingSummary: Sendable {
    private(set) var count = 0
    private var oldest = Date.distantFuture
    private var newest = Date.distantPast

    mutating func add(_ dates: [Date]) {
        count += dates.count
        for date in dates { (oldest, newest) = (min(oldest, date), max(newest, date)) }
    }

    /// Returns a summary such as `3 stored deliveries, fetched 5 minutes ago` or `…, fetched between 2 hours and 5 minutes ago`.
    func text(now: Date) -> String {
        let (least, most) = (Self.age(from: newest, to: now), Self.age(from: oldest, to: now))
        let range = least == most ? least : "between \(most) and \(least)"
        return "\(count) stored \(count == 1 ? "delivery" : "deliveries"), fetched \(range) ago"
    }

    /// Returns a time span in its largest unit: `5 minutes`.
    private static func age(from start: Date, to end: Date) -> String {
        Duration.seconds(max(0, end.timeIntervalSince(start)))
            .formatted(.units(allowed: [.days, .hours, .minutes, .seconds], width: .wide, maximumUnitCount: 1))
    }
}
