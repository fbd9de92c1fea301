import Foundation
import TemporaryFolders
import Testing

@testable import LadingCommand

@Suite struct ConfidentialArgumentTests {
    @Test func `An argument without a secret is used as it is, and after @ the text of a file`() async throws {
        try await withTemporaryFolder { folder in
            let (file, url) = (folder.appending(path: "tiles"), "https://example.org/{z}/{x}/{y}.png?key=secret")
            try Data("\n\(url)\n".utf8).write(to: file)

            #expect(try ConfidentialArgument.text(of: "https://example.org/?page=1") == "https://example.org/?page=1")
            #expect(try ConfidentialArgument.text(of: "@\(file.path)") == url)
        }
    }

    @Test func `An empty file is a usage error, as is a pipe that was read before`() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appending(path: "tiles")
            try Data(" \n".utf8).write(to: file)

            #expect(throws: (any Error).self) { try ConfidentialArgument.text(of: "@\(file.path)") }
        }
    }

    @Test(arguments: ["https://example.org/?page=1&api_key=k", "https://me:word@example.org/", "@/nowhere/file", "@"])
    func `An argument with a secret, and a file that cannot be read, are usage errors`(argument: String) {
        #expect(throws: (any Error).self) { try ConfidentialArgument.text(of: argument) }
    }
}
