import GRDB
package import OrderLifecycle
package import OrderStorage
import SQLiteFiles

extension SQLiteOrderStore {
    /// The least extension of a token that is stored, in milliseconds: a use does not cost a write each time.
    private static let leastExtension: Int64 = 3_600_000

    package func addPerson(_ person: Person) async throws {
        try await write { database in
            do {
                try database.execute(
                    sql: "INSERT INTO people (id, name, role, creationTime, revocationTime) VALUES (?, ?, ?, ?, ?)",
                    arguments: [
                        person.id.rawValue, person.name, person.role.rawValue, person.creationTime.milliseconds,
                        person.revocationTime?.milliseconds,
                    ])
            } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
                throw OrderStoreError.nameTaken
            }
        }
    }

    package func people() async throws -> [Person] {
        try await writer.read { try Row.fetchAll($0, sql: "SELECT * FROM people ORDER BY creationTime, id").map(Person.init) }
    }

    package func person(_ id: PersonID) async throws -> Person? {
        try await writer.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM people WHERE id = ?", arguments: [id.rawValue]).map(Person.init)
        }
    }

    package func people(_ ids: Set<PersonID>) async throws -> [PersonID: Person] {
        guard !ids.isEmpty else { return [:] }
        return try await writer.read { database in
            let sql = "SELECT * FROM people WHERE id IN (SELECT value FROM json_each(?))"
            let people = try Row.fetchAll(database, sql: sql, arguments: [try JSONColumn.encode(ids.map(\.rawValue))]).map(Person.init)
            return Dictionary(uniqueKeysWithValues: people.map { ($0.id, $0) })
        }
    }

    package func revoke(_ person: PersonID, at now: Timestamp) async throws {
        try await write { try Self.revoke(person, at: now, in: $0) }
    }

    package func erase(_ person: PersonID, at now: Timestamp) async throws {
        try await write { database in
            try Self.revoke(person, at: now, in: database)
            try database.execute(sql: "UPDATE people SET name = NULL WHERE id = ?", arguments: [person.rawValue])
            try database.execute(sql: "DELETE FROM courierPositions WHERE person = ?", arguments: [person.rawValue])
        }
    }

    private static func revoke(_ person: PersonID, at now: Timestamp, in database: Database) throws {
        try database.execute(
            sql: "UPDATE people SET revocationTime = COALESCE(revocationTime, ?) WHERE id = ?",
            arguments: [now.milliseconds, person.rawValue])
        guard database.changesCount > 0 else { throw OrderStoreError.personUnknown }
        try database.execute(sql: "DELETE FROM tokens WHERE person = ?", arguments: [person.rawValue])
        try database.execute(sql: "DELETE FROM signInLinks WHERE person = ?", arguments: [person.rawValue])
    }

    package func addLink(_ secret: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await write { database in
            try Self.requireAccepted(person, in: database)
            try database.execute(sql: "DELETE FROM signInLinks WHERE person = ?", arguments: [person.rawValue])
            try database.execute(
                sql: "INSERT INTO signInLinks (hash, person, expiry) VALUES (?, ?, ?)",
                arguments: [secret.text, person.rawValue, expires.milliseconds])
        }
    }

    package func exchangeLink(
        _ secret: SecretHash, for token: SecretHash, at now: Timestamp, expires: Timestamp
    ) async throws -> Person? {
        try await write { database in
            let sql = "DELETE FROM signInLinks WHERE hash = ? RETURNING person, expiry"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [secret.text]),
                try row.checked("expiry", as: Int64.self) > now.milliseconds
            else { return nil }
            let person = PersonID(rawValue: try row.checked("person"))
            try Self.addToken(token, of: person, expires: expires, in: database)
            return try Row.fetchOne(database, sql: "SELECT * FROM people WHERE id = ?", arguments: [person.rawValue]).map(Person.init)
        }
    }

    package func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp) async throws {
        try await write { database in
            try Self.requireAccepted(person, in: database)
            try Self.addToken(token, of: person, expires: expires, in: database)
        }
    }

    private static func addToken(_ token: SecretHash, of person: PersonID, expires: Timestamp, in database: Database) throws {
        try database.execute(
            sql: "INSERT INTO tokens (hash, person, expiry) VALUES (?, ?, ?)",
            arguments: [token.text, person.rawValue, expires.milliseconds])
    }

    private static func requireAccepted(_ person: PersonID, in database: Database) throws {
        let sql = "SELECT 1 FROM people WHERE id = ? AND revocationTime IS NULL"
        guard try Int.fetchOne(database, sql: sql, arguments: [person.rawValue]) != nil else { throw OrderStoreError.personUnknown }
    }

    package func person(withToken token: SecretHash, at now: Timestamp, expires: Timestamp) async throws -> Person? {
        let found: (person: Person, expiry: Int64)? = try await writer.read { database in
            let sql = """
                SELECT people.*, expiry FROM tokens JOIN people ON people.id = tokens.person
                WHERE hash = ? AND revocationTime IS NULL
                """
            return try Row.fetchOne(database.cachedStatement(sql: sql), arguments: [token.text]).map {
                (try Person(row: $0), try $0.checked("expiry"))
            }
        }
        guard let found, found.expiry > now.milliseconds else { return nil }
        if expires.milliseconds - found.expiry >= Self.leastExtension {
            // A full disk must not refuse a reader: the token then ends at its old time.
            try? await write { database in
                try database.execute(sql: "UPDATE tokens SET expiry = ? WHERE hash = ?", arguments: [expires.milliseconds, token.text])
            }
        }
        return found.person
    }

    package func validTokens(_ tokens: Set<SecretHash>, at now: Timestamp) async throws -> Set<SecretHash> {
        let hashes = try JSONColumn.encode(tokens.map(\.text))
        let valid = try await writer.read { database in
            let sql = """
                SELECT hash FROM tokens JOIN people ON people.id = tokens.person
                WHERE hash IN (SELECT value FROM json_each(?)) AND expiry > ? AND revocationTime IS NULL
                """
            return try String.fetchSet(database, sql: sql, arguments: [hashes, now.milliseconds])
        }
        return tokens.filter { valid.contains($0.text) }
    }

    package func removeToken(_ token: SecretHash) async throws {
        try await write { try $0.execute(sql: "DELETE FROM tokens WHERE hash = ?", arguments: [token.text]) }
    }
}

extension Person {
    fileprivate init(row: Row) throws {
        try self.init(
            id: PersonID(rawValue: row.checked("id")), name: row.checked("name"),
            role: row.checked("role", as: String.self) == Role.dispatcher.rawValue ? .dispatcher : .courier,
            creationTime: Timestamp(milliseconds: row.checked("creationTime")), revocationTime: row.timestamp("revocationTime"))
    }
}

// MARK: - Positions

extension SQLiteOrderStore {
    package func addPositions(_ positions: [CourierPosition], of person: PersonID, at now: Timestamp) async throws {
        try await write { database in
            let rows = try Row.fetchAll(
                database, sql: "SELECT id, state FROM orders WHERE holder = ? AND state IN ('claimed', 'pickedUp', 'arrived', 'returning')",
                arguments: [person.rawValue])
            guard !rows.isEmpty else { throw OrderStoreError.holdsNoOrder }
            for position in positions {
                try database.execute(
                    sql: """
                        INSERT INTO courierPositions (person, milliseconds, latitude, longitude, accuracy) VALUES (?, ?, ?, ?, ?)
                        ON CONFLICT DO NOTHING
                        """,
                    arguments: [
                        person.rawValue, position.second, position.coordinate.latitude, position.coordinate.longitude, position.accuracy,
                    ])
            }
            for row in rows where try row.checked("state", as: String.self) == OrderState.claimed.rawValue {
                let id: Int = try row.checked("id")
                guard var order = try lifecycle(of: id, in: database), order.renewLease(of: person, at: now) else { continue }
                try database.execute(
                    sql: "UPDATE orders SET leaseEnd = ? WHERE id = ?", arguments: [order.leaseEnd?.milliseconds, id])
            }
        }
    }

    package func lastPositions() async throws -> [PersonID: CourierPosition] {
        try await writer.read { database in
            // A join in this order finds a position for each person by the primary key; an aggregate reads all positions.
            let sql = """
                SELECT person, milliseconds, latitude, longitude, accuracy FROM people CROSS JOIN courierPositions
                ON person = id AND milliseconds = (SELECT MAX(milliseconds) FROM courierPositions WHERE person = id)
                """
            return try Row.fetchAll(database, sql: sql).reduce(into: [:]) { positions, row in
                guard let coordinate = Coordinate(latitude: try row.checked("latitude"), longitude: try row.checked("longitude")) else {
                    return
                }
                positions[PersonID(rawValue: try row.checked("person"))] = CourierPosition(
                    time: Timestamp(milliseconds: try row.checked("milliseconds")), coordinate: coordinate,
                    accuracy: try row.checked("accuracy"))
            }
        }
    }
}
