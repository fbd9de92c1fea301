import Digests
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
            id: proof, kind: .photo, mediaType: "image/jpeg", length: 3, contentDigest: Self.digest(of: [1, 2, 3]), storedTime: Self.start)

        try await store.addProof(Proof(record: record, content: [1, 2, 3]))

        #expect(Array(contents.bytes.values) == [[1, 2, 3]])
        #expect(contents.bytes.keys.allSatisfy { $0.hasPrefix("proofs/\(id)/\(record.contentDigest.rawValue)-") })
        #expect(try await store.proof(proof)?.content == [1, 2, 3])
        #expect(try await Self.count(client, "SELECT count(content) AS count FROM proofs") == 0)
        await #expect(throws: ProofContentError.noStore) { try await PostgreSQLOrderStore(client).proof(proof) }
        let late = Self.start + .seconds(100 * 86_400)
        try await Self.setPruneTime(late, client)
        #expect(try await store.prune(OrderRetention(), at: late))
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

        let late = Self.start + .seconds(800 * 86_400)
        try await Self.setPruneTime(late, client)
        await #expect(throws: POSIXError.self) { try await store.prune(OrderRetention(), at: late) }

        let rows = try await client.read("SELECT content_key FROM proofs WHERE content_key IS NOT NULL")
        let keys = try rows.map { try $0.value("content_key", as: String.self) }
        #expect(keys.count == 1 && keys.allSatisfy { $0.hasPrefix("proofs/2/") })
        #expect(Array(contents.bytes.keys) == keys)
        #expect(try await Self.count(client, "SELECT count(name) AS count FROM people") == 0)
    }

    @Test func `An object that another courier stores anew while others are deleted is kept`() async throws {
        let digest = try #require(ProofDigest(rawValue: String(repeating: "a1", count: 32)))
        let late = Self.start + .seconds(800 * 86_400)
        func proof(_ order: Int, _ person: String, at time: Timestamp) -> Proof {
            let id = ProofID(order: order, person: PersonID(rawValue: person), digest: digest)
            let record = ProofRecord(
                id: id, kind: .photo, mediaType: "image/jpeg", length: 1, contentDigest: Self.digest(of: [1]), storedTime: time)
            return Proof(record: record, content: [1])
        }
        let new = [1, 2].map { proof($0, "jonas", at: late) }
        let stores = Mutex<[PostgreSQLOrderStore]>([])
        let contents = MemoryContents { key in
            guard let store = stores.withLock({ $0.popLast() }) else { return nil }
            do { try await store.addProof(new[key.hasPrefix("proofs/1/") ? 1 : 0]) } catch { return error }
            return nil
        }
        let (store, client) = try await Self.makeStore(contents: contents)
        try await Self.setPruneTime(late, client)
        for order in [1, 2] { try await store.addProof(proof(order, "mina", at: Self.start)) }
        stores.withLock { $0 = [store] }

        #expect(try await store.prune(OrderRetention(), at: late))

        #expect(contents.bytes.count == 1)
        var kept: [Proof] = []
        for proof in new { if let found = try await store.proof(proof.record.id) { kept.append(found) } }
        #expect(kept.map(\.content) == [[1]])
    }

    private static func proof(of order: Int, by person: String, at time: Timestamp) throws -> Proof {
        let digest = Self.digest(of: [1])
        let id = ProofID(order: order, person: PersonID(rawValue: person), digest: digest)
        return Proof(
            record: ProofRecord(id: id, kind: .photo, mediaType: "image/jpeg", length: 1, contentDigest: digest, storedTime: time),
            content: [1])
    }

    private static func digest(of content: [UInt8]) -> ProofDigest { ProofDigest(rawValue: SHA256.hash(data: content).hexString)! }

    @Test(arguments: [[0], [1, 2], []] as [[UInt8]])
    func `Bytes that the other store has changed are no proof`(bytes: [UInt8]) async throws {
        let contents = MemoryContents()
        let (store, _) = try await Self.makeStore(contents: contents)
        let proof = try Self.proof(of: 1, by: "mina", at: Self.start)
        try await store.addProof(proof)
        #expect(try await store.proof(proof.record.id) == proof)

        contents.replaceAll(with: bytes)
        await #expect(throws: ProofContentError.damaged) { try await store.proof(proof.record.id) }
        contents.deleteAll()
        await #expect(throws: ProofContentError.missing) { try await store.proof(proof.record.id) }
    }

    @Test func `Bytes that another courier stores for an order remain while the old ones are deleted`() async throws {
        let late = Self.start + .seconds(100 * 86_400)
        let (old, new) = (try Self.proof(of: 1, by: "mina", at: Self.start), try Self.proof(of: 1, by: "jonas", at: late))
        let stores = Mutex<[PostgreSQLOrderStore]>([])
        let contents = MemoryContents { _ in
            guard let store = stores.withLock({ $0.popLast() }) else { return nil }
            do { try await store.addProof(new) } catch { return error }
            return nil
        }
        let (store, client) = try await Self.makeStore(contents: contents)
        try await Self.setPruneTime(late, client)
        try await store.addProof(old)
        stores.withLock { $0 = [store] }

        #expect(try await store.prune(OrderRetention(), at: late))

        #expect(contents.bytes.count == 1)
        #expect(try await store.proof(new.record.id)?.content == [1])
        #expect(try await store.proof(old.record.id)?.record.isDeleted == true)
    }

    @Test func `Proofs of an earlier release with one key are deleted when none is needed any more`() async throws {
        let late = Self.start + .seconds(100 * 86_400)
        let contents = MemoryContents()
        let (store, client) = try await Self.makeStore(contents: contents)
        try contents.store([1], as: "proofs/1/a", mediaType: "image/jpeg")
        for (person, time) in [("mina", Self.start), ("jonas", late)] {
            let proof = try Self.proof(of: 1, by: person, at: time)
            try await PostgreSQLOrderStore(client).addProof(proof)
        }
        try await client.write("UPDATE proofs SET content = NULL, content_key = 'proofs/1/a'")
        let later = late + .seconds(100 * 86_400)

        try await Self.setPruneTime(late, client)
        #expect(try await store.prune(OrderRetention(), at: late))
        #expect(contents.bytes.count == 1)
        try await Self.setPruneTime(later, client)
        #expect(try await store.prune(OrderRetention(), at: later))

        #expect(contents.bytes.isEmpty)
    }

    @Test func `Bytes whose proof was not stored are deleted after a day`() async throws {
        let contents = MemoryContents(storageError: POSIXError(.ECONNRESET))
        let (store, client) = try await Self.makeStore(contents: contents)
        let proof = try Self.proof(of: 1, by: "mina", at: Self.start)
        await #expect(throws: POSIXError.self) { try await store.addProof(proof) }

        for (hours, count) in [(23, 1), (25, 0)] {
            let time = Self.start + .seconds(hours * 3_600)
            try await Self.setPruneTime(time, client)
            #expect(try await store.prune(OrderRetention(), at: time))
            #expect(contents.bytes.count == count)
            #expect(try await Self.count(client, "SELECT count(*) AS count FROM pending_proof_contents") == count)
        }
    }

    @Test func `The bytes of a stored proof are not pending, and those of its repetition are deleted`() async throws {
        let contents = MemoryContents()
        let (store, client) = try await Self.makeStore(contents: contents)
        let proof = try Self.proof(of: 1, by: "mina", at: Self.start)
        let pending: PostgreSQLStatement = "SELECT count(*) AS count FROM pending_proof_contents"
        try await store.addProof(proof)
        #expect(try await Self.count(client, pending) == 0)

        try await store.addProof(proof)
        #expect(try await Self.count(client, pending) == 1 && contents.bytes.count == 2)
        let time = Self.start + .seconds(2 * 86_400)
        try await Self.setPruneTime(time, client)
        #expect(try await store.prune(OrderRetention(), at: time))

        #expect(contents.bytes.count == 1)
        #expect(try await store.proof(proof.record.id)?.content == [1])
    }
}
