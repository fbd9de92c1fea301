import Foundation
import TemporaryFolders
import Testing

@testable import LadingCommand

/// Files that get their names when they are complete.
@Suite struct PartFileWriterTests {
    private struct ContentFailure: Error {}

    private func text(of file: URL) throws -> String { try String(contentsOf: file, encoding: .utf8) }

    private func names(in folder: URL) throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.path) }

    @Test func `A file is private, and replaces an earlier one when it is complete`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "orders.csv")
            try Data("earlier".utf8).write(to: file)

            let textBefore = try await PartFileWriter.write(file, creationFailure: "") { part in
                try part.write(Array("later".utf8))
                return try text(of: file)
            }

            let mode = try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
            #expect(textBefore == "earlier" && mode == 0o600)
            #expect(try text(of: file) == "later" && names(in: folder) == ["orders.csv"])
        }
    }

    @Test func `A file whose content fails leaves nothing, and an earlier one as it was`() async throws {
        try await withTemporaryFolder { folder in
            let (new, old) = (folder.appending(path: "new.csv"), folder.appending(path: "old.csv"))
            try Data("earlier".utf8).write(to: old)

            for file in [new, old] {
                await #expect(throws: ContentFailure.self) {
                    try await PartFileWriter.write(file, creationFailure: "") { part in
                        try part.write(Array("later".utf8))
                        throw ContentFailure()
                    }
                }
            }

            #expect(try text(of: old) == "earlier" && names(in: folder) == ["old.csv"])
        }
    }

    @Test func `A link stays, and the file that it leads to is replaced`() async throws {
        try await withTemporaryFolder { folder in
            let (file, link) = (folder.appending(path: "orders.csv"), folder.appending(path: "link"))
            try Data("earlier".utf8).write(to: file)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "orders.csv")

            let textBefore = try await PartFileWriter.write(link, creationFailure: "") { part in
                try part.write(Array("later".utf8))
                return try text(of: file)
            }

            #expect(textBefore == "earlier")
            #expect(try text(of: file) == "later" && names(in: folder).sorted() == ["link", "orders.csv"])
            #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "orders.csv")
        }
    }

    @Test func `A link that leads to nothing gets its file`() async throws {
        try await withTemporaryFolder { folder in
            let (file, link) = (folder.appending(path: "orders.csv"), folder.appending(path: "link"))
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "orders.csv")

            try await PartFileWriter.write(link, creationFailure: "") { try $0.write(Array("text".utf8)) }

            #expect(try text(of: file) == "text" && FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "orders.csv")
        }
    }

    @Test(arguments: ["pipe", "link"]) func `A pipe is written as it is, also behind a link`(name: String) async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe")
            #expect(mkfifo(pipe.path, 0o600) == 0)
            try FileManager.default.createSymbolicLink(atPath: folder.path + "/link", withDestinationPath: "pipe")
            let reader = FileHandle(fileDescriptor: open(pipe.path, O_RDONLY | O_NONBLOCK), closeOnDealloc: true)

            try await PartFileWriter.write(folder.appending(path: name), creationFailure: "") { try $0.write(Array("text".utf8)) }

            let attributes = try FileManager.default.attributesOfItem(atPath: pipe.path)
            #expect(attributes[.type] as? FileAttributeType != .typeRegular)
            #expect(try reader.readToEnd() == Data("text".utf8) && names(in: folder).sorted() == ["link", "pipe"])
        }
    }

    @Test func `A folder is not replaced, and nothing is left beside it`() async throws {
        try await withTemporaryFolder { folder in
            let target = folder.appending(path: "folder")
            try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)

            let failure = await #expect(throws: ProgramFailure.self) {
                try await PartFileWriter.write(target, creationFailure: "") { try $0.write(Array("text".utf8)) }
            }

            #expect(failure?.message?.hasPrefix("cannot write \(target.path): ") == true)
            #expect(try names(in: folder) == ["folder"])
        }
    }

    @Test func `A part file that cannot be created fails with the message of the caller`() async throws {
        try await withTemporaryFolder { folder in
            let failure = await #expect(throws: ProgramFailure.self) {
                try await PartFileWriter.write(folder.appending(path: "missing/orders.csv"), creationFailure: "no folder") { _ in }
            }

            #expect(failure?.message == "no folder")
        }
    }
}
