#if PostgreSQL
    import OrderLifecycle
    import OrderStorage
    import PostgreSQLClient

    extension OrderContent {
        /// The columns of the content, in the order of `values`.
        static let columns = [
            "title", "note", "price", "currency", "amount", "item_count", "delivery_time", "due", "address", "radius", "radius_unit",
            "latitude", "longitude", "items", "pin",
        ]

        func values() -> [PostgreSQLStatement] {
            let place = destination.coordinate
            return [
                "\(title)", "\(note)", "\(price)", "\(currency)", "\(amount)::bigint", "\(items.count)::bigint", "\(deliveryTime)",
                "\(due?.milliseconds)::bigint", "\(destination.address)", "\(destination.radius)::float8", "\(destination.radiusUnit)",
                "\(place?.latitude)::float8", "\(place?.longitude)::float8", "\(encodedItems)", "\(pin)::text",
            ]
        }

        init(_ row: PostgreSQLRow) throws {
            let latitude: Double? = try row.optional("latitude")
            let coordinate = try latitude.flatMap { try Coordinate(latitude: $0, longitude: row.value("longitude")) }
            self.init(
                title: try row.value("title"), note: try row.value("note"), price: try row.value("price"),
                currency: try row.value("currency"), deliveryTime: try row.value("delivery_time"), due: try row.timestamp("due"),
                destination: Destination(
                    address: try row.value("address"), coordinate: coordinate, radius: try row.value("radius"),
                    radiusUnit: try row.value("radius_unit")),
                items: try Self.decodeItems(row.value("items")), pin: try row.optional("pin"))
        }
    }

    extension OrderRecord {
        /// The columns of a record, of the table `orders`. Without names a new column would invalidate the prepared statements of earlier programs.
        ///
        /// A fence of an earlier epoch counts as the first one of the present epoch.
        static let columns =
            ([
                "id", "state", "event_count", "holder", "held_since", "lease_end", "deadline", "attempts", "open_reports", "external_id",
                "is_demo",
            ] + OrderContent.columns).map { "orders.\($0)" }.joined(separator: ", ")
            + ", GREATEST(orders.fence, (SELECT fence_floor FROM order_metadata)) AS fence"

        init(_ row: PostgreSQLRow) throws {
            guard let state = OrderState(rawValue: try row.value("state")) else { throw PostgreSQLError.unexpectedValue(column: "state") }
            self.init(
                id: try row.value("id"), content: try OrderContent(row), state: state,
                version: OrderVersion(fence: Fence(rawValue: try row.value("fence")), eventCount: try row.value("event_count")),
                holder: try row.person("holder"), heldSince: try row.timestamp("held_since"), leaseEnd: try row.timestamp("lease_end"),
                deadline: try row.timestamp("deadline"), attempts: try row.value("attempts"), openReports: try row.value("open_reports"),
                externalID: try row.optional("external_id"), isDemo: try row.value("is_demo"))
        }
    }

    extension PostgreSQLRow {
        /// Returns a column of milliseconds.
        func timestamp(_ column: String) throws -> Timestamp? {
            let value: Int64? = try optional(column)
            return value.map(Timestamp.init(milliseconds:))
        }

        func person(_ column: String) throws -> PersonID? {
            let value: String? = try optional(column)
            return value.map(PersonID.init(rawValue:))
        }
    }
#endif
