import JSONWriting
package import OrderLifecycle
package import OrderStorage

/// An order for a file.
package struct ExportedOrder: Hashable, Sendable {
    package let id: Int
    package let externalID: String?
    package let state: OrderState
    package let content: OrderContent

    package init(
        id: Int, externalID: String?, state: OrderState, content: OrderContent
    ) {
        self.id = id
        self.externalID = externalID
        self.state = state
        self.content = content
    }
}

/// A writer of orders as CSV or JSON Lines, in parts: the header, then each order.
///
/// A file that it has written can be imported, with the same contents.
package struct OrderFileWriter: Sendable {
    package struct Options: Hashable, Sendable {
        package var format: OrderFileFormat
        /// The delimiter of CSV. Excel expects the list separator of its region, which is `;` where commas are decimal.
        package var delimiter: CSVDelimiter
        /// Whether CSV begins with a byte order mark, without which Excel does not detect UTF-8.
        package var hasByteOrderMark: Bool
        /// Whether the file contains PINs.
        package var includesPINs: Bool

        package init(
            format: OrderFileFormat, delimiter: CSVDelimiter = .comma, hasByteOrderMark: Bool = false, includesPINs: Bool = true
        ) {
            self.format = format
            self.delimiter = delimiter
            self.hasByteOrderMark = hasByteOrderMark
            self.includesPINs = includesPINs
        }
    }

    private let options: Options
    private let columns: [OrderColumn]

    package init(options: Options) {
        self.options = options
        columns = OrderColumn.allCases.filter { $0 != .problem && ($0 != .pin || options.includesPINs) }
    }

    /// The bytes before the first order: the header of CSV.
    package var header: [UInt8] {
        guard options.format == .csv else { return [] }
        var csv = CSVWriter(delimiter: options.delimiter)
        for column in columns { csv.field(column.name) }
        csv.endRow()
        return (options.hasByteOrderMark ? CSVWriter.byteOrderMark : []) + csv.bytes
    }

    /// Returns the row of an order.
    package func row(_ order: ExportedOrder) -> [UInt8] {
        switch options.format {
        case .csv:
            var csv = CSVWriter(delimiter: options.delimiter)
            for column in columns { csv.field(order.cell(column)) }
            csv.endRow()
            return csv.bytes
        case .jsonLines:
            var json = JSONWriter(.unicode)
            json.object { order.write(columns, to: &$0) }
            return Array(json.text.utf8) + [.lineFeed]
        }
    }
}

extension ExportedOrder {
    /// Returns the value of a column as text; nil if it has none.
    fileprivate func cell(_ column: OrderColumn) -> String? {
        let destination = content.destination
        return switch column {
        case .id: "\(id)"
        case .externalID: externalID
        case .state: state.rawValue
        case .title: content.title
        case .price: content.price
        case .currency: content.currency
        case .due: content.due?.text
        case .deliveryTime: content.deliveryTime.isEmpty ? nil : content.deliveryTime
        case .address: destination.address
        case .latitude: destination.coordinate.map { Self.text($0.latitude) }
        case .longitude: destination.coordinate.map { Self.text($0.longitude) }
        case .radius: Self.text(destination.radius)
        case .radiusUnit: destination.radiusUnit
        case .items: content.items.isEmpty ? nil : ItemList.text(content.items)
        case .note: content.note.isEmpty ? nil : content.note
        case .pin: content.pin
        case .problem: nil
        }
    }

    /// Returns the shortest text of a number, without a fraction of zero.
    private static func text(_ number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }

    /// Writes members in the order of the columns; those of the destination follow each other.
    fileprivate func write(_ columns: [OrderColumn], to json: inout JSONWriter) {
        for column in columns {
            switch column {
            case .id: json.field("id", number: id)
            case .externalID: json.field("externalId", externalID)
            case .state: json.field("state", state.rawValue)
            case .title: json.field("title", content.title)
            case .price: json.field("price", content.price)
            case .currency: json.field("currency", content.currency)
            case .due: json.field("due", content.due?.text)
            case .deliveryTime: json.field("deliveryTime", content.deliveryTime)
            case .address: json.field("destination", object: writeDestination)
            case .items: writeItems(to: &json)
            case .note: json.field("note", content.note)
            case .pin: json.field("pin", content.pin)
            case .latitude, .longitude, .radius, .radiusUnit, .problem: break
            }
        }
    }

    private func writeDestination(to json: inout JSONWriter) {
        let destination = content.destination
        json.field("address", destination.address)
        json.field("latitude", number: destination.coordinate?.latitude)
        json.field("longitude", number: destination.coordinate?.longitude)
        json.field("radius", number: destination.radius)
        json.field("radiusUnit", destination.radiusUnit)
    }

    private func writeItems(to json: inout JSONWriter) {
        json.field("items", array: content.items) { item, json in
            json.object { json in
                json.field("id", number: item.id)
                json.field("quantity", item.quantity)
                json.field("unit", item.unit)
            }
        }
    }
}
