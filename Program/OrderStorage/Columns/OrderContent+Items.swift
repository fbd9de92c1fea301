import JSONWriting

/// The items in a JSON column, so that one row contains the whole order: an array for each, `[3,"1.5","kg"]`; keys would triple its size.
extension OrderContent {
    package var encodedItems: String {
        var json = JSONWriter(.short)
        json.array(items) { item, json in
            json.array { json in
                json.number(item.id)
                json.string(item.quantity)
                json.string(item.unit)
            }
        }
        return json.text
    }

    package static func decodeItems(_ text: String) throws -> [Item] {
        let items: [ItemColumn] = try JSONColumn.decode(text)
        return items.map(\.item)
    }
}

private struct ItemColumn: Decodable {
    let item: OrderContent.Item

    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        item = OrderContent.Item(
            id: try values.decode(Int.self), quantity: try values.decode(String.self), unit: try values.decode(String.self))
    }
}
