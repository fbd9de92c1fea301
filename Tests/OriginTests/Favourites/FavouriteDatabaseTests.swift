import Foundation
import GRDB
import HTTPFieldValues
import HTTPTypes
import Testing

@testable import Origin

@Suite("Favourites in the database")
struct FavouriteDatabaseTests {
    @Test func `The stored response of an earlier release is the result of a repeated request`() async throws {
        let database = try OriginDatabase()
        try await database.writer.write { database in
            try database.execute(
                sql: "INSERT INTO idempotencyKeys (key, request, reply, seconds) VALUES ('a', 'b', ?, 0)",
                arguments: [#"{"id":"5dd5f3a7156bae72fa5a5d6c","favourite":true,"at":"2026-05-15T12:00:00.250Z"}"#])
        }
        let timestamp = try #require(ActionTimestamp("2026-05-15T12:00:00.250Z"))
        let request = FavouriteRequest(
            action: FavouriteAction(isFavourite: false, timestamp: ActionTimestamp(demoDate)), delivery: 3,
            key: try IdempotencyKey([.idempotencyKey: "a"]), fingerprint: "b")

        let result = try await database.perform(request, at: Date(timeIntervalSince1970: 0))

        #expect(result == Favourite(isFavourite: true, timestamp: timestamp))
        #expect(try await database.favourite(ofDelivery: 3) == .unset)
    }
}
