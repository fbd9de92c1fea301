import Foundation
import GRDB
import LadingJournals
import LadingTesting
import LadingTransfers
import SQLiteFiles
import Testing
@testable import StoreFixtures
// MARK: - Damage

extension SQLiteTransferJournalTests {
    @Test func `A transfer with a flipped bit is removed, and the others remain`() async throws {
        let folder = try StoreFolder("transfers")
        let (one, other) = (try record("aaaaaaaa"), try record("bbbbbbbb") { $0.reason = "a certain reason" })
        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.save(one)
        try await journal.save(other)
        try journal.close()
        try folder.flipBit(of: "a certain reason")
        #expect(StoreCheck.report(onTransfers: folder.file).problems == ["rows of transfers with a checksum mismatch: 1"])

        let next = try SQLiteTransferJournal(at: folder.file)

        #expect(next.corruptCount == 1 && next.quarantinedFile == nil)
        #expect(try await next.records() == [one])
        #expect(StoreCheck.report(onTransfers: folder.file) == StoreCheck.Report())
    }

    @Test func `A command with a flipped bit is removed, and the others remain`() async throws {
        let folder = try StoreFolder("transfers")
        let id = try record("aaaaaaaa").id
        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.post(TransferCommand(.resume, id, at: URL(string: "https://b.example/a-certain-place")))
        try await journal.post(TransferCommand(.pause, id))
        try journal.close()
        #expect(StoreCheck.report(onTransfers: folder.file) == StoreCheck.Report())
        try folder.flipBit(of: "a-certain-place")
        #expect(StoreCheck.report(onTransfers: folder.file).problems == ["rows of commands with a checksum mismatch: 1"])

        let next = try SQLiteTransferJournal(at: folder.file)

        #expect(next.corruptCommandCount == 1 && next.corruptCount == 0)
        #expect(try await next.consumeCommands() == [TransferCommand(.pause, id)])
        #expect(StoreCheck.report(onTransfers: folder.file) == StoreCheck.Report())
    }

    @Test(arguments: [
        "no database at all, and long enough to be seen as one by its first bytes".utf8.map { $0 },
        Array("SQLite format 3\0 and then nothing".utf8),
    ])
    func `A damaged file is quarantined and replaced by a new one`(bytes: [UInt8]) async throws {
        let folder = try StoreFolder("transfers")
        try Data(bytes + [UInt8](repeating: 7, count: 4_096)).write(to: folder.file)

        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.save(record("aaaaaaaa"))

        let quarantined = try #require(journal.quarantinedFile)
        #expect(quarantined.lastPathComponent == "transfers.sqlite-damaged-1")
        #expect(try Data(contentsOf: quarantined).starts(with: bytes))
        #expect(try await journal.records().count == 1)
    }

    /// Overwrites the types of all pages that contain a text with an invalid one.
    private func overwritePages(of file: URL, containing text: String) throws {
        var bytes = try Data(contentsOf: file)
        for start in stride(from: 0, to: bytes.count, by: 4_096) {
            guard bytes[start..<min(start + 4_096, bytes.count)].range(of: Data(text.utf8)) != nil else { continue }
            bytes.replaceSubrange(start..<start + 64, with: [UInt8](repeating: 0xFF, count: 64))
        }
        try bytes.write(to: file)
    }

    @Test func `Readable transfers and commands of a damaged file are copied in order`() async throws {
        let folder = try StoreFolder("transfers")
        let journal = try SQLiteTransferJournal(at: folder.file)
        var random = SeededRandom(seed: 1)
        var saved: [TransferRecord] = []
        for index in 0..<200 {
            saved.append(
                try record(TransferID(using: &random).rawValue) { $0.reason = "reason \(index) " + String(repeating: "x", count: 500) })
        }
        for record in saved { try await journal.save(record) }
        try await journal.post(TransferCommand(.pause, saved[0].id))
        try journal.close()
        try overwritePages(of: folder.file, containing: "reason 100 ")

        let next = try SQLiteTransferJournal(at: folder.file)

        let records = try await next.records()
        #expect(next.quarantinedFile?.lastPathComponent == "transfers.sqlite-damaged-1")
        #expect(records.count == next.recoveredCount && records.count >= 150 && records.count < 200)
        #expect(records == saved.filter { record in records.contains { $0.id == record.id } })
        #expect(records.first == saved.first && records.last == saved.last)
        #expect(try await next.consumeCommands() == [TransferCommand(.pause, saved[0].id)])
    }

    @Test func `The part file of a damaged transfer is removed with it`() async throws {
        let folder = try StoreFolder("transfers")
        let target = folder.url.appending(path: "big.bin", directoryHint: .notDirectory)
        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.save(record("aaaaaaaa", of: target))
        try await journal.save(record("bbbbbbbb", of: target) { $0.reason = "a certain reason" })
        try journal.close()
        for id in ["aaaaaaaa", "bbbbbbbb"] { try Data([1]).write(to: folder.url.appending(path: ".big.bin.\(id).part")) }
        try folder.flipBit(of: "a certain reason")

        let next = try SQLiteTransferJournal(at: folder.file)

        #expect(next.corruptCount == 1)
        #expect(folder.names.filter { $0.hasSuffix(".part") } == [".big.bin.aaaaaaaa.part"])
    }

    @Test func `A recovery that a kill interrupted is not finished while the journal has an owner`() async throws {
        let folder = try StoreFolder("transfers")
        let first = try SQLiteTransferJournal(at: folder.file)
        let saved = try record("aaaaaaaa")
        try await first.save(saved)
        let ownership = try first.acquireOwnership()
        try first.close()
        try FileManager.default.moveItem(atPath: folder.file.path, toPath: folder.file.path + "-recovered")
        try Data([7]).write(to: URL(filePath: folder.file.path + "-damaged-1"))

        #expect(throws: SQLiteJournalError.self) { try SQLiteTransferJournal(at: folder.file) }
        ownership.release()
        let journal = try SQLiteTransferJournal(at: folder.file)

        #expect(journal.quarantinedFile?.lastPathComponent == "transfers.sqlite-damaged-1" && journal.recoveredCount == 1)
        #expect(try await journal.records() == [saved])
    }

    @Test func `A damaged file is not moved while the journal has an owner`() throws {
        let folder = try StoreFolder("transfers")
        let owner = try SQLiteTransferJournal(at: folder.file)
        let ownership = try owner.acquireOwnership()
        try owner.close()
        try Data(repeating: 7, count: 4_096).write(to: folder.file)

        #expect { try SQLiteTransferJournal(at: folder.file) } throws: { error in
            if case SQLiteJournalError.unavailable(_, cause: TransferError.journalInUse) = error { true } else { false }
        }
        #expect(folder.names.allSatisfy { !$0.contains("damaged") })

        ownership.release()
        let journal = try SQLiteTransferJournal(at: folder.file)
        #expect(journal.quarantinedFile != nil)
        #expect(throws: Never.self) { try journal.acquireOwnership() }
    }

    @Test func `A file of a newer release is rejected and unchanged`() async throws {
        let folder = try StoreFolder("transfers")
        try SQLiteTransferJournal(at: folder.file).close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('later')") }
        try queue.close()

        #expect { try SQLiteTransferJournal(at: folder.file) } throws: { error in
            if case SQLiteJournalError.newer = error { true } else { false }
        }
        #expect(folder.names.allSatisfy { !$0.contains("damaged") })
    }

    @Test func `A file that cannot be opened is not moved`() throws {
        let folder = try StoreFolder("transfers")
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: false)

        #expect(throws: SQLiteJournalError.self) { try SQLiteTransferJournal(at: folder.file) }
        #expect(folder.names == ["transfers.sqlite"])
    }
}
