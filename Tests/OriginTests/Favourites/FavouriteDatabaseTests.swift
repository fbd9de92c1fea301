import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import Origin

@Suite("Favourites in the database")
struct FavouriteDatabaseTests {
    private let database: OriginDatabase
    private let action = FavouriteAction(isFavourite: true, timestamp: ActionTimestamp(demoDate))

    init() async throws {
        database = try OriginDatabase()
        _ = try await database.fill(with: DemoDeliveries(count: 20, seed: 1), now: demoDate)
    }

    @Test func `The oldest keys beyond the limit are evicted`() async throws {
        for number in 1...5 { _ = try await perform("\(number)", limit: 3) }

        #expect(try await keys() == ["3", "4", "5"])
    }

    @Test func `Expired keys are evicted`() async throws {
        let age = TimeInterval(OriginDatabase.keyLifetime)
        _ = try await perform("1")
        _ = try await perform("2", after: 1)

        _ = try await perform("3", after: age)
        #expect(try await keys() == ["1", "2", "3"])
        _ = try await perform("4", after: age + 1)
        #expect(try await keys() == ["2", "3", "4"])
    }

    @Test func `A failed response rolls the action back`() async throws {
        struct TestError: Error {}
        let key = try IdempotencyKey([.idempotencyKey: "a"])

        await #expect(throws: TestError.self) {
            try await database.perform(action, onDelivery: 3, key: key, fingerprint: "a", now: demoDate) { _ in throw TestError() }
        }

        #expect(try await database.favourite(ofDelivery: 3) == .unset)
        #expect(try await keys() == [])
    }

    @Test func `The action with the latest timestamp wins in any order of arrival`() async throws {
        let moments = (0..<24).map { demoDate + Double($0) }
        for order in [moments, moments.reversed(), moments.shuffled()] {
            for moment in order {
                let number = Int(moment.timeIntervalSince(demoDate))
                let action = FavouriteAction(isFavourite: number % 2 == 1, timestamp: ActionTimestamp(moment))
                let key = try IdempotencyKey([.idempotencyKey: UUID().uuidString])
                _ = try await database.perform(action, onDelivery: 5, key: key, fingerprint: "", now: demoDate) { _ in "" }
            }
            #expect(try await database.favourite(ofDelivery: 5) == Favourite(isFavourite: true, timestamp: ActionTimestamp(demoDate + 23)))
        }
    }

    private func perform(_ key: String, after seconds: TimeInterval = 0, limit: Int = 100) async throws -> String {
        let key = try IdempotencyKey([.idempotencyKey: key])
        return try await database.perform(action, onDelivery: 3, key: key, fingerprint: "", now: demoDate + seconds, limit: limit) { _ in ""
        }
    }

    private func keys() async throws -> [String] {
        try await database.writer.read { try String.fetchAll($0, sql: "SELECT key FROM idempotencyKeys ORDER BY number") }
    }
}
