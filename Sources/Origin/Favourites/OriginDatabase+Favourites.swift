import Foundation
import GRDB

extension OriginDatabase {
    /// How many idempotency keys are remembered; the oldest go first.
    static let keyLimit = 100_000
    /// How long a key is remembered, in seconds: an action may wait that long in a phone without a network.
    static let keyLifetime = 14 * 86_400

    /// What is known of a delivery; `never` when nobody has said anything.
    func favourite(ofDelivery id: Int) async throws -> Favourite {
        try await writer.unsafeRead { try Self.favourite(ofDelivery: id, in: $0) }
    }

    /// Does a request that has an idempotency key, or tells what it was answered when it was done.
    ///
    /// The action and the reply are stored together, or not at all. An action older than what is stored changes nothing; its reply tells what stands.
    ///
    /// - Parameters:
    ///   - request: What makes two requests the same.
    ///   - limit: How many keys are remembered.
    ///   - reply: The text of a reply; thrown errors undo everything, and are not remembered.
    /// - Throws: `IdempotencyProblem.reused` when the key has done another request.
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

    /// What was done last counts, whenever it came in; of two at the same time, the one that came in last.
    private static func store(_ action: FavouriteAction, onDelivery id: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO favourites (id, isFavourite, milliseconds) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET isFavourite = excluded.isFavourite, milliseconds = excluded.milliseconds
                WHERE excluded.milliseconds >= favourites.milliseconds
                """,
            arguments: [id, action.isFavourite, action.timestamp.milliseconds])
    }

    /// Keys are numbered as they come, so that the number of the last tells which are beyond the limit.
    private static func evictKeys(beyond limit: Int, olderThan seconds: Int, in database: Database) throws {
        let last = database.lastInsertedRowID
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE number <= ?", arguments: [last - Int64(limit)])
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE seconds < ?", arguments: [seconds])
    }
}
