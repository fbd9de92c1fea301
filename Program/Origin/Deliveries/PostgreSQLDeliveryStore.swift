#if PostgreSQL
    import struct Foundation.Date
    import PostgreSQLClient

    /// The deliveries and favourites of a PostgreSQL database that several origins share.
    struct PostgreSQLDeliveryStore: Sendable {
        /// The maximum number of deliveries stored in one transaction.
        static let seedBatchSize = 20_000

        let client: PostgreSQLClient

        static func registerMigrations(in migrator: inout PostgreSQLMigrator) {
            migrator.register("deliveries", tables)
        }

        /// The ids of deliveries are their indices in the list: from 0, without gaps.
        private static let tables: [PostgreSQLStatement] = [
            """
            CREATE TABLE deliveries (
                id bigint PRIMARY KEY CHECK (id >= 0),
                key text NOT NULL,
                recipient text NOT NULL,
                cargo text NOT NULL,
                picture bigint NOT NULL,
                address text,
                latitude float8 CHECK (latitude BETWEEN -90 AND 90),
                longitude float8 CHECK (longitude BETWEEN -180 AND 180),
                origin text NOT NULL,
                destination text NOT NULL,
                sender_name text NOT NULL,
                sender_phone text NOT NULL,
                sender_email text NOT NULL,
                remarks text NOT NULL,
                pickup_time text NOT NULL,
                fee_cents bigint NOT NULL CHECK (fee_cents >= 0),
                surcharge_cents bigint NOT NULL CHECK (surcharge_cents >= 0),
                CHECK ((address IS NULL) = (latitude IS NULL) AND (address IS NULL) = (longitude IS NULL)))
            """,
            """
            CREATE TABLE demo_deliveries (
                id bigint PRIMARY KEY CHECK (id = 1),
                count bigint NOT NULL,
                seed bigint NOT NULL,
                version bigint NOT NULL,
                seconds bigint NOT NULL)
            """,
            """
            CREATE TABLE favourites (
                id bigint PRIMARY KEY CHECK (id >= 0),
                is_favourite boolean NOT NULL,
                milliseconds bigint NOT NULL)
            """,
            """
            CREATE TABLE favourite_keys (
                number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                key text COLLATE "C" NOT NULL CONSTRAINT favourite_keys_key UNIQUE,
                request text NOT NULL,
                is_favourite boolean NOT NULL,
                milliseconds bigint NOT NULL,
                seconds bigint NOT NULL)
            """,
            "CREATE INDEX favourite_keys_by_seconds ON favourite_keys (seconds)",
        ]
    }

    // MARK: - Deliveries

    extension PostgreSQLDeliveryStore: DeliveryStore {
        func deliveries(_ page: DeliveryPage) async throws -> [DeliveryDocuments.Entry] {
            let rows = try await client.read(
                """
                SELECT deliveries.*, COALESCE(favourites.is_favourite, false) AS is_favourite
                FROM deliveries LEFT JOIN favourites ON favourites.id = deliveries.id
                WHERE deliveries.id >= \(page.offset) ORDER BY deliveries.id LIMIT \(page.limit)
                """)
            return try rows.map { (try Delivery($0), try $0.value("is_favourite")) }
        }

        func index(of key: DeliveryKey) async throws -> Int? {
            try await client.read("SELECT id FROM deliveries WHERE id = \(key.index) AND key = \(key.text)").first?.value("id")
        }

        func deliveryKey(at index: Int) async throws -> DeliveryKey? {
            let key: String? = try await client.read("SELECT key FROM deliveries WHERE id = \(index)").first?.value("key")
            return key.flatMap { DeliveryKey($0) }
        }

        func favourites(in ids: ClosedRange<Int>) async throws -> Set<Int> {
            let rows = try await client.read(
                "SELECT id FROM favourites WHERE id BETWEEN \(ids.lowerBound) AND \(ids.upperBound) AND is_favourite")
            return Set(try rows.map { try $0.value("id", as: Int.self) })
        }

        /// Stores the deliveries of a demo, unless those of another one are stored already, and returns the date of their last change.
        ///
        /// An interrupted run is completed by the next one. Of origins that store the same batch at once one succeeds.
        ///
        /// - Parameter onProgress: Called after each transaction.
        func fill(with demo: DemoDeliveries, now: Date, onProgress: @Sendable (SetupProgress) -> Void = { _ in }) async throws -> Date {
            try await client.write(
                """
                INSERT INTO demo_deliveries (id, count, seed, version, seconds)
                VALUES (1, \(demo.count), \(Int64(bitPattern: demo.seed)), \(DemoDeliveries.version), \(Int(now.timeIntervalSince1970)))
                ON CONFLICT (id) DO NOTHING
                """)
            guard let row = try await client.read("SELECT count, seed, seconds FROM demo_deliveries").first else { return now }
            let stored = DemoDeliveries(
                count: try row.value("count"), seed: UInt64(bitPattern: try row.value("seed", as: Int64.self)), city: demo.city)
            while case let count = try await storedCount(), count < stored.count {
                let end = min(count + Self.seedBatchSize, stored.count)
                do {
                    try await client.copy(
                        (count..<end).map { stored.delivery($0).values },
                        into: "deliveries (\(Delivery.columns.joined(separator: ", ")))")
                } catch PostgreSQLError.refused(let rejection) where rejection.state == .uniqueViolation {
                    // Another origin has stored these deliveries meanwhile.
                }
                onProgress(SetupProgress(step: .deliveries, completed: end, total: stored.count))
            }
            return Date(timeIntervalSince1970: Double(try row.value("seconds", as: Int.self)))
        }

        private func storedCount() async throws -> Int {
            try await client.read("SELECT COALESCE(max(id) + 1, 0) AS count FROM deliveries").first?.value("count") ?? 0
        }
    }

    extension Delivery {
        fileprivate static let columns = [
            "id", "key", "recipient", "cargo", "picture", "address", "latitude", "longitude", "origin", "destination", "sender_name",
            "sender_phone", "sender_email", "remarks", "pickup_time", "fee_cents", "surcharge_cents",
        ]

        /// The values of `columns`, in their order.
        fileprivate var values: [PostgreSQLValue] {
            let place = [location?.address.postgreSQLValue, location?.latitude.postgreSQLValue, location?.longitude.postgreSQLValue]
            return [id.postgreSQLValue, .text(key.text), .text(recipient), .text(image.cargo.name), image.variant.postgreSQLValue]
                + place.map { $0 ?? .null }
                + [route.start, route.end, sender.name, sender.phone, sender.email, remarks, pickupTime].map { .text($0) }
                + [feeCents.postgreSQLValue, surchargeCents.postgreSQLValue]
        }

        fileprivate init(_ row: PostgreSQLRow) throws {
            guard let key = DeliveryKey(try row.value("key", as: String.self)) else { throw PostgreSQLError.unexpectedValue(column: "key") }
            guard let cargo = Cargo(name: try row.value("cargo")) else { throw PostgreSQLError.unexpectedValue(column: "cargo") }
            let address: String? = try row.optional("address")
            self.init(
                id: try row.value("id"), key: key, recipient: try row.value("recipient"),
                image: DeliveryImage(cargo: cargo, variant: try row.value("picture")),
                location: try address.map {
                    Location(address: $0, latitude: try row.value("latitude"), longitude: try row.value("longitude"))
                },
                route: Route(start: try row.value("origin"), end: try row.value("destination")),
                sender: Sender(
                    name: try row.value("sender_name"), phone: try row.value("sender_phone"), email: try row.value("sender_email")),
                remarks: try row.value("remarks"), pickupTime: try row.value("pickup_time"), feeCents: try row.value("fee_cents"),
                surchargeCents: try row.value("surcharge_cents"))
        }
    }

    // MARK: - Favourites

    extension PostgreSQLDeliveryStore: FavouriteStore {
        func favourite(ofDelivery id: Int) async throws -> Favourite {
            let rows = try await client.read("SELECT is_favourite, milliseconds FROM favourites WHERE id = \(id)")
            return try rows.first.map { try Favourite($0) } ?? .unset
        }

        func perform(
            _ request: FavouriteRequest, at now: Date, keyLimit: Int, permission: @Sendable () throws -> Void
        ) async throws -> Favourite {
            if let result = try await storedResult(of: request) { return result }
            try permission()
            do {
                let rows = try await client.write(statements(of: request, at: Int(now.timeIntervalSince1970), keyLimit))
                guard let row = rows[1].first else { throw PostgreSQLError.unexpectedValue(column: "is_favourite") }
                return try Favourite(row)
            } catch PostgreSQLError.refused(let rejection) where rejection.constraint == "favourite_keys_key" {
                // Another origin has performed the request meanwhile.
                if let result = try await storedResult(of: request) { return result }
                return try await favourite(ofDelivery: request.delivery)
            }
        }

        /// Returns the result of a request that was performed before, once it is replicated as a commit is.
        private func storedResult(of request: FavouriteRequest) async throws -> Favourite? {
            let rows = try await client.read(
                "SELECT request, is_favourite, milliseconds FROM favourite_keys WHERE key = \(request.key.text)", for: .command)
            guard let row = rows.first else { return nil }
            guard try row.value("request") == request.fingerprint else { throw IdempotencyProblem.reused }
            try await client.write("UPDATE favourite_keys SET seconds = seconds WHERE key = \(request.key.text)")
            return try Favourite(row)
        }

        /// The statements of one transaction; the second returns the result. Of two actions with the same time, the last to arrive wins.
        private func statements(of request: FavouriteRequest, at seconds: Int, _ keyLimit: Int) -> [PostgreSQLStatement] {
            [
                """
                INSERT INTO favourites (id, is_favourite, milliseconds)
                VALUES (\(request.delivery), \(request.action.isFavourite), \(request.action.timestamp.milliseconds))
                ON CONFLICT (id) DO UPDATE SET is_favourite = excluded.is_favourite, milliseconds = excluded.milliseconds
                WHERE excluded.milliseconds >= favourites.milliseconds
                """,
                """
                INSERT INTO favourite_keys (key, request, is_favourite, milliseconds, seconds)
                SELECT \(request.key.text), \(request.fingerprint), is_favourite, milliseconds, \(seconds)
                FROM favourites WHERE id = \(request.delivery)
                RETURNING is_favourite, milliseconds
                """,
                "DELETE FROM favourite_keys WHERE number <= (SELECT max(number) FROM favourite_keys) - \(keyLimit)",
                "DELETE FROM favourite_keys WHERE seconds < \(seconds - FavouriteRequest.keyLifetime)",
            ]
        }
    }

    extension Favourite {
        fileprivate init(_ row: PostgreSQLRow) throws {
            self.init(
                isFavourite: try row.value("is_favourite"),
                timestamp: ActionTimestamp(milliseconds: try row.value("milliseconds", as: Int64.self)))
        }
    }
#endif
