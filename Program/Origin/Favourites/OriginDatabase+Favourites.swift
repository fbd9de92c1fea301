import Foundation
import GRDB
import SQLiteFiles

extension OriginDatabase: FavouriteStore {
    func favourite(ofDelivery id: Int) async throws -> Favourite {
        try await writer.unsafeRead { try Self.favourite(ofDelivery: id, in: $0) }
    }

    /// - Throws: `SQLITE_FULL` on a full disk.
    func perform(
        _ request: FavouriteRequest, at now: Date, keyLimit: Int, permission: @Sendable () throws -> Void
    ) async throws -> Favourite {
        try await writer.write { database in
            if let stored = try Row.fetchOne(
                database, sql: "SELECT request, reply FROM idempotencyKeys WHERE key = ?", arguments: [request.key.text])
            {
                guard try stored.checked("request", as: String.self) == request.fingerprint else { throw IdempotencyProblem.reused }
                return try Favourite(storedText: stored.checked("reply"))
            }
            try permission()
            guard !isReplacement else { throw DatabaseError(resultCode: .SQLITE_FULL) }
            try Self.store(request.action, onDelivery: request.delivery, in: database)
            let favourite = try Self.favourite(ofDelivery: request.delivery, in: database)
            let seconds = Int(now.timeIntervalSince1970)
            try database.execute(
                sql: "INSERT INTO idempotencyKeys (key, request, reply, seconds) VALUES (?, ?, ?, ?)",
                arguments: [request.key.text, request.fingerprint, favourite.storedText, seconds])
            try Self.evictKeys(beyond: keyLimit, olderThan: seconds - FavouriteRequest.keyLifetime, in: database)
            return favourite
        }
    }

    private static func favourite(ofDelivery id: Int, in database: Database) throws -> Favourite {
        let row = try Row.fetchOne(database, sql: "SELECT isFavourite, milliseconds FROM favourites WHERE id = ?", arguments: [id])
        guard let row else { return .unset }
        return Favourite(
            isFavourite: try row.checked("isFavourite"), timestamp: ActionTimestamp(milliseconds: try row.checked("milliseconds")))
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

extension Favourite {
    /// The state as it is stored under a key.
    fileprivate var storedText: String { document(members: { _ in }) }

    /// Parses a stored state. Earlier releases stored the whole document of the response, of which these are two members.
    fileprivate init(storedText: String) throws {
        struct Stored: Decodable {
            let favourite: Bool
            let at: String?
        }
        let stored = try JSONDecoder().decode(Stored.self, from: Data(storedText.utf8))
        self.init(isFavourite: stored.favourite, timestamp: stored.at.flatMap { ActionTimestamp($0) })
    }
}
