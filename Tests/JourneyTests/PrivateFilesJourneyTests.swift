import Foundation
import HTTPTypes
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// The permissions of stored files.
    @Suite struct PrivateFilesJourneyTests {
        private let documents = ["/d": "[{\"id\":1,\"description\":\"a\"}]", "/list.xml": "<list/>", "/file.bin": "bytes"]

        /// Returns the names in a directory that other users have permissions for, including that of the directory itself.
        private func shared(in directory: URL) throws -> [String] {
            try ([""] + FileManager.default.subpathsOfDirectory(atPath: directory.path)).filter { name in
                try mode(of: directory.appending(path: name)) & 0o077 != 0
            }
        }

        private func mode(of file: URL) throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int)
        }

        /// Runs the program with a umask of 022.
        private func run(_ arguments: String...) async throws -> Program.Outcome {
            try await Program.shell("umask 022; exec \"$0\" \"$@\"", arguments)
        }

        @Test func `Data directories are private, and a downloaded file is as the user's other files`() async throws {
            try await withTemporaryDirectory { folder in
                let (data, target) = (folder.appending(path: "data"), folder.appending(path: "file.bin"))
                let trace = folder.appending(path: "trace.json")

                let codes = try await StubOrderServer(documents: documents).serve { base in
                    let listed = try await run("deliveries", "--deliveries-url", base + "/d", "--data", data.path, "--trace", trace.path)
                    let loaded = try await run("download", base + "/file.bin", "--to", target.path, "--data", data.path)
                    return [listed.code, loaded.code]
                }

                #expect(codes == [0, 0])
                #expect(try shared(in: data) == [])
                #expect(FileManager.default.fileExists(atPath: data.appending(path: "transfers.sqlite").path))
                #expect(try mode(of: trace) == 0o600)
                #expect(try mode(of: target) == 0o644)
            }
        }

        @Test func `The responses that a proxy stores are private while it runs and afterwards`() async throws {
            try await withTemporaryDirectory { folder in
                let data = folder.appending(path: "data")
                var server = StubOrderServer(documents: documents)
                server.headers[.cacheControl] = "max-age=600"
                try await server.serve { base in
                    let (proxy, address) = try await Program.start(
                        "proxy", "--origin", base, "--port", "0", "--data", data.path, announcing: "The cache is at ")
                    _ = try await URLSession.shared.data(from: try #require(URL(string: address + "list.xml")))
                    #expect(try shared(in: data) == [])
                    #expect(await proxy.terminate() == 0)
                }

                #expect(try shared(in: data) == [])
            }
        }

        @Test func `A data directory open to others is made private with its files and reported once`() async throws {
            try await withTemporaryDirectory { folder in
                let (data, store) = (folder.appending(path: "data"), folder.appending(path: "data/pictures"))
                try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
                try Data().write(to: store.appending(path: "left"))
                for name in ["data", "data/pictures"] {
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.appending(path: name).path)
                }
                try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.appending(path: "left").path)

                let first = try await run("transfers", "--data", data.path)
                let second = try await run("transfers", "--data", data.path)

                #expect(first.error.contains("other users could access \(data.resolvingSymlinksInPath().path)"))
                #expect(second.code == 0 && second.error == "")
                #expect(try shared(in: data) == [])
            }
        }
    }
}
