import Foundation
import NIOCore
import Testing

@testable import Origin

@Suite("Uploads on disk")
struct UploadStoreTests {
    private let directory: TemporaryDirectory
    private let name = UploadName("file")!

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func store(boot: String? = "boot", at date: Date = dateOfCity) throws -> UploadStore {
        try UploadStore(in: directory.url, sizeLimit: 1_000, boot: boot, now: { date })
    }

    private func names(_ folder: String) -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.url.appending(path: folder).path)) ?? []).sorted()
    }

    @Test func `After a new start of the machine what was synced is there`() throws {
        let first = try store()
        let record = try #require(try first.create(name, length: nil))
        let file = try first.open(record)
        try file.append(ByteBuffer(string: "abc"))
        try first.claim(record, file, upTo: 3)
        try file.append(ByteBuffer(string: "def"))

        let next = try store(boot: "another")

        #expect(try next.offset(of: #require(next[record.id])) == 3)
    }

    @Test func `A kill loses nothing that was written`() throws {
        let first = try store()
        let record = try #require(try first.create(name, length: nil))
        try first.open(record).append(ByteBuffer(string: "abcdef"))

        let next = try store()

        #expect(try next.offset(of: #require(next[record.id])) == 6)
    }

    @Test func `What nobody finishes in a week is removed`() throws {
        let first = try store()
        let record = try #require(try first.create(name, length: nil))
        let week = dateOfCity.addingTimeInterval(UploadStore.age)

        #expect(try store(at: week.addingTimeInterval(-1))[record.id] != nil)
        #expect(try store(at: week)[record.id] == nil)
        #expect(names("parts") == [])
    }

    @Test func `Bytes of which nothing is known are removed, and a broken record with them`() throws {
        _ = try store()
        let parts = directory.url.appending(path: "parts")
        let id = UploadRecord.makeID()
        for (name, text) in [("\(id).part", "abc"), ("\(id).json", "{"), ("stray", "x"), ("\(id).new", "{}")] {
            try Data(text.utf8).write(to: parts.appending(path: name))
        }

        _ = try store()

        #expect(names("parts") == [])
    }

    @Test func `There is room for so many uploads at once`() throws {
        let store = try UploadStore(in: directory.url, sizeLimit: 1_000, uploadLimit: 3, boot: nil, now: { dateOfCity })
        for _ in 0..<3 { #expect(try store.create(name, length: nil) != nil) }

        #expect(try store.create(name, length: nil) == nil)
    }

    @Test func `A temporary directory goes with its store`() throws {
        let folder = directory.url.appending(path: "temporary")
        do {
            let store = try UploadStore(in: folder, isTemporary: true, sizeLimit: 10, boot: nil, now: { dateOfCity })
            #expect(FileManager.default.fileExists(atPath: folder.path) && store.sizeLimit == 10)
        }

        #expect(!FileManager.default.fileExists(atPath: folder.path))
    }

    @Test func `A link in place of a file is not followed`() throws {
        let store = try store()
        let files = directory.url.appending(path: "files")
        try FileManager.default.createSymbolicLink(at: files.appending(path: "file"), withDestinationURL: URL(filePath: "/etc/hostname"))

        #expect(store.file(name) == nil)
    }
}
