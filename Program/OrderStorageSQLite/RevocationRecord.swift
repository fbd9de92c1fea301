package import GRDB
import OrderStorage
import SQLiteFiles

/// The people and tokens of a database, by which a restored backup of it learns whose access has ended since.
package struct RevocationRecord {
    /// The outcome of an application of a record to a backup.
    package struct Application: Hashable, Sendable {
        /// Whether the record contains all people of the backup, so that no revocation since is missing.
        package let isComplete: Bool
        /// The number of deleted tokens of people who are not revoked.
        package let endedTokenCount: Int
    }

    private struct Revocation: Equatable {
        let person: String
        let time: Int64
        let isErased: Bool
    }

    /// The revocations, by the identifiers of the people.
    private let revocations: [Revocation]
    /// The identifiers of all people, as a JSON array.
    private let people: String
    /// The digests of all tokens.
    private let tokens: [String]

    /// Reads the people and tokens of a database.
    ///
    /// - Throws: `DatabaseError`, also for a damaged value.
    package init(of database: Database) throws {
        let sql = "SELECT id, revocationTime, name IS NULL AS isErased FROM people WHERE revocationTime IS NOT NULL ORDER BY id"
        revocations = try Row.fetchAll(database, sql: sql).map {
            Revocation(person: try $0.checked("id"), time: try $0.checked("revocationTime"), isErased: try $0.checked("isErased"))
        }
        people = try JSONColumn.encode(String.fetchAll(database, sql: "SELECT id FROM people"))
        tokens = try String.fetchAll(database, sql: "SELECT hash FROM tokens")
    }

    /// Returns whether no access has ended between this record and a later one of the same database.
    package func isCurrent(at later: RevocationRecord) -> Bool {
        revocations == later.revocations && Set(tokens).isSubset(of: later.tokens)
    }

    /// Revokes and erases in a restored backup the people who were revoked and erased since, and deletes the tokens that no longer exist.
    ///
    /// Tokens of people whom the record does not contain stay.
    package func apply(to restored: Database) throws -> Application {
        for revocation in revocations {
            try restored.execute(
                sql: "UPDATE people SET revocationTime = COALESCE(revocationTime, ?), name = IIF(?, NULL, name) WHERE id = ?",
                arguments: [revocation.time, revocation.isErased, revocation.person])
            try restored.execute(sql: "DELETE FROM tokens WHERE person = ?", arguments: [revocation.person])
            if revocation.isErased {
                try restored.execute(sql: "DELETE FROM courierPositions WHERE person = ?", arguments: [revocation.person])
            }
        }
        let isKnown = "IN (SELECT value FROM json_each(?))"
        try restored.execute(
            sql: "DELETE FROM tokens WHERE person \(isKnown) AND hash NOT \(isKnown)", arguments: [people, try JSONColumn.encode(tokens)])
        let endedTokenCount = restored.changesCount
        let unknown = try Int.fetchOne(restored, sql: "SELECT 1 FROM people WHERE id NOT \(isKnown) LIMIT 1", arguments: [people])
        return Application(isComplete: unknown == nil, endedTokenCount: endedTokenCount)
    }
}
