import Foundation
import LadingFeeds
import Orders

/// Orders as a table for people.
struct OrderTable {
    private struct Column: Sendable {
        let title: String
        /// The most characters shown; longer texts are cut.
        let limit: Int
        var isNumber = false
        let text: @Sendable (Order) -> String
    }

    private static let columns = [
        Column(title: "Title", limit: 28) { $0.title },
        Column(title: "Address", limit: 44) { $0.location.address.isEmpty ? "(none)" : $0.location.address },
        Column(title: "Delivery", limit: 22) { $0.deliveryDate.isEmpty ? "(none)" : $0.deliveryDate },
        Column(title: "Price", limit: 16, isNumber: true) { $0.amount },
        Column(title: "Items", limit: 6, isNumber: true) { "\($0.itemCount)" },
    ]

    private let lines: [OrderLine]

    init(_ lines: [OrderLine]) {
        self.lines = lines
    }

    var text: String {
        let cells = lines.map(cells)
        let widths = Self.columns.indices.map { column in
            cells.compactMap { $0?[column].count }.reduce(Self.columns[column].title.count, max)
        }
        let idWidth = max(2, lines.map { "\($0.id)".oneLine.count }.max() ?? 2)
        var rows = [row("Id".padded(to: idWidth, onLeft: true), Self.columns.map(\.title), widths)]
        for (line, cells) in zip(lines, cells) {
            let id = "\(line.id)".oneLine.padded(to: idWidth, onLeft: true)
            rows.append(cells.map { row(id, $0, widths) } ?? "\(id)  failed: \((line.error ?? "").oneLine)")
        }
        return rows.map { $0 + "\n" }.joined()
    }

    private func cells(_ line: OrderLine) -> [String]? {
        guard case .loaded(let order) = line else { return nil }
        return Self.columns.map { $0.text(order).oneLine.cut(to: $0.limit) }
    }

    private func row(_ id: String, _ cells: [String], _ widths: [Int]) -> String {
        let padded = zip(zip(cells, widths), Self.columns).map { $0.0.padded(to: $0.1, onLeft: $1.isNumber) }
        return ([id] + padded).joined(separator: "  ").trimmingSuffix
    }
}

/// One order with its items for people.
struct OrderSheet {
    private let order: Order

    init(_ order: Order) {
        self.order = order
    }

    var text: String {
        let location = order.location
        let within = location.radius.map { ", within \($0) \(location.radiusUnit)" } ?? ""
        let head = [
            "Order \(order.id): \(order.title)", "",
            "Delivery     \(order.deliveryDate)",
            "Address      \(location.address)",
            "Position     \(location.point.map { "\($0.latitude), \($0.longitude)" } ?? "(none)")\(within)",
            "Price        \(order.amount)",
            "Information  \(order.info)", "",
            "\(order.itemCount) items",
        ]
        let items = order.items.map {
            "  \($0.quantity.map { "\($0)" } ?? "?") \($0.quantityUnit) \($0.item?.name ?? "(unknown item\($0.id.map { " \($0)" } ?? ""))")"
        }
        let flaws = order.flaws.isEmpty ? [] : ["", "Not readable:"] + order.flaws.map { "  \($0)" }
        return (head + items + flaws).map { $0.oneLine + "\n" }.joined()
    }
}

extension Order {
    /// The price with its currency, or a note that there is none.
    fileprivate var amount: String { price.map { "\($0.asMoney) \(currency)" } ?? "(unreadable)" }
}

extension Decimal {
    /// With two decimals and a point, as in the documents.
    fileprivate var asMoney: String {
        formatted(.number.precision(.fractionLength(2)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }
}
