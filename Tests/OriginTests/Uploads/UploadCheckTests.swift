import FileChecksums
import Foundation
import NIOCore
import TemporaryFolders
import Testing

@testable import Origin

/// Checksums of complete uploads, and their verification.
@Suite struct UploadCheckTests {
    private let directory: TemporaryFolder
    private let store: UploadStore

    init() throws {
        directory = try TemporaryFolder()
        store = try Self.open(directory)
    }

    private static func open(_ directory: TemporaryFolder) throws -> UploadStore {
        try UploadStore(in: directory.url, sizeLimit: 1_000, bootID: "boot", now: { demoDate })
    }

    private func upload(_ text: String, as name: String) throws {
        let record = try store.create(try #require(UploadName(name)), length: nil)
        try store.open(record).append(ByteBuffer(string: text))
        #expect(try store.publish(record, length: text.utf8.count) != nil)
    }

    private func file(_ name: String) -> URL { directory.url.appending(path: "files/\(name)", directoryHint: .notDirectory) }

    private var report: UploadCheck.Report { UploadCheck.report(on: directory.url) }

    @Test func `Uploaded and replaced files match their checksums, whatever their names`() throws {
        for (name, text) in [("a", "first"), ("a-sum", "second"), ("a-wal", "third"), ("a", "another")] { try upload(text, as: name) }

        #expect(report == UploadCheck.Report())
        #expect(try ChecksumFile(ofImmutable: file("a")).isValid() == true)
    }

    @Test func `A changed file is reported with its name`() throws {
        try upload("abc", as: "a")
        try upload("def", as: "b")

        try Data("abd".utf8).write(to: file("a"))

        #expect(report == UploadCheck.Report(problems: ["checksum mismatch of a"]))
    }

    @Test func `A file without a checksum, or with an incomplete one, is not verified`() throws {
        try upload("abc", as: "a")
        try Data("abc".utf8).write(to: file("b"))
        try Data().write(to: file(".a-sum"))

        #expect(report == UploadCheck.Report(unverifiedCount: 2))
    }

    @Test func `A file that the next start publishes gets its checksum`() throws {
        try upload("abc", as: "file")
        var record = try store.create(try #require(UploadName("file")), length: nil)
        try store.open(record).append(ByteBuffer(string: "defg"))
        (record.isComplete, record.length, record.syncedLength) = (true, 4, 4)
        try JSONEncoder().encode(record).write(to: directory.url.appending(path: "parts/\(record.id).json"))

        _ = try Self.open(directory)

        #expect(try Data(contentsOf: file("file")) == Data("defg".utf8))
        #expect(report == UploadCheck.Report())
    }

    @Test func `Damaged metadata of an upload is reported`() throws {
        let record = try store.create(try #require(UploadName("a")), length: 3)

        try Data("{".utf8).write(to: directory.url.appending(path: "parts/\(record.id).json"))

        #expect(report == UploadCheck.Report(problems: ["incomplete uploads with damaged metadata: 1"]))
    }

    @Test func `A directory without uploads has no problems`() throws {
        #expect(UploadCheck.report(on: directory.url.appending(path: "none")) == UploadCheck.Report())
    }
}
