import Foundation
import JSONWriting
import LadingHTTP
import LadingRecords
import Orders

/// An order to print: loaded, or failed with the reason.
enum OrderLine: Sendable {
    case loaded(Order)
    case failed(OrderID, String)

    var error: String? {
        if case .failed(_, let error) = self { error } else { nil }
    }

    var id: OrderID {
        switch self {
        case .loaded(let order): order.id
        case .failed(let id, _): id
        }
    }
}

// MARK: - JSON

extension OrderLine {
    /// Returns an order as one line of JSON, with its keys in alphabetical order.
    static func json(_ line: OrderLine) -> String {
        var writer = JSONWriter(.short)
        line.write(to: &writer)
        return writer.text + "\n"
    }

    /// Returns orders as one line of JSON.
    static func json(_ lines: [OrderLine]) -> String {
        var writer = JSONWriter(.short)
        writer.array(lines) { $0.write(to: &$1) }
        return writer.text + "\n"
    }

    private func write(to writer: inout JSONWriter) {
        writer.object { writer in
            switch self {
            case .failed(let id, let error):
                writer.field("error", error)
                writer.field("id", id)
                writer.field("state", "failed")
            case .loaded(let order):
                order.write(to: &writer)
            }
        }
    }
}

extension Order {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.field("currency", currency)
        writer.field("deliveryDate", deliveryDate)
        if !fieldErrors.isEmpty {
            writer.field("flaws", array: fieldErrors) { flaw, writer in writer.string("\(flaw)") }
        }
        writer.field("id", id)
        writer.field("info", info)
        writer.field("itemCount", number: itemCount)
        writer.field("items", array: items) { item, writer in writer.object { item.write(to: &$0) } }
        writer.field("location") { writer in
            writer.field("address", location.address)
            writer.field("latitude", number: location.point?.latitude)
            writer.field("longitude", number: location.point?.longitude)
            writer.field("radius", number: location.radius)
            writer.field("radiusUnit", location.radiusUnit)
        }
        writer.field("price", number: price)
        writer.field("state", "loaded")
        writer.field("title", title)
    }
}

extension OrderItem {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.field("id", number: id)
        writer.field("imageUrl", item?.imageURL?.redacted)
        writer.field("name", item?.name)
        writer.field("quantity", number: quantity)
        writer.field("quantityUnit", quantityUnit)
    }
}

extension JSONWriter {
    /// Writes an id, as a number if it is one.
    fileprivate mutating func field(_ key: StaticString, _ id: OrderID) {
        if let number = id.number { field(key, number: number) } else { field(key, id.description) }
    }
}
