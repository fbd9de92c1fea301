import GRDB
import SQLiteFiles

/// The mapping between a delivery and a row of the table `deliveries`.
extension Delivery: FetchableRecord {
    static let insertSQL = """
        INSERT INTO deliveries (id, key, recipient, cargo, picture, address, latitude, longitude, origin, destination,
            senderName, senderPhone, senderEmail, remarks, pickupTime, feeCents, surchargeCents)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """

    /// The values of `insertSQL`, in its order.
    var arguments: StatementArguments {
        [
            id, key.text, recipient, image.cargo.name, image.variant,
            location?.address, location?.latitude, location?.longitude, route.start, route.end,
            sender.name, sender.phone, sender.email, remarks, pickupTime, feeCents, surchargeCents,
        ]
    }

    init(row: Row) throws {
        let id: Int = try row.checked("id")
        guard let key = DeliveryKey(try row.checked("key", as: String.self)), let cargo = Cargo(name: try row.checked("cargo")) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "Delivery \(id) is invalid.")
        }
        try self.init(
            id: id, key: key, recipient: row.checked("recipient"), image: DeliveryImage(cargo: cargo, variant: row.checked("picture")),
            location: Location(row: row),
            route: Route(start: row.checked("origin"), end: row.checked("destination")),
            sender: Sender(name: row.checked("senderName"), phone: row.checked("senderPhone"), email: row.checked("senderEmail")),
            remarks: row.checked("remarks"), pickupTime: row.checked("pickupTime"), feeCents: row.checked("feeCents"),
            surchargeCents: row.checked("surchargeCents"))
    }
}

extension Delivery.Location {
    fileprivate init?(row: Row) throws {
        guard let address = try row.checked("address", as: String?.self) else { return nil }
        self.init(address: address, latitude: try row.checked("latitude"), longitude: try row.checked("longitude"))
    }
}
