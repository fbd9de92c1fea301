import Foundation
import GRDB
import HTTPTypes
import LadingConformance
import LadingOutbox
import SQLiteFiles
import Testing
@testable import LadingJournals
@testable import StoreFixtures

@Suite struct SQLiteOutboxJournalTests {
    private static let conformance = OutboxJournalConformance { use in
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        try await use(journal)
        try journal.close()
    }

    @Test(arguments: conformance.cases) func `The journal on disk passes the conformance suite`(_ example: OutboxJournalConformance.Case)
        async throws
    {
        try await Self.conformance.check(example)
    }

    private func entry(_ key: String, _ headers: HTTPFields = [:]) throws -> OutboxEntry {
        OutboxEntry(
            id: try #require(IdempotencyKey(rawValue: key)), subject: "a",
            request: OutboxRequest(url: try #require(URL(string: "https://a.example/b")), headers: headers), actionDate: .now, added: .now)
    }

    @Test func `A field whose value begins with a mark is stored unchanged`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        _ = try await journal.add(entry("a", [.contentLanguage: "\u{FE0F}de"]))
        try journal.close()

        let stored = try await SQLiteOutboxJournal(at: folder.file).contents(of: "").entries

        #expect(stored.map { $0.request.headers[.contentLanguage].map { Array($0.utf8) } } == [Array("\u{FE0F}de".utf8)])
    }

    @Test func `Confirmed entries are synced and survive closing the file`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        #expect(try journal.synchronous == 2)
        guard case .inserted(let added) = try await journal.add(entry("a")) else { throw CancellationError() }
        try journal.close()

        let next = try SQLiteOutboxJournal(at: folder.file)

        #expect(try await next.contents(of: "") == OutboxContents(entries: [added]))
        #expect(next.quarantinedFile == nil)
    }

    @Test func `Closing a journal checkpoints its log into the file`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        _ = try await journal.add(entry("a"))
        _ = try await journal.contents(of: "")
        #expect(folder.logSize ?? 0 > 0)

        try journal.close()

        #expect(folder.logSize ?? 0 == 0)
    }

    @Test func `Each call of a closed journal throws an error of the journal`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        let entry = try entry("a")
        _ = try await journal.add(entry)
        try journal.close()

        let calls: [@Sendable (SQLiteOutboxJournal) async throws -> Void] = [
            { _ = try await $0.contents(of: "") }, { _ = try await $0.add(entry) }, { try await $0.update(entry) },
            { try await $0.replaceEntry(with: OutboxReceipt(entry, .sent, ended: .now), retaining: 1) },
        ]
        for call in calls { await #expect(throws: SQLiteJournalError.self) { try await call(journal) } }
    }

    @Test(.timeLimit(.minutes(10))) func `A full disk refuses an entry and preserves the confirmed ones`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        try await journal.pool.writeWithoutTransaction { try $0.execute(sql: "PRAGMA max_page_count = 1") }
        var count = 0
        var failure: (any Error)?

        do {
            // The remaining space of the last pages fits some entries.
            while count < 10_000 {
                _ = try await journal.add(entry("a\(count)"))
                count += 1
            }
        } catch {
            failure = error
        }

        #expect(failure as? OutboxError == .diskFull)
        #expect(try await journal.contents(of: "").entries.count == count)
    }

    @Test func `A damaged file is quarantined and replaced by a new one`() async throws {
        let folder = try StoreFolder("outbox")
        try Data("SQLite format 3\0 and then nothing".utf8 + [UInt8](repeating: 7, count: 4_096)).write(to: folder.file)

        let journal = try SQLiteOutboxJournal(at: folder.file)
        _ = try await journal.add(entry("a"))

        #expect(journal.quarantinedFile?.lastPathComponent == "outbox.sqlite-damaged-1")
        #expect(try await journal.contents(of: "").entries.count == 1)
    }

    /// Adds forty entries to a journal, of which three fill a page of the file.
    private func addEntries(to journal: SQLiteOutboxJournal) async throws -> [OutboxEntry] {
        var added: [OutboxEntry] = []
        for index in 0..<40 {
            let empty = try entry("entry-\(index)")
            let request = OutboxRequest(url: empty.request.url, body: [UInt8](repeating: UInt8(index), count: 1_500))
            let full = OutboxEntry(id: empty.id, subject: "a", request: request, actionDate: empty.actionDate, added: empty.added)
            guard case .inserted(let known) = try await journal.add(full) else { throw CancellationError() }
            added.append(known)
        }
        return added
    }

    /// Overwrites the type of the page of a row in the middle with an invalid one.
    private func overwritePage(of file: URL) throws {
        var bytes = try Data(contentsOf: file)
        let body = try #require(bytes.range(of: Data([UInt8](repeating: 20, count: 1_500))))
        let page = body.lowerBound / 4_096 * 4_096
        bytes.replaceSubrange(page..<page + 64, with: [UInt8](repeating: 0xFF, count: 64))
        try bytes.write(to: file)
    }

    @Test func `Readable rows of a damaged file are copied with their order and positions`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        let added = try await addEntries(to: journal)
        let receipt = OutboxReceipt(try entry("ended"), .sent, ended: .now)
        try await journal.replaceEntry(with: receipt, retaining: 10)
        try journal.close()
        try overwritePage(of: folder.file)

        let next = try SQLiteOutboxJournal(at: folder.file)

        let contents = try await next.contents(of: "")
        #expect(next.quarantinedFile?.lastPathComponent == "outbox.sqlite-damaged-1")
        #expect(contents.entries.count >= 30 && contents.entries.count < 40)
        #expect(contents.entries == added.filter { contents.entries.map(\.position).contains($0.position) })
        #expect(contents.entries.first == added.first && contents.entries.last == added.last)
        #expect(contents.receipts == [receipt])
        #expect(next.recoveredCount == contents.entries.count)
        guard case .inserted(let later) = try await next.add(entry("later")) else { throw CancellationError() }
        #expect(later.position > 40)
    }

    /// The step of a recovery at which a process was killed.
    enum RecoveryStep: CaseIterable { case copying, copied, moved }

    @Test(arguments: RecoveryStep.allCases) func `A recovery that a kill interrupted is finished by the next opening`(step: RecoveryStep)
        async throws
    {
        let (folder, other) = (try StoreFolder("outbox"), try StoreFolder("outbox"))
        let journal = try SQLiteOutboxJournal(at: folder.file)
        _ = try await addEntries(to: journal)
        try journal.close()
        try overwritePage(of: folder.file)
        try FileManager.default.copyItem(at: folder.file, to: other.file)
        let recovered = try SQLiteOutboxJournal(at: other.file)
        let contents = try await recovered.contents(of: "")
        try recovered.close()
        let path = folder.file.path
        if step == .copying {
            try Data(repeating: 7, count: 5_000).write(to: URL(filePath: path + "-draft"))
        } else {
            try FileManager.default.copyItem(atPath: other.file.path, toPath: path + "-recovered")
        }
        if step == .moved { try FileManager.default.moveItem(atPath: path, toPath: path + "-damaged-1") }

        let next = try SQLiteOutboxJournal(at: folder.file)

        #expect(try await next.contents(of: "") == contents)
        #expect(next.recoveredCount == contents.entries.count && next.recoveredCount >= 30)
        #expect(next.quarantinedFile?.lastPathComponent == "outbox.sqlite-damaged-1")
        #expect(folder.names.allSatisfy { !$0.contains("-draft") && !$0.contains("-recovered") })
        guard case .inserted(let later) = try await next.add(entry("later")) else { throw CancellationError() }
        #expect(later.position > 40)
        try next.close()
        #expect(try SQLiteOutboxJournal(at: folder.file).quarantinedFile == nil)
    }

    @Test func `Rows of a damaged file whose positions no outbox has assigned are not copied`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        _ = try await addEntries(to: journal)
        try await journal.pool.write { try $0.execute(sql: "UPDATE entries SET position = position + \(Int64.max - 40)") }
        try journal.close()
        try overwritePage(of: folder.file)

        let next = try SQLiteOutboxJournal(at: folder.file)

        #expect(next.quarantinedFile != nil && next.recoveredCount == 0)
        guard case .inserted(let later) = try await next.add(entry("later")) else { throw CancellationError() }
        #expect(later.position > 40)
    }

    @Test func `A row with a flipped bit is not copied, and its position is not reused`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        var added: [OutboxEntry] = []
        for name in ["one", "two", "three"] {
            let url = try #require(URL(string: "https://a.example/\(name)"))
            let request = OutboxRequest(url: url, body: Array("the body of \(name)".utf8))
            let entry = OutboxEntry(id: .unique(), subject: name, request: request, actionDate: .now, added: .now)
            guard case .inserted(let known) = try await journal.add(entry) else { throw CancellationError() }
            added.append(known)
        }
        try journal.close()
        try folder.flipBit(of: "the body of three")

        let next = try SQLiteOutboxJournal(at: folder.file)

        #expect(next.quarantinedFile != nil && next.recoveredCount == 2)
        #expect(try await next.contents(of: "") == OutboxContents(entries: Array(added.prefix(2))))
        guard case .inserted(let later) = try await next.add(entry("later")) else { throw CancellationError() }
        #expect(later.position > added[2].position)
    }

    @Test func `Attempted entries and entries without checksums are valid when read again`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        guard case .inserted(var attempted) = try await journal.add(entry("a")) else { throw CancellationError() }
        (attempted.attempts, attempted.lastFailure) = (2, "no answer")
        try await journal.update(attempted)
        try journal.close()
        #expect(StoreCheck.report(onOutbox: folder.file) == StoreCheck.Report())
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { database in
            for table in ["entries", "receipts"] { try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN checksum") }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier = 'checksums'")
        }
        try queue.close()

        let next = try SQLiteOutboxJournal(at: folder.file)

        #expect(try await next.contents(of: "") == OutboxContents(entries: [attempted]))
        #expect(next.quarantinedFile == nil)
    }

    @Test func `Receipts of the previous schema have their end as the date they were added`() async throws {
        let folder = try StoreFolder("outbox")
        let journal = try SQLiteOutboxJournal(at: folder.file)
        let receipt = OutboxReceipt(try entry("a"), .sent, responsePrefix: [1, 2], ended: Date.now + 60)
        try await journal.replaceEntry(with: receipt, retaining: 10)
        try journal.close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { database in
            try database.execute(sql: "ALTER TABLE receipts DROP COLUMN added")
            for table in ["entries", "receipts"] { try database.execute(sql: "ALTER TABLE \(table) DROP COLUMN checksum") }
            try database.execute(sql: "DELETE FROM grdb_migrations WHERE identifier <> 'outbox'")
        }
        try queue.close()

        let next = try SQLiteOutboxJournal(at: folder.file)

        let retained = OutboxReceipt(
            id: receipt.id, subject: receipt.subject, fingerprint: receipt.fingerprint, actionDate: receipt.actionDate,
            added: receipt.ended,
            outcome: .sent, responsePrefix: [1, 2], ended: receipt.ended)
        #expect(try await next.contents(of: "") == OutboxContents(receipts: [retained]))
    }

    @Test func `A file of a newer release is rejected and unchanged`() async throws {
        let folder = try StoreFolder("outbox")
        try SQLiteOutboxJournal(at: folder.file).close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
        try queue.close()

        #expect { try SQLiteOutboxJournal(at: folder.file) } throws: { error in
            if case SQLiteJournalError.newer = error { true } else { false }
        }
        #expect(folder.names.allSatisfy { !$0.contains("damaged") })
    }
}
