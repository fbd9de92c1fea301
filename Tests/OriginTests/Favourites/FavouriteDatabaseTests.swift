import Foundation
import GRDB
import HTTPTypes
import Testing

@testable import Origin

@Suite("Favourites in the database")
struct FavouriteDatabaseTests {
    private let database: OriginDatabase
    private let action = FavouriteAction(isFavourite: true, moment: ActionMoment(dateOfCity))

    init() async throws {
        database = try OriginDatabase()
        _ = try await database.fill(with: DemoDeliveries(count: 20, seed: 1), now: dateOfCity)
    }

    @Test func `The oldest keys are forgotten beyond the limit`() async throws {
        for number in 1...5 { _ = try await perform("\(number)", limit: 3) }

        #expect(try await keys() == ["3", "4", "5"])
    }

    @Test func `Keys are forgotten when they are old`() async throws {
        let age = TimeInterval(OriginDatabase.keyAge)
        _ = try await perform("1")
        _ = try await perform("2", after: 1)

        _ = try await perform("3", after: age)
        #expect(try await keys() == ["1", "2", "3"])
        _ = try await perform("4", after: age + 1)
        #expect(try await keys() == ["2", "3", "4"])
    }

    @Test func `A reply that cannot be made leaves nothing behind`() async throws {
        struct Refusal: Error {}
        let key = try IdempotencyKey([.idempotencyKey: "a"])

        await #expect(throws: Refusal.self) {
            try await database.perform(action, onDelivery: 3, as: key, request: "a", now: dateOfCity) { _ in throw Refusal() }
        }

        #expect(try await database.favourite(ofDelivery: 3) == .never)
        #expect(try await keys() == [])
    }

    @Test func `What was done last stands, in whichever order it comes in`() async throws {
        let moments = (0..<24).map { dateOfCity + Double($0) }
        for order in [moments, moments.reversed(), moments.shuffled()] {
            for moment in order {
                let number = Int(moment.timeIntervalSince(dateOfCity))
                let action = FavouriteAction(isFavourite: number % 2 == 1, moment: ActionMoment(moment))
                let key = try IdempotencyKey([.idempotencyKey: UUID().uuidString])
                _ = try await database.perform(action, onDelivery: 5, as: key, request: "", now: dateOfCity) { _ in "" }
            }
            #expect(try await database.favourite(ofDelivery: 5) == Favourite(isFavourite: true, moment: ActionMoment(dateOfCity + 23)))
        }
    }

    private func perform(_ key: String, after seconds: TimeInterval = 0, limit: Int = 100) async throws -> String {
        let key = try IdempotencyKey([.idempotencyKey: key])
        return try await database.perform(action, onDelivery: 3, as: key, request: "", now: dateOfCity + seconds, limit: limit) { _ in "" }
    }

    private func keys() async throws -> [String] {
        try await database.writer.read { try String.fetchAll($0, sql: "SELECT key FROM idempotencyKeys ORDER BY number") }
    }
}
