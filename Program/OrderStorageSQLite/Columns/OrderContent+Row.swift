import Foundation
import GRDB
import OrderLifecycle
import OrderStorage
import SQLiteFiles

/// The mapping between the content of an order and a row of the table `orders`.
extension OrderContent {
    /// The columns of the content, in the order of `values`.
    static let columns = [
        "title", "info", "price", "currency", "amount", "itemCount", "deliveryDate", "due", "address", "radius", "radiusUnit", "latitude",
        "longitude", "items", "pin",
    ]

    func values() -> StatementArguments {
        [
            title, note, price, currency, amount, items.count, deliveryTime, due?.milliseconds, destination.address,
            destination.radius, destination.radiusUnit, destination.coordinate?.latitude, destination.coordinate?.longitude,
            encodedItems, pin,
        ]
    }

    init(row: Row) throws {
        let (latitude, longitude): (Double?, Double?) = (try row.checked("latitude"), try row.checked("longitude"))
        try self.init(
            title: row.checked("title"), note: row.checked("info"), price: row.checked("price"), currency: row.checked("currency"),
            deliveryTime: row.checked("deliveryDate"), due: row.timestamp("due"),
            destination: Destination(
                address: row.checked("address"),
                coordinate: latitude.flatMap { latitude in longitude.flatMap { Coordinate(latitude: latitude, longitude: $0) } },
                radius: row.checked("radius"), radiusUnit: row.checked("radiusUnit")),
            items: Self.decodeItems(row.checked("items")), pin: row.checked("pin"))
    }
}
