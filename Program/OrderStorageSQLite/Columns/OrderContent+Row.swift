import Foundation
import GRDB
import OrderLifecycle
import OrderStorage

/// The mapping between the content of an order and a row of the table `orders`.
///
/// Its items are in a JSON column, so that one row contains the whole order: an array for each, `[3,"1.5","kg"]`; keys would triple its size.
extension OrderContent {
    /// The columns of the content, in the order of `values`.
    static let columns = [
        "title", "info", "price", "currency", "amount", "itemCount", "deliveryDate", "due", "address", "radius", "radiusUnit", "latitude",
        "longitude", "items", "pin",
    ]

    func values() throws -> StatementArguments {
        [
            title, note, price, currency, amount, items.count, deliveryTime, due?.milliseconds, destination.address,
            destination.radius, destination.radiusUnit, destination.coordinate?.latitude, destination.coordinate?.longitude,
            try JSONColumn.encode(items.map(ItemColumn.init)), pin,
        ]
    }

    init(row: Row) throws {
        let items: [ItemColumn] = try JSONColumn.decode(row["items"])
        let (latitude, longitude): (Double?, Double?) = (row["latitude"], row["longitude"])
        let due: Int64? = row["due"]
        self.init(
            title: row["title"], note: row["info"], price: row["price"], currency: row["currency"], deliveryTime: row["deliveryDate"],
            due: due.map(Timestamp.init(milliseconds:)),
            destination: Destination(
                address: row["address"],
                coordinate: latitude.flatMap { latitude in longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) } },
                radius: row["radius"], radiusUnit: row["radiusUnit"]),
            items: items.map(\.item), pin: row["pin"])
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
