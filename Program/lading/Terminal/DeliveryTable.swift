import Deliveries
import Foundation

/// A table of deliveries, printed in batches.
struct DeliveryTable {
    private static let columns: [TextTable.Column] = [
        .init(title: "Id", isNumber: true, minimumWidth: 12), .init(title: "Delivery", minimumWidth: 12),
        .init(title: "Address", minimumWidth: 16),
        .init(title: "Pickup"), .init(title: "Fee", isNumber: true, minimumWidth: 12), .init(title: "Favourite"),
    ]

    /// Returns a pickup time in the server's time zone, otherwise in the reader's: `2026-05-20 08:00`.
    ///
    /// The offset is appended where the two zones differ.
    ///
    /// - Parameter zone: The time zone of the reader.
    static func pickup(of delivery: Delivery, in zone: TimeZone) -> String {
        guard let pickup = delivery.pickup else { return "" }
        let displayZone = delivery.pickupOffset.flatMap(TimeZone.init(secondsFromGMT:)) ?? zone
        let isReaders = displayZone.secondsFromGMT(for: pickup) == zone.secondsFromGMT(for: pickup)
        return pickup.formatted(dateStyle(in: displayZone)) + (isReaders ? "" : " " + offset(displayZone.secondsFromGMT(for: pickup)))
    }

    private static func dateStyle(in zone: TimeZone) -> Date.VerbatimFormatStyle {
        Date.VerbatimFormatStyle(
            format:
                "\(year: .defaultDigits)-\(month: .twoDigits)-\(day: .twoDigits) \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits)",
            locale: Locale(identifier: "en_US_POSIX"), timeZone: zone, calendar: Calendar(identifier: .gregorian))
    }

    /// Returns an offset such as `-04:00`.
    private static func offset(_ seconds: Int) -> String {
        let (hours, minutes) = (abs(seconds) / 60).quotientAndRemainder(dividingBy: 60)
        return "\(seconds < 0 ? "-" : "+")\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    private var table: TextTable

    /// Creates an empty table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
    init(width: Int?) {
        table = TextTable(Self.columns, width: width)
    }

    /// Returns the lines of the next batch, with titles as `TextTable` adds them.
    mutating func text(of deliveries: [Delivery]) -> String {
        table.text(of: deliveries.map(Self.row))
    }

    private static func row(_ delivery: Delivery) -> TextTable.Row {
        TextTable.Row(cells: [
            delivery.id.description, name(of: delivery), delivery.address ?? "", pickup(of: delivery, in: .current),
            delivery.fee?.text ?? "", delivery.isFavourite ? "★" : "",
        ])
    }

    private static func name(of delivery: Delivery) -> String {
        guard delivery.title.isEmpty else { return delivery.title }
        return delivery.route.map { "From \($0.start)" } ?? delivery.remarks
    }
}
