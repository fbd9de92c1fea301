import Foundation
import LadingCaching
import OrderLifecycle
import OrderStorage
import OrderStorageConformance
@testable import OrderStoragePostgreSQL
import PostgreSQLClient
import Synchronization
import Testing

extension PostgreSQLOrderStoreTests {
    private static let proofSuite = OrderStoreConformance { try await makeStore(contents: MemoryContents()).store }

    @Test(arguments: proofSuite.cases.filter { $0.name.localizedCaseInsensitiveContains("proof") })
    func `The PostgreSQL store passes the suite of proofs with their bytes in another store`(
        _ testCase: OrderStoreConformance.Case
    ) async throws {
        try await Self.proofSuite.check(testCase)
    }

    @Test func `The bytes of a proof are in the other store as long as they are kept`() async throws {
        let contents = MemoryContents()
        let (store, client) = try await Self.makeStore(contents: contents)
        let id = try await create(store, "Breakfast")
        let digest = try #require(ProofDigest(rawValue: String(repeating: "a1", count: 32)))
        let proof = ProofID(order: id, person: PersonID(rawValue: "mina"), digest: digest)
        let record = ProofRecord(
            id: proof, kind: .photo, mediaType: "image/jpeg", length: 3, contentDigest: digest, storedTime: Self.start)

        try await store.addProof(Proof(record: record, content: [1, 2, 3]))

        #expect(contents.bytes == ["proofs/\(id)/\(digest.rawValue)": [1, 2, 3]])
        #expect(try await store.proof(proof)?.content == [1, 2, 3])
        #expect(try await Self.count(client, "SELECT count(content) AS count FROM proofs") == 0)
        await #expect(throws: ProofContentError.noStore) { try await PostgreSQLOrderStore(client).proof(proof) }
        try await store.prune(OrderRetention(), at: Self.start + .seconds(100 * 86_400))
        #expect(contents.bytes.isEmpty)
        #expect(try await store.proof(proof)?.record.isDeleted == true)
    }

    @Test func `An object that cannot be deleted keeps its key, and other old data is deleted`() async throws {
        let contents = MemoryContents { $0.hasPrefix("proofs/2/") ? POSIXError(.EACCES) : nil }
        let (store, client) = try await Self.makeStore(contents: contents)
        let digest = try #require(ProofDigest(rawValue: String(repeating: "a1", count: 32)))
        let person = Person(id: PersonID(rawValue: "mina"), name: "Mina", role: .courier, creationTime: Self.start)
        try await store.addPerson(person)
        try await store.revoke(person.id, at: Self.start)
        for order in 1...3 {
            let record = ProofRecord(
                id: ProofID(order: order, person: person.id, digest: digest), kind: .photo, mediaType: "image/jpeg", length: 1,
                contentDigest: digest, storedTime: Self.start)
            try await store.addProof(Proof(record: record, content: [1]))
        }

        await #expect(throws: POSIXError.self) { try await store.prune(OrderRetention(), at: Self.start + .seconds(800 * 86_400)) }

        let keys = try await client.read("SELECT content_key FROM proofs WHERE content_key IS NOT NULL")
        #expect(try keys.map { try $0.value("content_key") } == ["proofs/2/\(digest.rawValue)"])
        #expect(Array(contents.bytes.keys) == ["proofs/2/\(digest.rawValue)"])
        #expect(try await Self.count(client, "SELECT count(name) AS count FROM people") == 0)
    }

    @Test func `An object that another courier stores anew while others are deleted is kept`() async throws {
        let digest = try #require(ProofDigest(rawValue: String(repeating: "a1", count: 32)))
        let late = Self.start + .seconds(800 * 86_400)
        func proof(_ order: Int, _ person: String, at time: Timestamp) -> Proof {
            let id = ProofID(order: order, person: PersonID(rawValue: person), digest: digest)
            let record = ProofRecord(id: id, kind: .photo, mediaType: "image/jpeg", length: 1, contentDigest: digest, storedTime: time)
            return Proof(record: record, content: [1])
        }
        let new = [1, 2].map { proof($0, "jonas", at: late) }
        let stores = Mutex<[PostgreSQLOrderStore]>([])
        let contents = MemoryContents { key in
            guard let store = stores.withLock({ $0.popLast() }) else { return nil }
            do { try await store.addProof(new[key.hasPrefix("proofs/1/") ? 1 : 0]) } catch { return error }
            return nil
        }
        let store = try await Self.makeStore(contents: contents).store
        for order in [1, 2] { try await store.addProof(proof(order, "mina", at: Self.start)) }
        stores.withLock { $0 = [store] }

        try await store.prune(OrderRetention(), at: late)

        #expect(contents.bytes.count == 1)
        var kept: [Proof] = []
        for proof in new { if let found = try await store.proof(proof.record.id) { kept.append(found) } }
        #expect(kept.map(\.content) == [[1]])
    }
}
