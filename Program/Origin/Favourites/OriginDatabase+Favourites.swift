import Foundation
import GRDB

extension OriginDatabase {
    /// The maximum number of stored idempotency keys; the oldest are evicted first.
    static let keyLimit = 100_000
    /// The lifetime of a key in seconds: the time that a client may queue an action while offline.
    static let keyLifetime = 14 * 86_400

    /// Returns the state of a delivery; `unset` when it was never set.
    func favourite(ofDelivery id: Int) async throws -> Favourite {
        try await writer.unsafeRead { try Self.favourite(ofDelivery: id, in: $0) }
    }

    /// Performs a request with an idempotency key, or returns the stored response when it was performed before.
    ///
    /// The action and its response are stored in one transaction. An action older than the stored state changes nothing; its response contains that
    /// state.
    ///
    /// - Parameters:
    ///   - fingerprint: The text by which two requests are considered equal.
    ///   - limit: The maximum number of stored keys.
    ///   - response: Returns the text of a response. An error rolls everything back and is not stored.
    /// - Throws: `IdempotencyProblem.reused` when the key was used for another request; `SQLITE_FULL` on a full disk.
    func perform(
        _ action: FavouriteAction, onDelivery id: Int, key: IdempotencyKey, fingerprint: String, now: Date,
        limit: Int = OriginDatabase.keyLimit, response: @Sendable (Favourite) throws -> String
    ) async throws -> String {
        try await writer.write { database in
            if let stored = try Row.fetchOne(
                database, sql: "SELECT request, reply FROM idempotencyKeys WHERE key = ?", arguments: [key.text])
            {
                guard stored["request"] == fingerprint else { throw IdempotencyProblem.reused }
                return stored["reply"]
            }
            guard !isReplacement else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            try Self.store(action, onDelivery: id, in: database)
            let response = try response(Self.favourite(ofDelivery: id, in: database))
            let seconds = Int(now.timeIntervalSince1970)
            try database.execute(
                sql: "INSERT INTO idempotencyKeys (key, request, reply, seconds) VALUES (?, ?, ?, ?)",
                arguments: [key.text, fingerprint, response, seconds])
            try Self.evictKeys(beyond: limit, olderThan: seconds - Self.keyLifetime, in: database)
            return response
        }
    }

    private static func favourite(ofDelivery id: Int, in database: Database) throws -> Favourite {
        let row = try Row.fetchOne(database, sql: "SELECT isFavourite, milliseconds FROM favourites WHERE id = ?", arguments: [id])
        return row.map { Favourite(isFavourite: $0["isFavourite"], timestamp: ActionTimestamp(milliseconds: $0["milliseconds"])) } ?? .unset
    }

    /// Stores an action unless a later one is stored, whatever their order of arrival. Of two with the same time, the last to arrive wins.
    private static func store(_ action: FavouriteAction, onDelivery id: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO favourites (id, isFavourite, milliseconds) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET isFavourite = excluded.isFavourite, milliseconds = excluded.milliseconds
                WHERE excluded.milliseconds >= favourites.milliseconds
                """,
            arguments: [id, action.isFavourite, action.timestamp.milliseconds])
    }

    /// Evicts keys. They are numbered in order of insertion, so the last number determines which exceed the limit.
    private static func evictKeys(beyond limit: Int, olderThan seconds: Int, in database: Database) throws {
        let last = database.lastInsertedRowID
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE number <= ?", arguments: [last - Int64(limit)])
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE seconds < ?", arguments: [seconds])
    }
}
