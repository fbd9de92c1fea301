import Foundation
import HTTPTypes
import LadingTesting
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
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
        private func run(_ arguments: [String]) async throws -> Program.Outcome {
            try await Program.shell("umask 022; exec \"$0\" \"$@\"", arguments)
        }

        /// A server command with its announcement; `BASE` is the address of a server that it reads from.
        struct ServerCommand: Sendable, CustomTestStringConvertible {
            let arguments: [String]
            let announcement: String

            var testDescription: String { arguments[0] }
        }

        private static let servers = [
            ServerCommand(arguments: ["run", "--orders", "3", "--deliveries", "3"], announcement: "Lading is at "),
            ServerCommand(arguments: ["serve", "--orders", "3", "--deliveries", "3"], announcement: "The orders are served at "),
            ServerCommand(
                arguments: ["window", "--orders-url", "BASE/list.xml", "--deliveries-url", "BASE/d"], announcement: "Lading is at "),
            ServerCommand(arguments: ["proxy", "--origin", "BASE"], announcement: "The cache is at "),
        ]

        /// The commands that end by themselves; `FOLDER` is the folder of their files.
        private static let commands = [
            ["deliveries", "--deliveries-url", "BASE/d", "--trace", "FOLDER/trace.json"],
            ["download", "BASE/file.bin", "--to", "FOLDER/file.bin"], ["upload", "FOLDER/source", "--to", "BASE/none"], ["transfers"],
        ]

        /// Creates a data directory that others can read, with a file of a store.
        private func createShared(_ data: URL) throws {
            let store = data.appending(path: "pictures")
            try FileManager.default.createDirectory(at: store, withIntermediateDirectories: true)
            for (name, mode) in [("pictures/left", 0o644), ("origin.sqlite-damaged-1", 0o644), ("transfers.sqlite-sum", 0o644)] {
                let file = data.appending(path: name)
                try Data().write(to: file)
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
            }
            for folder in [store, data] { try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path) }
        }

        /// Expects that a program has reported the removal of permissions, exactly if the directory was shared.
        private func expectReport(_ error: String, of data: URL, isShared: Bool) {
            let path = data.resolvingSymlinksInPath().path
            #expect(error.contains("other users could access \(path)") == isShared, "\(error)")
            #expect(error.contains("other users") == isShared, "\(error)")
        }

        @Test(arguments: servers, [false, true])
        func `The data directory of a server is private while it runs and afterwards`(server: ServerCommand, isShared: Bool) async throws {
            try await withTemporaryFolder { folder in
                let data = folder.appending(path: "data")
                if isShared { try createShared(data) }
                var origin = StubOrderServer(documents: documents)
                origin.headers[.cacheControl] = "max-age=600"

                let error = try await origin.serve { base in
                    let arguments = server.arguments.map { $0.replacing("BASE", with: base) } + ["--port", "0", "--data", data.path]
                    let (program, address) = try await Program.start(arguments, umask: "022", announcing: server.announcement)
                    let root = try #require(URL(string: "/", relativeTo: URL(string: address)))
                    for path in ["list.xml", "deliveries?plain=1", "orders?plain=1"] {
                        _ = try await URLSession.shared.data(from: try #require(URL(string: path, relativeTo: root)))
                    }
                    #expect(try shared(in: data) == [])
                    #expect(await program.terminate() == 0)
                    return await program.error.text()
                }

                #expect(try shared(in: data) == [])
                #expect(try !FileManager.default.contentsOfDirectory(atPath: data.path).isEmpty)
                expectReport(error, of: data, isShared: isShared)
            }
        }

        @Test(arguments: commands, [false, true])
        func `The data directory of a command is private`(command: [String], isShared: Bool) async throws {
            try await withTemporaryFolder { folder in
                let data = folder.appending(path: "data")
                if isShared { try createShared(data) }
                try Data("source".utf8).write(to: folder.appending(path: "source"))

                let runs = try await StubOrderServer(documents: documents).serve { base in
                    let arguments = command.map { $0.replacing("BASE", with: base).replacing("FOLDER", with: folder.path) }
                    let first = try await run(arguments + ["--data", data.path])
                    return [first, try await run(["transfers", "--data", data.path])]
                }

                #expect(runs.map(\.code) == [command[0] == "upload" ? 1 : 0, 0])
                #expect(try shared(in: data) == [])
                #expect(FileManager.default.fileExists(atPath: data.appending(path: "transfers.sqlite").path))
                expectReport(runs[0].error, of: data, isShared: isShared)
                #expect(!runs[1].error.contains("other users"))
                if command[0] == "deliveries" { #expect(try mode(of: folder.appending(path: "trace.json")) == 0o600) }
                // A downloaded file is as the user's other files.
                if command[0] == "download" { #expect(try mode(of: folder.appending(path: "file.bin")) == 0o644) }
            }
        }

        @Test(arguments: [
            ["people", "list"], ["people", "link", "Ada"], ["people", "revoke", "Ada"], ["import", "FOLDER/orders.csv"], ["export"],
            ["backup", "FOLDER/copy"], ["restore", "FOLDER/backup"],
            ["simulate", "--origin", "http://127.0.0.1:9", "--history", "FOLDER/history", "--days", "0.01", "--speed", "1000000"],
        ])
        func `A command makes the orders of a directory that others can read private`(command: [String]) async throws {
            try await withTemporaryFolder { folder in
                let data = folder.appending(path: "data")
                #expect(try await run(["people", "add", "Ada", "--data", data.path]).code == 0)
                #expect(try await run(["backup", folder.appending(path: "backup").path, "--data", data.path]).code == 0)
                try Data("recipient\n".utf8).write(to: folder.appending(path: "orders.csv"))
                for (name, mode) in [("origin.sqlite", 0o644), ("", 0o755)] {
                    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: data.appending(path: name).path)
                }

                let outcome = try await run(command.map { $0.replacing("FOLDER", with: folder.path) } + ["--data", data.path])

                #expect(try shared(in: data) == [])
                expectReport(outcome.error, of: data, isShared: true)
            }
        }

        /// Creates a directory that others can read, with a file of somebody else in a folder with the name of ours.
        private func createForeign(_ directory: URL) throws {
            let folder = directory.appending(path: "uploads")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data().write(to: folder.appending(path: "file"))
            for (name, mode) in [("uploads/file", 0o644), ("uploads", 0o755), ("", 0o755)] {
                try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: directory.appending(path: name).path)
            }
        }

        @Test(arguments: [["people", "list"], ["people", "revoke", "Ada"], ["export"]])
        func `A command that finds no store changes no permissions`(command: [String]) async throws {
            try await withTemporaryFolder { folder in
                let directory = folder.appending(path: "foreign")
                try createForeign(directory)

                let run = try await run(command + ["--data", directory.path])

                #expect(run.code == 1 && run.error.contains("has no orders") && !run.error.contains("other users"), "\(run.error)")
                #expect(try Set(shared(in: directory)) == ["", "uploads", "uploads/file"])
            }
        }

        @Test func `Stores in a directory with other files are private, and the directory is not restricted`() async throws {
            try await withTemporaryFolder { folder in
                let directory = folder.appending(path: "foreign")
                try createForeign(directory)

                let run = try await run(["people", "add", "Ada", "--data", directory.path])

                #expect(run.code == 0 && run.error.contains("choose a private directory with --data"), "\(run.error)")
                #expect(try Set(shared(in: directory)) == ["", "uploads", "uploads/file"])
                #expect(FileManager.default.fileExists(atPath: directory.appending(path: "origin.sqlite").path))
            }
        }

        @Test func `An empty directory is restricted by the command that creates stores in it`() async throws {
            try await withTemporaryFolder { folder in
                let directory = folder.appending(path: "empty")
                try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: directory.path)

                let list = try await run(["people", "list", "--data", directory.path])
                let modeAfterList = try mode(of: directory)
                let add = try await run(["people", "add", "Ada", "--data", directory.path])

                #expect(list.code == 1 && !list.error.contains("other users") && modeAfterList == 0o755)
                #expect(add.code == 0)
                expectReport(add.error, of: directory, isShared: true)
                #expect(try shared(in: directory) == [])
            }
        }

        @Test func `The folder of a cache identifies its directory`() async throws {
            try await withTemporaryFolder { folder in
                let data = folder.appending(path: "data")
                let proxy = ["proxy", "--origin", "http://127.0.0.1:9", "--port", "0", "--data", data.path]
                let (first, _) = try await Program.start(proxy, umask: "022", announcing: "The cache is at ")
                #expect(await first.terminate() == 0)
                for name in ["", "proxy"] {
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: data.appending(path: name).path)
                }

                let (second, _) = try await Program.start(proxy, umask: "022", announcing: "The cache is at ")
                #expect(await second.terminate() == 0)

                #expect(try shared(in: data) == [])
                expectReport(await second.error.text(), of: data, isShared: true)
            }
        }

        @Test(arguments: [
            ["run", "--port", "0"], ["serve", "--port", "0"], ["window", "--port", "0"], ["proxy", "--origin", "http://127.0.0.1:9"],
            ["deliveries"], ["download", "http://127.0.0.1:9/file"], ["transfers"], ["people", "add", "Ada"], ["people", "list"],
            ["import", "orders.csv"], ["export"], ["backup", "backup.sqlite"], ["restore", "backup.sqlite"], ["check"], ["simulate"],
        ])
        func `An empty name is not the current directory`(command: [String]) async throws {
            try await withTemporaryFolder { folder in
                let run = try await Program.shell(#"cd "$1" && shift && exec "$0" "$@""#, [folder.path] + command + ["--data", ""])

                #expect(run.code == 64 && run.error.contains("--data is empty: name a directory."), "\(run.error)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
            }
        }

        @Test(arguments: [false, true])
        func `A recording is private, and a folder chosen by the user keeps its permissions`(exists: Bool) async throws {
            try await withTemporaryFolder { folder in
                let (data, record) = (folder.appending(path: "data"), folder.appending(path: "record"))
                if exists {
                    try FileManager.default.createDirectory(at: record, withIntermediateDirectories: false)
                    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: record.path)
                }

                let recorded = try await StubOrderServer(documents: documents).serve { base in
                    try await run([
                        "deliveries", "--deliveries-url", base + "/d", "--data", data.path, "--record", record.path,
                    ])
                }

                #expect(recorded.code == 0, "\(recorded.error)")
                #expect(try FileManager.default.subpathsOfDirectory(atPath: record.path).contains { $0.hasSuffix("exchange.json") })
                #expect(try shared(in: record) == (exists ? [""] : []))
            }
        }

        #if os(Linux)
            @Test(arguments: [false, true])
            func `A crash report is private`(isShared: Bool) async throws {
                try await withTemporaryFolder { folder in
                    let data = folder.appending(path: "data")
                    if isShared { try createShared(data) }
                    let arguments = ["serve", "--port", "0", "--orders", "3", "--deliveries", "3", "--data", data.path]

                    let (first, _) = try await Program.start(arguments, umask: "022", announcing: "The orders are served at ")
                    #expect(try await first.crash() == -SIGILL)
                    let (second, _) = try await Program.start(arguments, umask: "022", announcing: "The orders are served at ")
                    #expect(try shared(in: data) == [])
                    #expect(await second.terminate() == 0)

                    let reports = try FileManager.default.contentsOfDirectory(atPath: data.appending(path: "crashes").path)
                    #expect(reports.count == 1 && reports.allSatisfy { $0.hasSuffix(".txt") })
                    #expect(try shared(in: data) == [])
                    expectReport(await first.error.text(), of: data, isShared: isShared)
                    #expect(await !second.error.text().contains("other users"))
                }
            }
        #endif
    }
}
