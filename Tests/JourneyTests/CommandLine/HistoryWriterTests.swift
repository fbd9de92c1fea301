import Foundation
import TemporaryFolders
import Testing

@testable import LadingCommand

/// Files of the histories of simulations.
@Suite struct HistoryWriterTests {
    @Test func `A pipe stays a pipe`() async throws {
        try await withTemporaryFolder { folder in
            let pipe = folder.appending(path: "pipe").path
            #expect(mkfifo(pipe, 0o600) == 0)
            let reader = FileHandle(fileDescriptor: open(pipe, O_RDONLY | O_NONBLOCK), closeOnDealloc: true)

            try HistoryWriter(pipe).close()

            let attributes = try FileManager.default.attributesOfItem(atPath: pipe)
            #expect(attributes[.type] as? FileAttributeType != .typeRegular)
            try reader.close()
        }
    }

    @Test func `The content of an earlier file is removed, and a folder is refused`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "history.jsonl")
            try Data("earlier".utf8).write(to: file)

            try HistoryWriter(file.path).close()
            let failure = #expect(throws: ProgramFailure.self) { try HistoryWriter(folder.path) }

            #expect(try Data(contentsOf: file).isEmpty)
            #expect(failure?.message == "cannot write \(folder.path): Is a directory")
        }
    }
}
