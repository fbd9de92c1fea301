import Foundation
import GRDB

extension OriginDatabase {
    /// How many idempotency keys are remembered; the oldest go first.
    static let keyLimit = 100_000
    /// How long a key is remembered, in seconds: an action may wait that long in a phone without a network.
    static let keyAge = 14 * 86_400

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
        _ action: FavouriteAction, onDelivery id: Int, as key: IdempotencyKey, request: String, now: Date,
        limit: Int = OriginDatabase.keyLimit, reply: @Sendable (Favourite) throws -> String
    ) async throws -> String {
        try await writer.write { database in
            if let done = try Row.fetchOne(
                database, sql: "SELECT request, reply FROM idempotencyKeys WHERE key = ?", arguments: [key.text])
            {
                guard done["request"] == request else { throw IdempotencyProblem.reused }
                return done["reply"]
            }
            try Self.store(action, onDelivery: id, in: database)
            let reply = try reply(Self.favourite(ofDelivery: id, in: database))
            let seconds = Int(now.timeIntervalSince1970)
            try database.execute(
                sql: "INSERT INTO idempotencyKeys (key, request, reply, seconds) VALUES (?, ?, ?, ?)",
                arguments: [key.text, request, reply, seconds])
            try Self.forgetKeys(beyond: limit, olderThan: seconds - Self.keyAge, in: database)
            return reply
        }
    }

    private static func favourite(ofDelivery id: Int, in database: Database) throws -> Favourite {
        let row = try Row.fetchOne(database, sql: "SELECT isFavourite, milliseconds FROM favourites WHERE id = ?", arguments: [id])
        return row.map { Favourite(isFavourite: $0["isFavourite"], moment: ActionMoment(milliseconds: $0["milliseconds"])) } ?? .never
    }

    /// What was done last counts, whenever it came in; of two at the same time, the one that came in last.
    private static func store(_ action: FavouriteAction, onDelivery id: Int, in database: Database) throws {
        try database.execute(
            sql: """
                INSERT INTO favourites (id, isFavourite, milliseconds) VALUES (?, ?, ?)
                ON CONFLICT (id) DO UPDATE SET isFavourite = excluded.isFavourite, milliseconds = excluded.milliseconds
                WHERE excluded.milliseconds >= favourites.milliseconds
                """,
            arguments: [id, action.isFavourite, action.moment.milliseconds])
    }

    /// Keys are numbered as they come, so that the number of the last tells which are beyond the limit.
    private static func forgetKeys(beyond limit: Int, olderThan seconds: Int, in database: Database) throws {
        let last = database.lastInsertedRowID
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE number <= ?", arguments: [last - Int64(limit)])
        try database.execute(sql: "DELETE FROM idempotencyKeys WHERE seconds < ?", arguments: [seconds])
    }
}
