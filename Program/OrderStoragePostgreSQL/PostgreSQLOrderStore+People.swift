#if PostgreSQL
    import LadingCaching
    package import OrderLifecycle
    package import OrderStorage
    import PostgreSQLClient

    extension PostgreSQLOrderStore {
        /// The least extension of a token that is stored, in milliseconds: a use does not cost a write each time.
        private static let leastExtension: Int64 = 3_600_000

        /// The maximum number of attempts to renew a lease. The next position renews it otherwise.
        private static let renewalLimit = 5

        package func addPerson(_ person: Person) async throws {
            do {
                try await client.write(
                    """
                    INSERT INTO people (id, name, role, creation_time, revocation_time)
                    VALUES (\(person.id.rawValue), \(person.name), \(person.role.rawValue), \(person.creationTime.milliseconds),
                        \(person.revocationTime?.milliseconds))
                    """)
            } catch PostgreSQLError.refused(let rejection) where rejection.constraint == "people_by_name" {
                throw OrderStoreError.nameTaken
            }
        }

        package func people() async throws -> [Person] {
            try await client.read("SELECT \(sql: Person.columns) FROM people ORDER BY creation_time, id").map { try Person($0) }
        }

        package func person(_ id: PersonID) async throws -> Person? {
            try await client.read("SELECT \(sql: Person.columns) FROM people WHERE id = \(id.rawValue)", for: .command).first.map {
                try Person($0)
            }
        }

        package func people(_ ids: Set<PersonID>) async throws -> [PersonID: Person] {
            guard !ids.isEmpty else { return [:] }
            let rows = try await client.read(
                "SELECT \(sql: Person.columns) FROM people WHERE id = ANY (\(array: ids.map(\.rawValue))::text[])")
            return Dictionary(uniqueKeysWithValues: try rows.map { try Person($0) }.map { ($0.id, $0) })
        }

        package func revoke(_ person: PersonID, at now: Timestamp) async throws {
            try await requireKnown(client.write(Self.revocation(of: person, at: now))[0])
            tokens.removeAll()
        }

        package func erase(_ person: PersonID, at now: Timestamp) async throws {
            let erasure: [PostgreSQLStatement] = [
                "UPDATE people SET name = NULL WHERE id = \(person.rawValue)",
                "DELETE FROM courier_positions WHERE person = \(person.rawValue)",
            ]
            try await requireKnown(client.write(Self.revocation(of: person, at: now) + erasure)[0])
            tokens.removeAll()
        }

        private func requireKnown(_ rows: PostgreSQLRows) throws {
            guard rows.changedCount > 0 else { throw OrderStoreError.personUnknown }
        }

        /// Links are deleted first: the deletion of one that is being exchanged waits for its token, and the next statement sees this token.
        private static func revocation(of person: PersonID, at now: Timestamp) -> [PostgreSQLStatement] {
            [
                "UPDATE people SET revocation_time = COALESCE(revocation_time, \(now.milliseconds)) WHERE id = \(person.rawValue)",
                "DELETE FROM sign_in_links WHERE person = \(person.rawValue)",
                "DELETE FROM tokens WHERE person = \(person.rawValue)",
            ]
        }

        // The person is locked, so that no token is added while another node revokes it.

        package func addLink(_ secret: SecretHash, of person: PersonID, expires: Timestamp) async throws {
            let rows = try await client.write(
                """
                INSERT INTO sign_in_links (hash, person, expiry)
                SELECT \(secret.text), id, \(expires.milliseconds) FROM people WHERE id = \(person.rawValue) AND revocation_time IS NULL FOR SHARE
                ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, expiry = excluded.expiry
                """)
            try requireKnown(rows)
        }

        package func exchangeLink(
            _ secret: SecretHash, for token: SecretHash, at now: Timestamp, expires: Timestamp
        ) async throws -> Person? {
            let results = try await client.write([
                """
                WITH used AS (DELETE FROM sign_in_links WHERE hash = \(secret.text) RETURNING person, expiry)
                INSERT INTO tokens (hash, person, expiry) SELECT \(token.text), person, \(expires.milliseconds) FROM used
                WHERE expiry > \(now.milliseconds)
                """,
                "SELECT \(sql: Person.columns) FROM people JOIN tokens ON tokens.person = people.id WHERE hash = \(token.text)",
            ])
            return try results[0].changedCount > 0 ? results[1].first.map { try Person($0) } : nil
        }

        package func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp) async throws {
            let rows = try await client.write(
                """
                INSERT INTO tokens (hash, person, expiry)
                SELECT \(token.text), id, \(expires.milliseconds) FROM people WHERE id = \(person.rawValue) AND revocation_time IS NULL FOR SHARE
                """)
            try requireKnown(rows)
        }

        package func person(withToken token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
            guard let found = try await holder(of: token), found.expiry > now.milliseconds else { return nil }
            if expires.milliseconds - found.expiry >= Self.leastExtension {
                // A full disk must not refuse a reader, and a standby that is down must not delay one: the token then ends at its old time.
                _ = try? await client.write([
                    "SELECT set_config('synchronous_commit', 'off', true)",
                    "UPDATE tokens SET expiry = \(expires.milliseconds) WHERE hash = \(token.text)",
                ])
                tokens.removeValue(for: token)
            }
            return found.person
        }

        /// Returns the person of a token and its end, as it was within the last second.
        private func holder(of token: SecretHash) async throws -> TokenHolder? {
            if let known = tokens.value(for: token) { return known }
            let rows = try await client.read(
                """
                SELECT \(sql: Person.columns), expiry FROM tokens JOIN people ON people.id = tokens.person
                WHERE hash = \(token.text) AND revocation_time IS NULL
                """, for: .command)
            guard let row = rows.first else { return nil }
            let found = TokenHolder(person: try Person(row), expiry: try row.value("expiry"))
            tokens.store(found, for: token)
            return found
        }

        package func validTokens(_ tokens: Set<SecretHash>, at now: Timestamp) async throws -> Set<SecretHash> {
            let rows = try await client.read(
                """
                SELECT hash FROM tokens JOIN people ON people.id = tokens.person
                WHERE hash = ANY (\(array: tokens.map(\.text))::text[]) AND expiry > \(now.milliseconds) AND revocation_time IS NULL
                """)
            let valid = Set(try rows.map { try $0.value("hash", as: String.self) })
            return tokens.filter { valid.contains($0.text) }
        }

        package func removeToken(_ token: SecretHash) async throws {
            try await client.write("DELETE FROM tokens WHERE hash = \(token.text)")
            tokens.removeValue(for: token)
        }
    }

    /// The person of a token.
    struct TokenHolder: Sendable {
        let person: Person
        /// The end of the token, in milliseconds.
        let expiry: Int64
    }

    extension Person {
        fileprivate static let columns = ["id", "name", "role", "creation_time", "revocation_time"].map { "people.\($0)" }.joined(
            separator: ", ")

        fileprivate init(_ row: PostgreSQLRow) throws {
            self.init(
                id: PersonID(rawValue: try row.value("id")), name: try row.optional("name"),
                role: try row.value("role") == Role.dispatcher.rawValue ? .dispatcher : .courier,
                creationTime: Timestamp(milliseconds: try row.value("creation_time")), revocationTime: try row.timestamp("revocation_time"))
        }
    }

    // MARK: - Positions

    extension PostgreSQLOrderStore {
        package func addPositions(_ positions: [CourierPosition], of person: PersonID, at now: Timestamp) async throws {
            let held = try await client.read(
                "SELECT id, state FROM orders WHERE holder = \(person.rawValue) AND state IN \(sql: BoardStatement.heldStates)",
                for: .command)
            guard !held.isEmpty else { throw OrderStoreError.holdsNoOrder }
            for row in held where try row.value("state") == OrderState.claimed.rawValue {
                try await renewLease(ofOrder: row.value("id"), heldBy: person, at: now)
            }
            let first = Dictionary(positions.map { ($0.second, $0) }) { first, _ in first }
            let rows = first.values.map { position -> PostgreSQLStatement in
                let place = position.coordinate
                return """
                    (\(person.rawValue), \(position.second)::bigint, \(place.latitude)::float8, \(place.longitude)::float8,
                        \(position.accuracy)::float8)
                    """
            }
            guard !rows.isEmpty else { return }
            try await client.write(
                """
                INSERT INTO courier_positions (person, milliseconds, latitude, longitude, accuracy) VALUES \(rows, separator: ", ")
                ON CONFLICT DO NOTHING
                """)
        }

        /// Renews the lease of an order, unless commands change it again and again meanwhile.
        private func renewLease(ofOrder id: Int, heldBy person: PersonID, at now: Timestamp) async throws {
            let sender = OrderLifecycle.Sender(person, role: .courier, actionTime: now)
            let claim = OrderStoreCommand(.lifecycle(order: id, .claim), from: sender, key: "", fingerprint: "")
            let reading = CommandReading.statement(for: claim)
            for _ in 1...Self.renewalLimit {
                let (renewal, rows) = try await client.write(after: [reading]) { [limits, usesDatabaseTime] rows in
                    let reading = try CommandReading(rows[0], isCreation: false, limits)
                    let renewal = reading.renewal(of: id, heldBy: person, at: usesDatabaseTime ? reading.time : now)
                    return (renewal, renewal.map { [$0] } ?? [])
                }
                guard renewal != nil, rows[0].changedCount == 0 else { return }
            }
        }

        package func lastPositions() async throws -> [PersonID: CourierPosition] {
            // With the collation of the primary key a position is found for each person by it; otherwise all positions are read.
            let rows = try await client.read(
                """
                SELECT last.* FROM people CROSS JOIN LATERAL (
                    SELECT person, milliseconds, latitude, longitude, accuracy FROM courier_positions
                    WHERE person = people.id COLLATE "default" ORDER BY milliseconds DESC LIMIT 1) AS last
                """)
            return try rows.reduce(into: [:]) { positions, row in
                guard let coordinate = Coordinate(latitude: try row.value("latitude"), longitude: try row.value("longitude")) else {
                    return
                }
                positions[PersonID(rawValue: try row.value("person"))] = CourierPosition(
                    time: Timestamp(milliseconds: try row.value("milliseconds")), coordinate: coordinate,
                    accuracy: try row.optional("accuracy"))
            }
        }
    }

    extension CommandReading {
        /// Returns the statement that renews the lease of the person who holds the order; nil if the lease stays as it is.
        fileprivate func renewal(of id: Int, heldBy person: PersonID, at now: Timestamp) -> PostgreSQLStatement? {
            guard var order = order?.lifecycle, order.renewLease(of: person, at: now) else { return nil }
            return """
                UPDATE orders SET lease_end = \(order.leaseEnd?.milliseconds), revision = revision + 1
                WHERE id = \(id) AND revision = \(revision)
                """
        }
    }
#endif
