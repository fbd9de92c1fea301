import Foundation
import HTTPTypes
import NIOCore
import ServerStartup
import Synchronization
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Uploads on disk")
struct UploadStoreTests {
    private let directory: TemporaryFolder
    private let name = UploadName("file")!

    init() throws {
        directory = try TemporaryFolder()
    }

    private func store(boot: String? = "boot", at date: Date = demoDate) throws -> UploadStore {
        try UploadStore(in: directory.url, sizeLimit: 1_000, bootID: boot, now: { date })
    }

    /// A clock that a test advances by seconds.
    private final class TestTime: Sendable {
        private let seconds = Mutex(0.0)

        var now: Date { demoDate.addingTimeInterval(seconds.withLock { $0 }) }

        func advance(by time: Double = 1) { seconds.withLock { $0 += time } }
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: folder).path)) ?? []).sorted()
    }

    @Test func `After a reboot the synced bytes remain`() throws {
        let first = try store()
        let record = try first.create(name, length: nil)
        let file = try first.open(record)
        try file.append(ByteBuffer(string: "abc"))
        try first.checkpoint(record, file, upTo: 3)
        try file.append(ByteBuffer(string: "def"))

        let next = try store(boot: "another")

        #expect(try next.offset(of: #require(next[record.id])) == 3)
    }

    @Test func `A kill loses nothing that was written`() throws {
        let first = try store()
        let record = try first.create(name, length: nil)
        try first.open(record).append(ByteBuffer(string: "abcdef"))

        let next = try store()

        #expect(try next.offset(of: #require(next[record.id])) == 6)
    }

    @Test func `An unfinished upload is removed after a week`() throws {
        let first = try store()
        let record = try first.create(name, length: nil)
        try first.open(record).append(ByteBuffer(string: "a"))
        let week = demoDate.addingTimeInterval(UploadRecord.lifetime)

        #expect(try store(at: week.addingTimeInterval(-1))[record.id] != nil)
        #expect(try store(at: week)[record.id] == nil)
        #expect(names("parts") == [])
    }

    @Test func `An empty upload is removed after minutes and frees its slot`() throws {
        let time = TestTime()
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: UploadLimits(total: 2), bootID: "boot", now: { time.now })
        let begun = try store.create(name, length: nil)
        try store.append(ByteBuffer(string: "a"), to: store.open(begun), of: begun)
        let empty = try store.create(name, length: nil)

        time.advance(by: UploadRecord.emptyLifetime - 1)
        #expect(throws: UploadProblem.tooManyUploads) { try store.create(name, length: nil) }
        time.advance()
        let next = try store.create(name, length: nil)

        #expect(store[empty.id] == nil && store[begun.id] != nil && store[next.id] != nil)
        #expect(store.remainingLifetime(of: next, isEmpty: true) == Int(UploadRecord.emptyLifetime))
    }

    // MARK: - Uploads that end while their bytes arrive

    @Test func `Bytes of an upload that expired meanwhile are refused and occupy no space`() async throws {
        let time = TestTime()
        let limits = UploadLimits(space: UploadLimits.overhead + 100)
        let storage = DiskUploadStorage(
            store: try UploadStore(in: directory.url, sizeLimit: 1_000, limits: limits, bootID: "boot", now: { time.now }))
        let late = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        let writer = try await storage.writer(for: late, at: 0)

        time.advance(by: UploadRecord.emptyLifetime)
        let other = try await storage.create(name, length: 100, preconditions: nil, for: nil)

        await #expect(throws: UploadProblem.removed) { try await writer.append(ByteBuffer(repeating: 65, count: 50)) }
        await #expect(throws: UploadProblem.removed) { try await writer.checkpoint() }
        await #expect(throws: UploadProblem.removed) { try await storage.publish(late, length: 50) }
        #expect(names("parts") == ["\(other.id).json", "\(other.id).part"])
        try await storage.writer(for: other, at: 0).append(ByteBuffer(repeating: 65, count: 100))
    }

    @Test func `A request that begins to send bytes prolongs the life of an empty upload`() async throws {
        let time = TestTime()
        let storage = DiskUploadStorage(store: try UploadStore(in: directory.url, sizeLimit: 1_000, bootID: "boot", now: { time.now }))
        let slow = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        time.advance(by: UploadRecord.emptyLifetime - 1)
        let writer = try await storage.writer(for: slow, at: 0)

        time.advance(by: UploadRecord.emptyLifetime - 1)
        _ = try await storage.create(name, length: nil, preconditions: nil, for: nil)

        try await writer.append(ByteBuffer(string: "abc"))
        try await writer.checkpoint()
        #expect(try await storage.offset(of: slow) == 3)
    }

    @Test func `Requests without bytes prolong the life of an empty upload by minutes only`() async throws {
        let time = TestTime()
        let storage = DiskUploadStorage(store: try UploadStore(in: directory.url, sizeLimit: 1_000, bootID: "boot", now: { time.now }))
        let idle = try await storage.create(name, length: nil, preconditions: nil, for: nil)
        for _ in 0..<Int(UploadRecord.maxEmptyLifetime / 100) {
            _ = try await storage.writer(for: idle, at: 0)
            time.advance(by: 100)
        }

        _ = try await storage.create(name, length: nil, preconditions: nil, for: nil)

        await #expect(throws: UploadProblem.removed) { _ = try await storage.writer(for: idle, at: 0) }
    }

    @Test func `An upload at the end of its life refuses further bytes, and its space is released`() throws {
        let time = TestTime()
        let limits = UploadLimits(space: UploadLimits.overhead + 10)
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: limits, bootID: "boot", now: { time.now })
        let old = try store.create(name, length: nil)
        let file = try store.openForAppending(old)
        try store.append(ByteBuffer(string: "abc"), to: file, of: old)

        time.advance(by: UploadRecord.lifetime)
        let next = try store.create(name, length: 10)

        #expect(throws: UploadProblem.removed) { try store.append(ByteBuffer(string: "def"), to: file, of: old) }
        #expect(throws: UploadProblem.removed) { try store.checkpoint(old, file, upTo: 6) }
        #expect(names("parts") == ["\(next.id).json", "\(next.id).part"])
    }

    @Test func `Idle uploads make room for those of other clients`() throws {
        let time = TestTime()
        let limits = UploadLimits(total: 20, perClient: 5)
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: limits, bootID: "boot", now: { time.now })
        for client in 1...4 {
            for _ in 1...5 {
                let record = try store.create(name, length: nil, for: ClientAddress("192.0.2.\(client)"))
                try store.append(ByteBuffer(string: "a"), to: store.open(record), of: record)
            }
        }
        let client = try #require(ClientAddress("192.0.2.5"))
        #expect(throws: UploadProblem.tooManyUploads) { try store.create(name, length: nil, for: client) }

        time.advance(by: 3_600)
        let record = try store.create(name, length: nil, for: client)

        #expect(store[record.id] != nil)
        #expect(names("parts").count { $0.hasSuffix(".part") } == 20)
    }

    // MARK: - Damage

    @Test func `Bytes without a record and damaged records are removed`() throws {
        _ = try store()
        let parts = directory.url.appending(path: "parts")
        let id = UploadRecord.makeID()
        for (name, text) in [("\(id).part", "abc"), ("\(id).json", "{"), ("stray", "x"), ("\(id).new", "{}")] {
            try Data(text.utf8).write(to: parts.appending(path: name))
        }

        _ = try store()

        #expect(names("parts") == [])
    }

    @Test func `An unreadable record is preserved with its bytes`() throws {
        let record = try store().create(name, length: 3)
        let file = directory.url.appending(path: "parts/\(record.id).json")
        let data = try Data(contentsOf: file)
        try FileManager.default.removeItem(at: file)
        try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)

        #expect(try store()[record.id] == nil)
        #expect(names("parts") == ["\(record.id).json", "\(record.id).part"])

        try FileManager.default.removeItem(at: file)
        try data.write(to: file)
        #expect(try store()[record.id] != nil)
    }

    @Test(arguments: [("safe", "-1"), ("length", "-1"), ("created", "1e300"), ("name", "\"../file\"")])
    func `An implausible record is removed`(key: String, value: String) throws {
        let record = try store().create(name, length: 3)
        let file = directory.url.appending(path: "parts/\(record.id).json")
        var members = try #require(try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
        members[key] = try JSONSerialization.jsonObject(with: Data(value.utf8), options: .fragmentsAllowed)
        try JSONSerialization.data(withJSONObject: members).write(to: file)

        #expect(try store()[record.id] == nil)
        #expect(names("parts") == [])
    }

    @Test func `The number of active uploads is limited`() throws {
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: UploadLimits(total: 3), bootID: nil, now: { demoDate })
        for _ in 0..<3 { _ = try store.create(name, length: nil) }

        #expect(throws: UploadProblem.tooManyUploads) { try store.create(name, length: nil) }
    }

    @Test func `Stored files and parts occupy space after a restart, and a replaced file frees its own`() throws {
        let limits = UploadLimits(space: 3 * UploadLimits.overhead + 1_200)
        func store() throws -> UploadStore {
            try UploadStore(in: directory.url, sizeLimit: 1_000, limits: limits, bootID: "boot", now: { demoDate })
        }
        func upload(_ count: Int, as name: UploadName, in store: UploadStore, isComplete: Bool = true) throws {
            let record = try store.create(name, length: count)
            try store.append(ByteBuffer(repeating: 65, count: count), to: store.open(record), of: record)
            if isComplete { _ = try store.publish(record, length: count) }
        }
        let first = try store()
        try upload(600, as: name, in: first)
        try upload(500, as: name, in: first)
        try upload(100, as: name, in: first, isComplete: false)

        let next = try store()

        #expect(throws: UploadProblem.noSpace(limit: limits.space)) { try upload(601, as: name, in: next) }
        try upload(600, as: name, in: next)
        #expect(throws: Never.self) { try upload(500, as: name, in: next) }
    }

    @Test func `Complete uploads do not count as active`() throws {
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: UploadLimits(total: 1), bootID: nil, now: { demoDate })
        let record = try store.create(name, length: nil)

        _ = try store.publish(record, length: 0)

        #expect(store[record.id]?.isComplete == true)
        #expect(throws: Never.self) { try store.create(name, length: nil) }
    }

    @Test func `The upload that completed first is removed first`() throws {
        let time = TestTime()
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, completeLimit: 1, bootID: nil, now: { time.now })
        let records = try (0..<2).map { _ in try store.create(name, length: nil) }

        for record in records.reversed() {
            time.advance()
            _ = try store.publish(record, length: 0)
        }

        #expect(store[records[0].id] != nil && store[records[1].id] == nil)
        #expect(names("parts") == ["\(records[0].id).json"])
    }

    @Test func `A failed creation frees its slot`() throws {
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, limits: UploadLimits(total: 1), bootID: nil, now: { demoDate })
        let parts = directory.url.appending(path: "parts")
        try FileManager.default.removeItem(at: parts)
        try Data().write(to: parts)
        #expect(throws: (any Error).self) { try store.create(name, length: nil) }

        try FileManager.default.removeItem(at: parts)

        #expect(throws: Never.self) { try store.create(name, length: nil) }
    }

    @Test func `A complete upload that was not published is published at the next start`() throws {
        let first = try store()
        var record = try first.create(name, length: nil)
        try first.open(record).append(ByteBuffer(string: "abc"))
        (record.isComplete, record.length, record.syncedLength) = (true, 3, 3)
        try JSONEncoder().encode(record).write(to: directory.url.appending(path: "parts/\(record.id).json"))

        let next = try store()

        #expect(try next.file(name)?.length == 3)
        #expect(try next.offset(of: #require(next[record.id])) == 3)
        #expect(names("parts") == ["\(record.id).json"])
    }

    @Test func `An upload without its part file is an error and is not created`() throws {
        let first = try store()
        let record = try first.create(name, length: nil)
        try FileManager.default.removeItem(at: directory.url.appending(path: "parts/\(record.id).part"))

        #expect(throws: POSIXError.self) { try first.offset(of: record) }

        #expect(names("parts") == ["\(record.id).json"])
        #expect(try store()[record.id] == nil)
    }

    @Test func `Publishing reports whether it replaced a file and respects preconditions`() throws {
        let store = try store()
        let preconditionFields: [HTTPFields] = [[:], [:], [.ifNoneMatch: "*"]]
        let records = try preconditionFields.map { fields in
            try store.create(name, length: nil, preconditions: Preconditions(fields))
        }

        let results = try records.map { try store.publish($0, length: 0) }

        #expect(results == [false, true, nil])
        #expect(store[records[2].id]?.isComplete == false)
    }

    @Test func `A temporary directory is removed with its store`() throws {
        let folder = try UploadFolder(in: directory.url)
        do {
            let store = try UploadStore(in: folder.url, temporaryFolder: folder, sizeLimit: 10, bootID: nil, now: { demoDate })
            #expect(FileManager.default.fileExists(atPath: folder.url.path) && store.sizeLimit == 10)
        }

        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    @Test func `A symbolic link in place of a file is not followed`() throws {
        let store = try store()
        let files = directory.url.appending(path: "files")
        try FileManager.default.createSymbolicLink(at: files.appending(path: "file"), withDestinationURL: URL(filePath: "/etc/hostname"))

        #expect(try store.file(name) == nil)
    }

    @Test func `A file that cannot be opened is an error`() throws {
        let store = try store()
        let files = directory.url.appending(path: "files")
        try FileManager.default.removeItem(at: files)
        try Data().write(to: files)

        #expect(throws: POSIXError.self) { try store.file(name) }
    }
}
