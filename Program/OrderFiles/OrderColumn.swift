/// A column of a file of orders: a field of CSV, or a member of an object of JSON Lines.
///
/// The reader and the writer use the same columns; the writer writes all except `problem`, in this order.
package enum OrderColumn: Int, CaseIterable, Hashable, Sendable {
    case id, externalID, state, title, price, currency, due, deliveryTime, address, latitude, longitude, radius, radiusUnit, items, note,
        pin
    /// The errors of a row, in a file of faulty rows.
    case problem

    /// The columns that a file must have. A default currency replaces the column `currency`.
    package static let required: [OrderColumn] = [.title, .price, .currency, .address]

    /// The name that the writer uses.
    package var name: String {
        switch self {
        case .id: "id"
        case .externalID: "externalId"
        case .state: "state"
        case .title: "title"
        case .price: "price"
        case .currency: "currency"
        case .due: "due"
        case .deliveryTime: "deliveryTime"
        case .address: "address"
        case .latitude: "latitude"
        case .longitude: "longitude"
        case .radius: "radius"
        case .radiusUnit: "radiusUnit"
        case .items: "items"
        case .note: "note"
        case .pin: "pin"
        case .problem: "problem"
        }
    }

    /// The path of the member in JSON Lines, whose objects are those of the API.
    package var path: String { isInDestination ? "destination.\(name)" : name }

    /// Whether a line of JSON contains the member in the object `destination`.
    package var isInDestination: Bool {
        switch self {
        case .address, .latitude, .longitude, .radius, .radiusUnit: true
        default: false
        }
    }

    /// Whether the reader uses the column. It accepts the others, so that exported files can be imported.
    package var isImported: Bool {
        switch self {
        case .id, .state, .problem: false
        default: true
        }
    }

    /// The other names that the reader accepts.
    package var aliases: [String] {
        switch self {
        case .id: ["order id"]
        case .externalID: ["order number", "order no", "reference", "order reference", "external reference"]
        case .state: ["status"]
        case .title: ["order title", "name", "subject"]
        case .price: ["amount", "total", "total price"]
        case .currency: ["currency code"]
        case .due: ["deliver by", "due by", "due at", "due time", "due date"]
        case .deliveryTime: ["delivery window", "time slot"]
        case .address: ["delivery address", "destination", "destination address", "ship to"]
        case .latitude: ["lat", "destination latitude"]
        case .longitude: ["lng", "lon", "long", "destination longitude"]
        case .radius: ["destination radius"]
        case .radiusUnit: ["destination radius unit"]
        case .items: ["goods", "products", "groceries"]
        case .note: ["notes", "comment", "remarks", "instructions"]
        case .pin: ["pin code", "delivery pin"]
        case .problem: []
        }
    }

    /// The meaning and the form of the values, for documentation.
    package var summary: String {
        switch self {
        case .id: "The number of the order. Ignored by an import."
        case .externalID: "The unique number of the order in your system, by which repeated imports create nothing twice."
        case .state: "The state of the order. Ignored by an import."
        case .title: "A short text."
        case .price: "An amount such as 42.50; in files with semicolons or tabs also 42,50."
        case .currency: "A code of ISO 4217 such as EUR."
        case .due: "A time such as 2026-05-15T12:00:00Z, 2026-05-15 12:00 or 15.05.2026 12:00."
        case .deliveryTime: "A text such as \"Friday afternoon\"."
        case .address: "The address of the recipient."
        case .latitude: "From -90 to 90. Without both coordinates the address is located later."
        case .longitude: "From -180 to 180."
        case .radius: "The distance from the coordinates within which the recipient can be."
        case .radiusUnit: "The unit of the radius; without it metres."
        case .items: "Groceries such as \"12 x 1.5 kg; 7 x 2 pcs\": the id of each, its quantity and its unit."
        case .note: "A text for the courier."
        case .pin: "3 to 12 digits that the recipient tells the courier."
        case .problem: "The faults of a row. Ignored by an import."
        }
    }
}

extension OrderColumn {
    private static let columnsByName: [String: OrderColumn] = allCases.reduce(into: [:]) { columns, column in
        for name in [column.name] + column.aliases { columns[normalized(name)] = column }
    }

    /// Creates the column of a name in any case, with or without spaces, hyphens, dots and underscores; nil for an unknown name.
    package init?(header: String) {
        guard let column = Self.columnsByName[Self.normalized(header)] else { return nil }
        self = column
    }

    private static func normalized(_ name: String) -> String {
        name.lowercased().filter { !$0.isWhitespace && !"_-.\u{FEFF}".contains($0) }
    }
}
