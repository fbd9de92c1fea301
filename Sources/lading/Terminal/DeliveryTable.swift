import Deliveries
import Foundation

/// Deliveries as a table for people, part by part; what none of the first part has gets no column.
struct DeliveryTable {
    private struct Column: Sendable {
        let title: String
        /// The most characters shown; longer texts are cut.
        let limit: Int
        var isNumber = false
        let text: @Sendable (Delivery) -> String
    }

    private static let columns = [
        Column(title: "Id", limit: 24, isNumber: true) { $0.id.description },
        Column(title: "Delivery", limit: 36) { $0.title.isEmpty ? $0.route.map { "From \($0.start)" } ?? $0.remarks : $0.title },
        Column(title: "Address", limit: 36) { $0.address ?? "" },
        Column(title: "Pickup", limit: 23) { pickup(of: $0, in: .current) },
        Column(title: "Fee", limit: 14, isNumber: true) { $0.fee?.text ?? "" },
        Column(title: "Favourite", limit: 9) { $0.isFavourite ? "★" : "" },
    ]

    /// A pickup on the clock that its server names, otherwise on the reader's: `2026-05-20 08:00`, with the offset behind it where the two differ.
    ///
    /// - Parameter zone: The zone of the reader.
    static func pickup(of delivery: Delivery, in zone: TimeZone) -> String {
        guard let pickup = delivery.pickup else { return "" }
        let own = delivery.pickupOffset.flatMap(TimeZone.init(secondsFromGMT:)) ?? zone
        let isReaders = own.secondsFromGMT(for: pickup) == zone.secondsFromGMT(for: pickup)
        return pickup.formatted(moment(in: own)) + (isReaders ? "" : " " + offset(own.secondsFromGMT(for: pickup)))
    }

    private static func moment(in zone: TimeZone) -> Date.VerbatimFormatStyle {
        Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian))
    }

    /// Such as `-04:00`.
    private static func offset(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// The columns that are shown, and how wide they are; empty before the first part.
    private var layout: [(column: Column, width: Int)] = []

    /// The lines of another part, with the heading in front of the first.
    mutating func text(of deliveries: [Delivery]) -> String {
        let isFirst = layout.isEmpty
        if isFirst { layOut(deliveries) }
        let rows =
            (isFirst ? [layout.map(\.column.title)] : []) + deliveries.map { delivery in layout.map { Self.cell(delivery, $0.column) } }
        return rows.map { line($0) + "\n" }.joined()
    }

    private mutating func layOut(_ deliveries: [Delivery]) {
        layout = Self.columns.compactMap { column in
            guard let widest = deliveries.map({ Self.cell($0, column).count }).max(), widest > 0 else { return nil }
            return (column, max(widest, column.title.count))
        }
    }

    private static func cell(_ delivery: Delivery, _ column: Column) -> String { column.text(delivery).oneLine.cut(to: column.limit) }

    private func line(_ cells: [String]) -> String {
        zip(cells, layout).map { $0.padded(to: $1.width, onLeft: $1.column.isNumber) }.joined(separator: "  ").trimmingSuffix
    }
}
