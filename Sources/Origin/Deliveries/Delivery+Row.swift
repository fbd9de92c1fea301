import GRDB

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
        guard let key = DeliveryKey(row["key"] as String), let cargo = Cargo(name: row["cargo"]) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "Delivery \(row["id"] as Int) is invalid.")
        }
        self.init(
            id: row["id"], key: key, recipient: row["recipient"], image: DeliveryImage(cargo: cargo, variant: row["picture"]),
            location: Location(row: row),
            route: Route(start: row["origin"], end: row["destination"]),
            sender: Sender(name: row["senderName"], phone: row["senderPhone"], email: row["senderEmail"]),
            remarks: row["remarks"], pickupTime: row["pickupTime"], feeCents: row["feeCents"], surchargeCents: row["surchargeCents"])
    }
}

extension Delivery.Location {
    fileprivate init?(row: Row) {
        guard let address = row["address"] as String? else { return nil }
        self.init(address: address, latitude: row["latitude"], longitude: row["longitude"])
    }
}
