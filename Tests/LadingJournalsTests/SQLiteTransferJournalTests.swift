import Foundation
import GRDB
import LadingJournals
import LadingTesting
import LadingTransfers
import SQLiteFiles
import Testing
@testable import StoreFixtures

@Suite struct SQLiteTransferJournalTests {
    func record(
        _ id: String, of file: URL = URL(filePath: "/home/jane/a file 100%.bin"), _ change: (inout TransferRecord) -> Void = { _ in }
    ) throws -> TransferRecord {
        var record = TransferRecord(
            id: try #require(TransferID(rawValue: id)), direction: .download,
            remote: try #require(URL(string: "https://a.example/b?c=%20d")),
            file: file, replacesTarget: true, created: Date(timeIntervalSince1970: 1_000_000_000.25))
        change(&record)
        return record
    }

    @Test func `Saved records are read in order after the file was closed`() async throws {
        let folder = try StoreFolder("transfers")
        let plain = try record("aaaaaaaa")
        let full = try record("bbbbbbbb") {
            ($0.status, $0.completed, $0.total, $0.isResumable, $0.reason) = (.paused, 5, 9, true, "because")
            ($0.bootID, $0.version, $0.digest) = ("boot", FileVersion(text: "\"tag\""), "sha-256=:AA==:")
            $0.knownDigest = FileDigest(algorithm: "sha-512", bytes: [1, 2, 255])
            ($0.resource, $0.fingerprint) = (
                URL(string: "https://a.example/parts/7"), FileFingerprint(size: 9, modified: 1_000_000_000_123_456_789)
            )
        }
        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.save(full)
        try await journal.save(plain)
        try await journal.save(full)
        try journal.close()

        let next = try SQLiteTransferJournal(at: folder.file)

        #expect(try await next.records() == [full, plain])
        #expect(try await next.record(of: full.id) == full)
        #expect(next.quarantinedFile == nil)
        try await next.remove(full.id)
        #expect(try await next.records() == [plain])
        #expect(try await next.record(of: full.id) == nil)
    }

    @Test func `Each call of a closed journal throws an error of the journal`() async throws {
        let folder = try StoreFolder("transfers")
        let journal = try SQLiteTransferJournal(at: folder.file)
        let record = try record("aaaaaaaa")
        try await journal.save(record)
        try journal.close()

        let calls: [@Sendable (SQLiteTransferJournal) async throws -> Void] = [
            { _ = try await $0.records() }, { _ = try await $0.record(of: record.id) }, { try await $0.save(record) },
            { try await $0.remove(record.id) }, { try await $0.post(TransferCommand(.pause, record.id)) },
            { _ = try await $0.consumeCommands() },
        ]
        for call in calls { await #expect(throws: SQLiteJournalError.self) { try await call(journal) } }
    }

    @Test func `Commands of one process are consumed once by another, oldest first`() async throws {
        let folder = try StoreFolder("transfers")
        let (sender, receiver) = (try SQLiteTransferJournal(at: folder.file), try SQLiteTransferJournal(at: folder.file))
        let id = try record("aaaaaaaa").id

        let commands = [TransferCommand(.resume, id, at: URL(string: "https://b.example/")), TransferCommand(.pause, id)]
        for command in commands { try await sender.post(command) }

        #expect(try await receiver.consumeCommands() == commands)
        #expect(try await receiver.consumeCommands() == [])
    }

    @Test func `A command is removed after it was performed, and remains with the later ones after an error`() async throws {
        let folder = try StoreFolder("transfers")
        let (journal, reader) = (try SQLiteTransferJournal(at: folder.file), try DatabaseQueue(path: folder.file.path))
        let id = try record("aaaaaaaa").id
        for kind in [TransferCommand.Kind.cancel, .pause, .resume] { try await journal.post(TransferCommand(kind, id)) }
        var (performed, counts): ([TransferCommand.Kind], [Int?]) = ([], [])

        do {
            try await journal.performCommands { command in
                guard command.kind != .pause else { throw CancellationError() }
                performed.append(command.kind)
                counts.append(try await reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM wishes") })
            }
            Issue.record("no error")
        } catch is CancellationError {}

        #expect(performed == [.cancel] && counts == [3])
        #expect(try await journal.consumeCommands().map(\.kind) == [.pause, .resume])
        try reader.close()
    }

    @Test func `A released journal checkpoints its log into the file`() async throws {
        let folder = try StoreFolder("transfers")
        do {
            let journal = try SQLiteTransferJournal(at: folder.file)
            try await journal.save(record("aaaaaaaa"))
            _ = try await journal.records()
            withExtendedLifetime(journal) { #expect(folder.logSize ?? 0 > 0) }
        }

        #expect(folder.logSize ?? 0 == 0)
    }

    // MARK: Relative paths

    @Test func `Files below the base folder are found after it was moved`() async throws {
        let folder = try StoreFolder("transfers")
        let (old, new) = (folder.url.appending(path: "Container 1"), folder.url.appending(path: "Container 2"))
        let names = ["Documents/a file 100%.bin", "b.bin"]
        try FileManager.default.createDirectory(at: old.appending(path: "Documents"), withIntermediateDirectories: true)
        let journal = try SQLiteTransferJournal(at: folder.file, relativeTo: old)
        for (name, id) in zip(names, ["aaaaaaaa", "bbbbbbbb"]) {
            let file = old.appending(path: name)
            try Data().write(to: file)
            try await journal.save(record(id, of: file))
        }
        try journal.close()
        try FileManager.default.moveItem(at: old, to: new)

        let next = try SQLiteTransferJournal(at: folder.file, relativeTo: new)

        let files = try await next.records().map(\.file)
        #expect(files == names.map { new.appending(path: $0, directoryHint: .notDirectory) })
        #expect(files.allSatisfy { FileManager.default.fileExists(atPath: $0.path) })
        #expect(try await next.record(of: record("bbbbbbbb").id)?.file == files.last)
    }

    @Test func `A journal without a base folder leaves relative paths alone`() async throws {
        let folder = try StoreFolder("transfers")
        let base = URL(filePath: "/base", directoryHint: .isDirectory)
        let saved = try record("aaaaaaaa", of: base.appending(path: "a", directoryHint: .notDirectory))
        let journal = try SQLiteTransferJournal(at: folder.file, relativeTo: base)
        try await journal.save(saved)
        try journal.close()

        let other = try SQLiteTransferJournal(at: folder.file)

        #expect(try await other.records() == [] && other.corruptCount == 0)
        #expect(try await other.record(of: saved.id) == nil)
        try other.close()
        #expect(try await SQLiteTransferJournal(at: folder.file, relativeTo: base).records() == [saved])
    }

    @Test func `A base folder behind a symbolic link has two paths`() async throws {
        let folder = try StoreFolder("transfers")
        let (target, link) = (folder.url.appending(path: "target"), folder.url.appending(path: "link"))
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: false)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: target)
        let path = try #require(realpath(link.path, nil))
        defer { free(path) }
        let resolved = URL(filePath: String(cString: path), directoryHint: .isDirectory)

        let journal = try SQLiteTransferJournal(at: folder.file, relativeTo: link)
        try await journal.save(record("aaaaaaaa", of: link.appending(path: "a")))
        try await journal.save(record("bbbbbbbb", of: resolved.appending(path: "b")))

        #expect(try await storedPaths(in: folder) == ["a", "b"])
        #expect(try await journal.records().map(\.file) == [link.appending(path: "a"), link.appending(path: "b")])
    }

    @Test(arguments: ["/base-2/a", "/base", "/a", "/base/../a", "/base/b/.."])
    func `A file outside of the base folder has an absolute path`(path: String) async throws {
        let folder = try StoreFolder("transfers")
        let journal = try SQLiteTransferJournal(at: folder.file, relativeTo: URL(filePath: "/base", directoryHint: .isDirectory))
        let saved = try record("aaaaaaaa", of: URL(filePath: path, directoryHint: .notDirectory))

        try await journal.save(saved)

        #expect(try await storedPaths(in: folder) == [saved.file.path(percentEncoded: false)])
        #expect(try await journal.records() == [saved])
    }

    @Test func `Absolute paths of an earlier release are read with a base folder`() async throws {
        let folder = try StoreFolder("transfers")
        let base = URL(filePath: "/home/jane", directoryHint: .isDirectory)
        let saved = try record("aaaaaaaa")
        let journal = try SQLiteTransferJournal(at: folder.file)
        try await journal.save(saved)
        try journal.close()

        let next = try SQLiteTransferJournal(at: folder.file, relativeTo: base)

        #expect(try await next.records() == [saved])
        #expect(try await storedPaths(in: folder) == [saved.file.path])
        try await next.save(saved)
        #expect(try await next.records() == [saved])
        #expect(try await storedPaths(in: folder) == ["a file 100%.bin"])
    }

    /// Returns the paths in the rows of the journal in a folder.
    private func storedPaths(in folder: StoreFolder) async throws -> [String] {
        let queue = try DatabaseQueue(path: folder.file.path)
        return try await queue.read { try String.fetchAll($0, sql: "SELECT file FROM transfers ORDER BY position") }
    }

    // MARK: Ownership

    @Test func `A journal has one owner at a time across connections`() throws {
        let folder = try StoreFolder("transfers")
        let (one, other) = (try SQLiteTransferJournal(at: folder.file), try SQLiteTransferJournal(at: folder.file))
        let link = folder.url.appending(path: "link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: folder.file)
        let linked = try SQLiteTransferJournal(at: link)

        let ownership = try one.acquireOwnership()

        for journal in [one, other, linked] {
            #expect { try journal.acquireOwnership() } throws: { error in
                if case TransferError.journalInUse(by: getpid()) = error { true } else { false }
            }
        }
        ownership.release()
        #expect(throws: Never.self) { try linked.acquireOwnership() }
        #expect(throws: Never.self) { try other.acquireOwnership() }
    }

    @Test func `Journals whose names differ in their extension have separate owners`() throws {
        let folder = try StoreFolder("transfers")
        let (one, other) = (
            try SQLiteTransferJournal(at: folder.file), try SQLiteTransferJournal(at: folder.url.appending(path: "transfers.db"))
        )

        let ownership = try one.acquireOwnership()

        #expect(throws: Never.self) { try other.acquireOwnership() }
        ownership.release()
    }

    @Test func `A lock file that cannot be created throws an error`() throws {
        let folder = try StoreFolder("transfers")
        let journal = try SQLiteTransferJournal(at: folder.file)
        try FileManager.default.createDirectory(at: folder.url.appending(path: "transfers.sqlite.lock"), withIntermediateDirectories: false)

        #expect(throws: SQLiteJournalError.self) { try journal.acquireOwnership() }
    }

    @Test func `A journal of the previous schema is migrated with its transfers`() async throws {
        let folder = try StoreFolder("transfers")
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { try $0.execute(sql: Self.firstSchema) }
        try queue.close()

        let journal = try SQLiteTransferJournal(at: folder.file)

        let records = try await journal.records()
        #expect(records.map(\.id.rawValue) == ["aaaaaaaa"] && records.first?.completed == 5 && records.first?.knownDigest == nil)
    }

    /// The first schema, without digests of callers, with one transfer.
    private static let firstSchema = """
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES ('transfers');
        CREATE TABLE transfers (
            position INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, direction TEXT NOT NULL, remote TEXT NOT NULL, file TEXT NOT NULL,
            status TEXT NOT NULL, completed INTEGER NOT NULL, total INTEGER, isResumable INTEGER, reason TEXT, replaces INTEGER NOT NULL,
            boot TEXT, version TEXT, digest TEXT, resource TEXT, sourceSize INTEGER, sourceModified INTEGER, created REAL NOT NULL
        ) STRICT;
        CREATE TABLE wishes (position INTEGER PRIMARY KEY, kind TEXT NOT NULL, transfer TEXT NOT NULL, url TEXT) STRICT;
        INSERT INTO transfers (id, direction, remote, file, status, completed, replaces, created)
        VALUES ('aaaaaaaa', 'download', 'https://a.example/b', '/b', 'paused', 5, 0, 1000000000);
        """

    @Test func `A row with the checksum of an earlier release is valid`() async throws {
        let folder = try StoreFolder("transfers")
        try SQLiteTransferJournal(at: folder.file).close()
        let queue = try DatabaseQueue(path: folder.file.path)
        try await queue.write { try $0.execute(sql: Self.rowWithChecksum) }
        try queue.close()

        let journal = try SQLiteTransferJournal(at: folder.file)

        #expect(journal.corruptCount == 0)
        #expect(try await journal.records().map(\.reason) == ["because"])
    }

    /// A row with a value in every column, so that the checksum depends on the order of all columns.
    private static let rowWithChecksum = """
        INSERT INTO transfers (
            id, direction, remote, file, status, completed, total, isResumable, reason, replaces, boot, version, digest, knownDigest,
            resource, sourceSize, sourceModified, created, checksum
        ) VALUES (
            'aaaaaaaa', 'download', 'https://a.example/b', '/b', 'paused', 5, 9, 1, 'because', 0, 'boot', '"tag"', 'sha-256=:AA==:',
            'sha-512=:AQL/:', 'https://a.example/parts/7', 8, 1000000000123456789, 1000000000.25, -5112105112682474346
        );
        """

    @Test func `Commits are synchronous`() async throws {
        let folder = try StoreFolder("transfers")
        let journal = try SQLiteTransferJournal(at: folder.file)

        #expect(try journal.synchronous == 2)
    }
}
