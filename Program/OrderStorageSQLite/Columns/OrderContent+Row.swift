import Foundation
import GRDB
import OrderLifecycle
import OrderStorage

/// The mapping between the content of an order and a row of the table `orders`.
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
            try encodedItems, pin,
        ]
    }

    init(row: Row) throws {
        let (latitude, longitude): (Double?, Double?) = (row["latitude"], row["longitude"])
        let due: Int64? = row["due"]
        self.init(
            title: row["title"], note: row["info"], price: row["price"], currency: row["currency"], deliveryTime: row["deliveryDate"],
            due: due.map(Timestamp.init(milliseconds:)),
            destination: Destination(
                address: row["address"],
                coordinate: latitude.flatMap { latitude in longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) } },
                radius: row["radius"], radiusUnit: row["radiusUnit"]),
            items: try Self.decodeItems(row["items"]), pin: row["pin"])
    }
}
