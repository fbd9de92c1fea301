import Digests
import Foundation
import OrderLifecycle
import OrderStorage
import OrderStoragePostgreSQL
import PostgreSQLClient
import PostgreSQLFixtures
import Testing

/// The verification of a database in which a test damages something.
@Suite("Verification of orders in PostgreSQL")
struct PostgreSQLOrderVerificationTests {
    private typealias Part = PostgreSQLOrderVerification.Part

    // MARK: - Intact databases

    @Test func `An intact database has no problems`() async throws {
        let shop = try await Shop()

        for part in Part.allCases { #expect(try await shop.report(on: part) == .init(), "\(part)") }
    }

    @Test func `A database without orders has no problems`() async throws {
        let client = try await Shop.makeClient()

        for part in Part.allCases { #expect(try await PostgreSQLOrderVerification(client).report(on: part) == .init(), "\(part)") }
    }

    @Test func `The progress ends with the number of rows`() async throws {
        let shop = try await Shop()
        let (steps, continuation) = AsyncStream<[Int]>.makeStream()

        _ = try await PostgreSQLOrderVerification(shop.client).report(on: .orders) { continuation.yield([$0, $1]) }

        continuation.finish()
        #expect(await steps.reduce(into: []) { $0.append($1) } == [[1, 3], [2, 3], [3, 3]])
    }

    @Test func `Orders that change meanwhile have no problems`() async throws {
        let shop = try await Shop()
        let changes = Task {
            var count = 0
            while !Task.isCancelled {
                // A courier may take an order a limited number of times.
                try await shop.claimAndRelease(shop.released, by: PersonID(rawValue: "courier \(count / 50)"))
                count += 1
            }
        }

        for _ in 1...20 {
            #expect(try await shop.report(on: .orders).problems == [])
            #expect(try await shop.report(on: .changes).problems == [])
        }

        changes.cancel()
        _ = await changes.result
    }

    @Test func `An order with more events than are read at once has no problems`() async throws {
        let shop = try await Shop()
        for number in 0..<260 { try await shop.claimAndRelease(shop.released, by: PersonID(rawValue: "courier \(number / 50)")) }

        #expect(try await shop.report(on: .orders).problems == [])
        try await shop.client.write("DELETE FROM order_events WHERE order_id = \(shop.released) AND number = 510")
        #expect(try await shop.report(on: .orders).problems == ["order \(shop.released): event 510 is missing"])
    }

    // MARK: - Damage

    /// A damage to the database of a shop, and its description.
    struct Damage: Sendable, CustomTestStringConvertible {
        let part: PostgreSQLOrderVerification.Part
        let statement: String
        let problem: String

        init(_ part: PostgreSQLOrderVerification.Part, _ statement: String, _ problem: String) {
            (self.part, self.statement, self.problem) = (part, statement, problem)
        }

        var testDescription: String { problem }
    }

    private static let name = Shop.digest.rawValue.prefix(12) + "…"
    private static let incompleteName = Shop.incompleteDigest.rawValue.prefix(12) + "…"

    private static let eventDamage = [
        Damage(.orders, "DELETE FROM order_events WHERE order_id = 1 AND number = 2", "order 1: event 2 is missing"),
        Damage(.orders, "DELETE FROM order_events WHERE order_id = 1 AND number = 5", "order 1: event 5 is missing"),
        Damage(.orders, "UPDATE order_events SET event = 'x' WHERE order_id = 1 AND number = 2", "order 1: event 2 cannot be read"),
        Damage(
            .orders,
            #"UPDATE order_events SET event = replace(event, '"number":2', '"number":3') WHERE order_id = 1 AND number = 2"#,
            "order 1: event 2 cannot be read"),
        Damage(
            .orders, #"UPDATE order_events SET event = replace(event, 'arrived', 'delivered') WHERE order_id = 1 AND number = 4"#,
            "order 1: event 4 is no permitted transition"),
        Damage(.orders, "DELETE FROM orders WHERE id = 3", "order 3 has events and no content"),
        Damage(.orders, "DELETE FROM order_events WHERE order_id = 3", "order 3: event 1 is missing"),
        Damage(.orders, "DELETE FROM proofs", "order 1 was delivered with a proof that is not stored"),
    ]

    private static let orderDamage = [
        Damage(.orders, "UPDATE orders SET state = 'open' WHERE id = 1", "order 1: the state differs from the events"),
        Damage(.orders, "UPDATE orders SET fence = fence + 1 WHERE id = 1", "order 1: the version differs from the events"),
        Damage(.orders, "UPDATE orders SET event_count = 4 WHERE id = 1", "order 1: the version differs from the events"),
        Damage(.orders, "UPDATE orders SET holder = 'jonas' WHERE id = 1", "order 1: the holder differs from the events"),
        Damage(.orders, "UPDATE orders SET attempts = 1 WHERE id = 1", "order 1: the attempts differ from the events"),
        Damage(.orders, "UPDATE orders SET items = 'x' WHERE id = 3", "order 3 cannot be read"),
        Damage(
            .orders, "UPDATE orders SET open_reports = 5 WHERE id = 2", "order 2: the number of open reports differs from the reports"),
        Damage(
            .orders, "UPDATE order_reports SET is_settled = true", "order 2: the number of open reports differs from the reports"),
        Damage(.orders, "UPDATE order_reports SET report = 'x'", "order 2: report 1 cannot be read"),
        Damage(.orders, "UPDATE order_reports SET number = 2", "order 2: report 1 is missing"),
        Damage(
            .orders, "UPDATE final_order_counts SET count = 2", "the number of orders in the state \"delivered\" is wrong"),
        Damage(
            .orders, "INSERT INTO order_reports SELECT 77, number, report, true FROM order_reports",
            "order 77 has reports and no content"),
    ]

    private static let otherDamage = [
        Damage(
            .verdicts, "UPDATE verdicts SET verdict = 'x' WHERE key = 'create Lunch'", "the verdict of the key create Lunch cannot be read"),
        Damage(
            .verdicts, #"UPDATE verdicts SET verdict = replace(verdict, '"order":3,', '"order":33,')"#,
            "a verdict refers to order 33, which does not exist"),
        Damage(
            .changes, "UPDATE order_changes SET event = 99 WHERE order_id = 1 AND event = 5",
            "a change refers to event 99 of order 1, which does not exist"),
        Damage(
            .changes, "UPDATE order_changes SET report = 9 WHERE report = 1",
            "a change refers to report 9 of order 2, which does not exist"),
        Damage(.changes, "DELETE FROM order_metadata", "the epoch is missing"),
        Damage(.proofs, #"UPDATE proofs SET content = '\x010204'"#, "order 1: the proof \(name) does not have its digest"),
        Damage(.proofs, "UPDATE proofs SET length = 4", "order 1: the proof \(name) does not have its digest"),
        Damage(.proofs, "UPDATE proofs SET kind = 'x'", "order 1: a proof cannot be read"),
        Damage(.proofs, "UPDATE proofs SET order_id = 77", "order 77: the proof \(name) belongs to no order"),
        Damage(
            .proofs, "UPDATE proof_parts SET start = 5 WHERE start = 2",
            "order 3: the parts of the incomplete proof \(incompleteName) have a gap"),
        Damage(
            .proofs, "UPDATE proof_parts SET start = 1 WHERE start = 2",
            "order 3: the parts of the incomplete proof \(incompleteName) have a gap"),
        Damage(
            .proofs, "DELETE FROM proof_parts WHERE start = 0",
            "order 3: the parts of the incomplete proof \(incompleteName) have a gap"),
    ]

    @Test(arguments: eventDamage + orderDamage + otherDamage)
    func `Each damage is found and named`(_ damage: Damage) async throws {
        let shop = try await Shop()

        let rows = try await shop.client.write(PostgreSQLStatement(sql: damage.statement))

        #expect(rows.changedCount > 0)
        #expect(try await shop.report(on: damage.part).problems == [damage.problem])
    }

    @Test func `Deleted bytes of a proof and parts that arrived after their proof are no damage`() async throws {
        let shop = try await Shop()
        try await shop.client.write([
            "UPDATE proofs SET content = NULL",
            """
            INSERT INTO proof_parts (order_id, person, digest, start, content, milliseconds)
            SELECT order_id, person, digest, 2, 'x', 0 FROM proofs
            """,
        ])

        #expect(try await shop.report(on: .proofs) == .init())
    }

    // MARK: - Object stores

    @Test func `Proofs in an object store are compared with their digests and sizes`() async throws {
        let contents = MemoryContents()
        let shop = try await Shop(contents: contents)
        let proof = "order 1: the proof \(Self.name)"

        #expect(try await shop.report(on: .proofs) == .init())
        contents.replaceAll(with: [1, 2, 4])
        #expect(try await shop.report(on: .proofs).problems == ["\(proof) does not have its digest"])
        contents.replaceAll(with: [1, 2, 3, 4])
        #expect(try await shop.report(on: .proofs).problems == ["\(proof) has 4 bytes in the object store in place of 3"])
        contents.deleteAll()
        #expect(try await shop.report(on: .proofs).problems == ["\(proof) is not in the object store"])
    }

    @Test func `Proofs in an object store that was not passed are counted`() async throws {
        let shop = try await Shop(contents: MemoryContents())

        let report = try await PostgreSQLOrderVerification(shop.client).report(on: .proofs)

        #expect(report == .init(problems: [], unverifiedCount: 1))
    }
}

/// A database with a delivered order, an order with a report, and one that was released and has an incomplete proof, in the second epoch.
private struct Shop {
    static let start = Timestamp(milliseconds: 1_800_000_000_000)
    static let photo: [UInt8] = [1, 2, 3]
    static let digest = ProofDigest(rawValue: SHA256.hash(data: photo).hexString)!
    static let incompleteDigest = ProofDigest(rawValue: String(repeating: "a1", count: 32))!
    private static let mina = PersonID(rawValue: "mina")

    let client: PostgreSQLClient
    let store: PostgreSQLOrderStore
    let contents: (any ProofContentStore)?
    let (delivered, reported, released): (Int, Int, Int)

    init(contents: (any ProofContentStore)? = nil) async throws {
        client = try await Self.makeClient()
        store = PostgreSQLOrderStore(client, contents: contents)
        self.contents = contents
        delivered = try await Self.create("Breakfast", in: store)
        reported = try await Self.create("Lunch", in: store)
        released = try await Self.create("Dinner", in: store)
        #expect((delivered, reported, released) == (1, 2, 3))
        try await store.beginEpochAfterLoss(above: 1_800_000_000)
        try await deliver()
        try await report()
        try await claimAndRelease(released)
        let id = ProofID(order: released, person: Self.mina, digest: Self.incompleteDigest)
        try await store.append([1, 2], at: 0, to: id, at: Self.start)
        try await store.append([3], at: 2, to: id, at: Self.start)
    }

    static func makeClient() async throws -> PostgreSQLClient {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(try await PostgreSQLServer.makeDatabase()))
        var migrator = PostgreSQLMigrator()
        PostgreSQLOrderStore.registerMigrations(in: &migrator)
        try await migrator.migrate(client)
        return client
    }

    func report(on part: PostgreSQLOrderVerification.Part) async throws -> PostgreSQLOrderVerification.Report {
        try await PostgreSQLOrderVerification(client, contents: contents).report(on: part)
    }

    func claimAndRelease(_ order: Int, by person: PersonID = mina) async throws {
        try await send(.claim, to: order, by: person)
        try await send(.release(fence(of: order)), to: order, by: person)
    }

    private func deliver() async throws {
        try await send(.claim, to: delivered)
        let fence = try await fence(of: delivered)
        try await send(.pickUp(fence, missing: []), to: delivered)
        try await send(.arrive(fence), to: delivered)
        let id = ProofID(order: delivered, person: Self.mina, digest: Self.digest)
        let record = ProofRecord(
            id: id, kind: .photo, mediaType: "image/jpeg", length: Self.photo.count, contentDigest: Self.digest, storedTime: Self.start)
        try await store.addProof(Proof(record: record, content: Self.photo))
        try await send(.deliver(fence, proofs: [Self.digest]), to: delivered)
    }

    /// Reports a pick-up under the fence of a courier who had to give the order to another one.
    private func report() async throws {
        try await send(.claim, to: reported)
        let fence = try await fence(of: reported)
        try await send(.reassign(to: PersonID(rawValue: "jonas")), to: reported, by: PersonID(rawValue: "ada"), .dispatcher)
        try await send(.pickUp(fence, missing: []), to: reported)
    }

    private func fence(of order: Int) async throws -> Fence { try #require(try await store.order(order)).fence }

    private func send(_ command: OrderCommand, to order: Int, by person: PersonID = mina, _ role: Role = .courier) async throws {
        let sender = OrderLifecycle.Sender(person, role: role, actionTime: Self.start)
        let result = try await store.perform(
            OrderStoreCommand(.lifecycle(order: order, command), from: sender, key: UUID().uuidString, fingerprint: ""), at: Self.start)
        if case .refused(let rejection) = result.verdict.outcome { Issue.record("\(command) was refused: \(rejection)") }
    }

    private static func create(_ title: String, in store: PostgreSQLOrderStore) async throws -> Int {
        let content = OrderContent(title: title, price: "1", currency: "EUR", destination: .init(address: "1 Quay Street", coordinate: nil))
        let sender = OrderLifecycle.Sender(PersonID(rawValue: "ada"), role: .dispatcher, actionTime: start)
        let command = OrderStoreCommand(.create(content, externalID: nil), from: sender, key: "create \(title)", fingerprint: "")
        return try #require(try await store.perform(command, at: start).verdict.order)
    }
}
