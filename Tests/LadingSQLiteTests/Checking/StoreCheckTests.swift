import Foundation
import GRDB
import LadingCaching
import LadingFeeds
import LadingJournals
import LadingOutbox
import Testing

@testable import LadingSQLite
@testable import SQLiteFiles
@testable import StoreFixtures

@Suite struct StoreCheckTests {
    /// Flips one bit of a file at the end of the first occurrence of a text.
    private func flipBit(behind text: String, in file: URL) throws {
        var bytes = try Data(contentsOf: file)
        let place = try #require(bytes.range(of: Data(text.utf8))).upperBound - 1
        bytes[place] ^= 1
        try bytes.write(to: file)
    }

    private func makeOutbox(at file: URL) async throws {
        let journal = try SQLiteOutboxJournal(at: file)
        let request = OutboxRequest(url: try #require(URL(string: "https://a.example/b")), body: Array("the body of a write".utf8))
        _ = try await journal.add(OutboxEntry(id: .unique(), subject: "a", request: request, actionDate: .now, added: .now))
        try journal.close()
    }

    @Test func `A flipped bit in a row of a closed database is detected`() async throws {
        let folder = try StoreFolder("outbox")
        try await makeOutbox(at: folder.file)
        #expect(StoreCheck.report(onDatabase: folder.file) == StoreCheck.Report())

        try flipBit(behind: "the body of a write", in: folder.file)

        #expect(StoreCheck.report(onDatabase: folder.file).problems == ["the file has changed since it was closed (checksum mismatch)"])
    }

    @Test func `A file that is not a database and a damaged page are detected`() async throws {
        let folder = try StoreFolder("outbox")
        try await makeOutbox(at: folder.file)
        var bytes = try Data(contentsOf: folder.file)
        bytes.replaceSubrange(4_096..<4_160, with: [UInt8](repeating: 0xFF, count: 64))
        try bytes.write(to: folder.file)
        #expect(!StoreCheck.report(onDatabase: folder.file).problems.isEmpty)

        try Data(repeating: 7, count: 8_192).write(to: folder.file)

        #expect(!StoreCheck.report(onDatabase: folder.file).problems.isEmpty)
    }

    @Test func `A database that cannot be opened is not called damaged`() async throws {
        let folder = try StoreFolder("outbox")
        try FileManager.default.createDirectory(at: folder.file, withIntermediateDirectories: true)

        for report in [StoreCheck.report(onDatabase: folder.file), StoreCheck.report(onOutbox: folder.file)] {
            #expect(report.problems == [] && report.obstacle?.isEmpty == false)
        }
    }

    @Test(
        arguments: [
            (.SQLITE_CORRUPT, true), (.SQLITE_NOTADB, true), (.SQLITE_IOERR_SHORT_READ, true), (.SQLITE_BUSY, false),
            (.SQLITE_IOERR_READ, false), (.SQLITE_CANTOPEN, false), (.SQLITE_FULL, false),
        ] as [(ResultCode, Bool)])
    func `Only errors of the content are damage`(code: ResultCode, isDamage: Bool) {
        let report = StoreCheck.Report(DatabaseError(resultCode: code, message: "a reason"))

        #expect(report == (isDamage ? StoreCheck.Report(problems: ["a reason"]) : StoreCheck.Report(obstacle: "a reason")))
    }

    @Test func `A failed copy, for which SQLite has no message, is described by its code`() {
        let error = DatabaseError(resultCode: .SQLITE_FULL, message: "not an error")

        #expect(StoreCheck.text(of: error) == "database or disk is full")
    }

    @Test func `A reopened database that is not closed passes while its structure is valid`() async throws {
        let folder = try StoreFolder("outbox")
        try await makeOutbox(at: folder.file)
        let journal = try SQLiteOutboxJournal(at: folder.file)
        let request = OutboxRequest(url: try #require(URL(string: "https://a.example/c")))
        _ = try await journal.add(OutboxEntry(id: .unique(), subject: "b", request: request, actionDate: .now, added: .now))

        #expect(StoreCheck.report(onDatabase: folder.file) == StoreCheck.Report(isStructureOnly: true))
        #expect(!folder.names.contains("outbox.sqlite-sum"))

        try journal.close()
        #expect(StoreCheck.report(onDatabase: folder.file) == StoreCheck.Report())
        #expect(folder.names.contains("outbox.sqlite-sum"))
    }

    @Test(arguments: [1_000, 200_000]) func `A flipped bit in a body is detected in the index and in files`(length: Int) async throws {
        let folder = try StoreFolder("blobs")
        let store = try SQLiteBlobStore(in: folder.url, byteLimit: 10 << 20)
        let writer = try await store.write(BlobKey(group: "https://a.example/p?key=s3cret"), metadata: [])
        try await writer.append([UInt8](repeating: 65, count: length - 13) + Array("end of a body".utf8))
        _ = try await writer.finish(metadata: nil)
        try store.close()
        #expect(StoreCheck.report(onBodiesOf: folder.url, redacting: { $0.replacing("s3cret", with: "REDACTED") }).problems == [])

        let bodies = folder.url.appending(path: "bodies")
        let name = try FileManager.default.contentsOfDirectory(atPath: bodies.path).first
        try flipBit(behind: "end of a body", in: name.map { bodies.appending(path: $0) } ?? folder.file)

        #expect(
            StoreCheck.report(onBodiesOf: folder.url, redacting: { $0.replacing("s3cret", with: "REDACTED") }).problems == [
                "checksum mismatch of the body of https://a.example/p?key=REDACTED"
            ])
    }

    @Test func `A closed record store is checked to the last bit`() async throws {
        let folder = try StoreFolder()
        let store = try SQLiteRecordStore<ArchivedValue>(at: folder.file)
        try await store.put([ArchivedValue(name: "a", content: Data("an archived value".utf8))])
        try store.close()
        #expect(StoreCheck.report(onDatabase: folder.file) == StoreCheck.Report())

        try flipBit(behind: "an archived value", in: folder.file)

        #expect(StoreCheck.report(onDatabase: folder.file).problems == ["the file has changed since it was closed (checksum mismatch)"])
    }
}
