import Foundation
import TemporaryFolders
import Testing

@testable import Origin

@Suite("Upload folder")
struct UploadFolderTests {
    private let directory: TemporaryFolder

    init() throws {
        directory = try TemporaryFolder()
    }

    private var names: Set<String> {
        Set((try? FileManager.default.contentsOfDirectory(atPath: directory.url.path)) ?? [])
    }

    @Test func `The folder is removed when it is released`() throws {
        do {
            let folder = try UploadFolder(in: directory.url)
            #expect(names == [folder.url.lastPathComponent])
        }

        #expect(names.isEmpty)
    }

    @Test func `Folders of killed processes are removed at the next start and folders in use stay`() throws {
        let left = directory.url.appending(path: "lading-uploads-left")
        try FileManager.default.createDirectory(at: left, withIntermediateDirectories: false)
        try Data("1\n".utf8).write(to: left.appending(path: "origin.lock"))
        let other = directory.url.appending(path: "lading-uploads-other")
        try FileManager.default.createDirectory(at: other, withIntermediateDirectories: false)
        let first = try UploadFolder(in: directory.url)

        let second = try UploadFolder(in: directory.url)

        #expect(names == [first.url.lastPathComponent, second.url.lastPathComponent, "lading-uploads-other"])
        second.remove()
        #expect(names == [first.url.lastPathComponent, "lading-uploads-other"])
    }
}
