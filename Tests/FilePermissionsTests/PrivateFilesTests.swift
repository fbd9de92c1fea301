import Foundation
import Testing

@testable import FilePermissions

@Suite final class PrivateFilesTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "private-files-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private func mode(_ name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[.posixPermissions] as? Int
    }

    @Test func `A new directory is private, with the missing ones above it`() throws {
        try PrivateFiles.createDirectory(folder.appending(path: "a/b"))

        #expect(try mode("a") == 0o700 && mode("a/b") == 0o700)
        #expect(try mode("") == 0o755)
    }

    @Test func `A new file is private, and one that exists preserves its permissions`() throws {
        let (new, old) = (folder.appending(path: "new"), folder.appending(path: "old"))
        try Data("before".utf8).write(to: old)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: old.path)

        try PrivateFiles.write(Data("text".utf8), to: new)
        try PrivateFiles.write(Data("text".utf8), to: old)

        #expect(try mode("new") == 0o600 && mode("old") == 0o640)
        #expect(try String(contentsOf: new, encoding: .utf8) == "text" && String(contentsOf: old, encoding: .utf8) == "text")
    }

    @Test func `Permissions of others are removed from a directory and its contents, without following links`() throws {
        let outside = folder.appending(path: "outside")
        try Data().write(to: outside)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: outside.path)
        let shared = folder.appending(path: "shared")
        try FileManager.default.createDirectory(
            at: shared.appending(path: "inner"), withIntermediateDirectories: true, attributes: [.posixPermissions: 0o755])
        try Data().write(to: shared.appending(path: "inner/file"))
        try FileManager.default.setAttributes([.posixPermissions: 0o664], ofItemAtPath: shared.appending(path: "inner/file").path)
        try FileManager.default.createSymbolicLink(at: shared.appending(path: "link"), withDestinationURL: outside)

        try PrivateFiles.makeAllPrivate(in: shared)

        #expect(try mode("shared") == 0o700 && mode("shared/inner") == 0o700 && mode("shared/inner/file") == 0o600)
        #expect(try mode("outside") == 0o644)
        #expect(!PrivateFiles.isShared(shared))
    }
}
