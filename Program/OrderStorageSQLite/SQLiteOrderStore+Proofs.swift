import Foundation
import GRDB
package import OrderLifecycle
package import OrderStorage
import SQLiteFiles

extension SQLiteOrderStore {
    package func upload(of proof: ProofID) async throws -> ProofUpload {
        try await writer.read { database in
            let sql = "SELECT length FROM proofs WHERE orderID = ? AND person = ? AND digest = ?"
            if let length = try Int.fetchOne(database, sql: sql, arguments: proof.arguments) {
                return ProofUpload(offset: length, isComplete: true)
            }
            return ProofUpload(offset: try Self.offset(of: proof, in: database), isComplete: false)
        }
    }

    package func append(_ bytes: [UInt8], at offset: Int, to proof: ProofID, at now: Timestamp) async throws {
        try await write { database in
            let expected = try Self.offset(of: proof, in: database)
            guard offset == expected else { throw OrderStoreError.offsetMismatch(expected: expected) }
            guard !bytes.isEmpty else { return }
            if offset == 0, try Self.hasLimit(in: "proofParts", beside: proof, in: database) {
                throw OrderStoreError.tooManyIncompleteProofs
            }
            try database.execute(
                sql: "INSERT INTO proofParts (orderID, person, digest, start, content, milliseconds) VALUES (?, ?, ?, ?, ?, ?)",
                arguments: proof.arguments + [offset, Data(bytes), now.milliseconds])
        }
    }

    package func appendedBytes(of proof: ProofID) async throws -> [UInt8] {
        try await writer.read { database in
            let sql = "SELECT content FROM proofParts WHERE orderID = ? AND person = ? AND digest = ? ORDER BY start"
            return try Data.fetchAll(database, sql: sql, arguments: proof.arguments).flatMap { [UInt8]($0) }
        }
    }

    package func discardUpload(of proof: ProofID) async throws {
        try await write { try Self.discardParts(of: proof, in: $0) }
    }

    package func addProof(_ proof: Proof) async throws {
        let record = proof.record
        try await write { database in
            guard try !Self.hasLimit(in: "proofs", beside: record.id, in: database) else { throw OrderStoreError.tooManyProofs }
            try database.execute(
                sql: """
                    INSERT INTO proofs (orderID, person, digest, kind, mediaType, length, contentDigest, storedTime, content)
                    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING
                    """,
                arguments: record.id.arguments + [
                    record.kind.rawValue, record.mediaType, record.length, record.contentDigest.rawValue, record.storedTime.milliseconds,
                    Data(proof.content),
                ])
            try Self.discardParts(of: record.id, in: database)
        }
    }

    package func proof(_ id: ProofID) async throws -> Proof? {
        try await writer.read { database in
            let sql = "SELECT * FROM proofs WHERE orderID = ? AND person = ? AND digest = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: id.arguments) else { return nil }
            let content: Data? = try row.checked("content")
            return Proof(record: try ProofRecord(row: row), content: [UInt8](content ?? Data()))
        }
    }

    package func proofs(ofOrder order: Int) async throws -> [ProofRecord] {
        try await writer.read { try Self.proofs(ofOrder: order, in: $0) }
    }

    static func proofs(ofOrder order: Int, in database: Database) throws -> [ProofRecord] {
        let sql = """
            SELECT orderID, person, digest, kind, mediaType, length, contentDigest, storedTime, content IS NULL AS isDeleted
            FROM proofs WHERE orderID = ? ORDER BY storedTime, digest
            """
        return try Row.fetchAll(database, sql: sql, arguments: [order]).map(ProofRecord.init)
    }

    package func checkPIN(_ pin: String, ofOrder order: Int, by person: PersonID, attempts: Int) async throws -> PINCheck {
        try await write { database in
            let sql = "SELECT pin, wrongPINs, state, holder FROM orders WHERE id = ?"
            guard let row = try Row.fetchOne(database, sql: sql, arguments: [order]) else { return .unused }
            let hasHolder = OrderState(rawValue: try row.checked("state"))?.hasHolder ?? false
            guard hasHolder, try row.checked("holder", as: String?.self) == person.rawValue else { return .notHolder }
            guard let expected = try row.checked("pin", as: String?.self) else { return .unused }
            let wrongCount: Int = try row.checked("wrongPINs")
            guard wrongCount < attempts else { return .locked }
            guard pin != expected else { return .right }
            try database.execute(sql: "UPDATE orders SET wrongPINs = wrongPINs + 1 WHERE id = ?", arguments: [order])
            return wrongCount + 1 < attempts ? .wrong(attemptsLeft: attempts - wrongCount - 1) : .locked
        }
    }

    private static func offset(of proof: ProofID, in database: Database) throws -> Int {
        let sql = "SELECT COALESCE(SUM(length(content)), 0) FROM proofParts WHERE orderID = ? AND person = ? AND digest = ?"
        return try Int.fetchOne(database, sql: sql, arguments: proof.arguments) ?? 0
    }

    /// Returns whether a table has the allowed number of other proofs of the person for the order.
    private static func hasLimit(in table: String, beside proof: ProofID, in database: Database) throws -> Bool {
        let sql = "SELECT COUNT(DISTINCT digest) FROM \(table) WHERE orderID = ? AND person = ? AND digest <> ?"
        return try Int.fetchOne(database, sql: sql, arguments: proof.arguments) ?? 0 >= ProofID.limitPerOrder
    }

    private static func discardParts(of proof: ProofID, in database: Database) throws {
        try database.execute(sql: "DELETE FROM proofParts WHERE orderID = ? AND person = ? AND digest = ?", arguments: proof.arguments)
    }
}

extension ProofID {
    fileprivate var arguments: StatementArguments { [order, person.rawValue, digest.rawValue] }
}

extension ProofRecord {
    fileprivate init(row: Row) throws {
        let order: Int = try row.checked("orderID")
        guard let digest = ProofDigest(rawValue: try row.checked("digest")),
            let content = ProofDigest(rawValue: try row.checked("contentDigest")), let kind = ProofKind(rawValue: try row.checked("kind"))
        else { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a proof of order \(order) is damaged") }
        try self.init(
            id: ProofID(order: order, person: PersonID(rawValue: row.checked("person")), digest: digest), kind: kind,
            mediaType: row.checked("mediaType"), length: row.checked("length"), contentDigest: content,
            storedTime: Timestamp(milliseconds: row.checked("storedTime")),
            isDeleted: row.hasColumn("isDeleted") ? row.checked("isDeleted") : row.checked("content", as: Data?.self) == nil)
    }
}
