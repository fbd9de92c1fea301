import Foundation
import LadingRecords
import Orders

/// A table of orders.
struct OrderTable {
    private static let columns: [TextTable.Column] = [
        .init(title: "Id", isNumber: true, minimumWidth: 12), .init(title: "Title", minimumWidth: 12),
        .init(title: "Address", minimumWidth: 16),
        .init(title: "Delivery", minimumWidth: 16), .init(title: "Price", isNumber: true, minimumWidth: 12),
        .init(title: "Items", isNumber: true),
    ]

    private let lines: [OrderLine]
    private let width: Int?

    /// Creates a table.
    ///
    /// - Parameter width: The width of the terminal in columns; nil when the table is not shown on one.
    init(_ lines: [OrderLine], width: Int?) {
        self.lines = lines
        self.width = width
    }

    var text: String {
        var table = TextTable(Self.columns, width: width)
        return table.text(of: lines.map(Self.row))
    }

    private static func row(_ line: OrderLine) -> TextTable.Row {
        switch line {
        case .failed(let id, let error): .init(cells: ["\(id)"], note: "failed: \(error)")
        case .loaded(let order):
            .init(cells: [
                "\(order.id)", order.title, order.location.address.isEmpty ? "(none)" : order.location.address,
                order.deliveryDate.isEmpty ? "(none)" : order.deliveryDate, order.amount, "\(order.itemCount)",
            ])
        }
    }
}

/// The text of one order with its items.
struct OrderDetailText {
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
        let fieldErrors = order.fieldErrors.isEmpty ? [] : ["", "Invalid fields:"] + order.fieldErrors.map { "  \($0)" }
        return (head + items + fieldErrors).map { $0.oneLine + "\n" }.joined()
    }
}

extension Order {
    /// The price with its currency, or a placeholder when it could not be parsed.
    fileprivate var amount: String { price.map { "\($0.formattedAmount) \(currency)" } ?? "(unreadable)" }
}

extension Decimal {
    /// The number with two decimals and a decimal point, as in the documents.
    fileprivate var formattedAmount: String {
        formatted(.number.precision(.fractionLength(2)).grouping(.never).locale(Locale(identifier: "en_US_POSIX")))
    }
}
