package import GRDB
import OrderStorage

/// The people and tokens of a database, by which a restored backup of it learns whose access has ended since.
package struct RevocationRecord {
    /// The identifiers, times and erasures of revoked people.
    private let revocations: [(person: String, time: Int64, isErased: Bool)]
    /// The identifiers of all people, as a JSON array.
    private let people: String
    /// The digests of all tokens, as a JSON array.
    private let tokens: String

    /// Reads the people and tokens of a database.
    package init(of database: Database) throws {
        let sql = "SELECT id, revocationTime, name IS NULL AS isErased FROM people WHERE revocationTime IS NOT NULL"
        revocations = try Row.fetchAll(database, sql: sql).map { ($0["id"], $0["revocationTime"], $0["isErased"]) }
        people = try JSONColumn.encode(String.fetchAll(database, sql: "SELECT id FROM people"))
        tokens = try JSONColumn.encode(String.fetchAll(database, sql: "SELECT hash FROM tokens"))
    }

    /// Revokes and erases in a restored backup the people who were revoked and erased since, and deletes the tokens that no longer exist.
    ///
    /// Tokens of people whom the record does not contain stay.
    ///
    /// - Returns: Whether the record contains all people of the backup, so that no revocation since is missing.
    package func apply(to restored: Database) throws -> Bool {
        for (person, time, isErased) in revocations {
            try restored.execute(
                sql: "UPDATE people SET revocationTime = COALESCE(revocationTime, ?), name = IIF(?, NULL, name) WHERE id = ?",
                arguments: [time, isErased, person])
            if isErased { try restored.execute(sql: "DELETE FROM courierPositions WHERE person = ?", arguments: [person]) }
        }
        let isKnown = "IN (SELECT value FROM json_each(?))"
        try restored.execute(
            sql: "DELETE FROM tokens WHERE person \(isKnown) AND hash NOT \(isKnown)", arguments: [people, tokens])
        return try Int.fetchOne(restored, sql: "SELECT 1 FROM people WHERE id NOT \(isKnown) LIMIT 1", arguments: [people]) == nil
    }
}
