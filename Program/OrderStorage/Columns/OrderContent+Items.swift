/// The items in a JSON column, so that one row contains the whole order: an array for each, `[3,"1.5","kg"]`; keys would triple its size.
extension OrderContent {
    package var encodedItems: String { get throws { try JSONColumn.encode(items.map(ItemColumn.init)) } }

    package static func decodeItems(_ text: String) throws -> [Item] {
        let items: [ItemColumn] = try JSONColumn.decode(text)
        return items.map(\.item)
    }
}

private struct ItemColumn: Codable {
    let item: OrderContent.Item

    init(_ item: OrderContent.Item) { self.item = item }

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        item = OrderContent.Item(
            id: try values.decode(Int.self), quantity: try values.decode(String.self), unit: try values.decode(String.self))
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(item.id)
        try values.encode(item.quantity)
        try values.encode(item.unit)
    }
}
