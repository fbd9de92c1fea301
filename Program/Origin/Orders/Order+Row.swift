import Foundation
import GRDB

/// The mapping between an order and a row of the table `orders`.
///
/// Its items are in a JSON column, so that one row contains the whole order.
extension Order: FetchableRecord {
    static let insertSQL = """
        INSERT INTO orders (id, title, info, price, currency, itemCount, deliveryDate,
            address, radius, radiusUnit, latitude, longitude, items)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    static let selectSQL = "SELECT * FROM orders WHERE id = ?"

    /// Returns the values of `insertSQL`, in its order.
    func arguments() throws -> StatementArguments {
        [
            id, title, info, price, currency, itemCount, deliveryDate,
            location.address, location.radius, location.radiusUnit, location.latitude, location.longitude,
            String(decoding: try JSONEncoder().encode(items), as: UTF8.self),
        ]
    }

    init(row: Row) throws {
        let items: String = row["items"]
        self.init(
            id: row["id"],
            title: row["title"],
            info: row["info"],
            price: row["price"],
            currency: row["currency"],
            itemCount: row["itemCount"],
            deliveryDate: row["deliveryDate"],
            location: Location(row: row),
            items: try JSONDecoder().decode([Item].self, from: Data(items.utf8))
        )
    }
}

extension Order.Location {
    fileprivate init(row: Row) {
        self.init(
            address: row["address"],
            radius: row["radius"],
            radiusUnit: row["radiusUnit"],
            latitude: row["latitude"],
            longitude: row["longitude"]
        )
    }
}

/// The encoding as an array, `[3,"1.5","kg"]`; keys would triple the size of the column.
extension Order.Item: Codable {
    init(from decoder: any Decoder) throws {
        var values = try decoder.unkeyedContainer()
        id = try values.decode(Int.self)
        quantity = try values.decode(String.self)
        unit = try values.decode(String.self)
    }

    func encode(to encoder: any Encoder) throws {
        var values = encoder.unkeyedContainer()
        try values.encode(id)
        try values.encode(quantity)
        try values.encode(unit)
    }
}
