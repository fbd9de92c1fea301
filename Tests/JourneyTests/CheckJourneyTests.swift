import Foundation
import LadingTesting
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// `lading check` on intact and on damaged data directories.
    @Suite struct CheckJourneyTests {
        @Test func `Whole stores are listed, and one changed bit is found`() async throws {
            try await withTemporaryFolder { folder in
                let server = StubOrderServer(documents: ["/d": "[{\"id\":1,\"description\":\"a certain text\"}]"])
                let loaded = try await server.serve { base in
                    try await Program.run("deliveries", "--deliveries-url", base + "/d", "--data", folder.path)
                }
                let whole = try await Program.run("check", "--data", folder.path)
                let store = folder.appending(path: "deliveries")
                let names = try FileManager.default.contentsOfDirectory(atPath: store.path)
                let name = try #require(names.first { $0.hasSuffix(".sqlite") })
                var bytes = try Data(contentsOf: store.appending(path: name))
                let offset = try #require(bytes.range(of: Data("a certain text".utf8))).lowerBound
                bytes[offset] ^= 1
                try bytes.write(to: store.appending(path: name))

                let damaged = try await Program.run("check", "--data", folder.path)

                #expect(loaded.code == 0)
                #expect(whole.code == 0 && whole.output == "deliveries/\(name): ok\n" && whole.error == "")
                #expect(damaged.code == 1)
                #expect(damaged.output == "deliveries/\(name): damaged: the file has changed since it was closed (checksum mismatch)\n")
                #expect(damaged.error == "lading: 1 of 1 stores are damaged\n")
            }
        }

        @Test func `Every changed bit in the database of an origin that was stopped is found`() async throws {
            try await withTemporaryFolder { folder in
                let (origin, _) = try await Program.start(
                    "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", folder.path,
                    announcing: "The orders are served at ")
                #expect(await origin.terminate() == 0)
                let file = folder.appending(path: "origin.sqlite")
                let bytes = try Data(contentsOf: file)
                let whole = try await Program.run("check", "--data", folder.path)
                #expect(whole.code == 0 && whole.output.contains("origin.sqlite: ok\n"))

                var random = SeededRandom(for: "bits of an origin")
                for _ in 0..<20 {
                    let bit = Int.random(in: 0..<bytes.count * 8, using: &random)
                    var changed = bytes
                    changed[bit / 8] ^= 1 << UInt8(bit % 8)
                    try changed.write(to: file)
                    let run = try await Program.run("check", "--data", folder.path)
                    #expect(run.code == 1 && run.output.contains("origin.sqlite: damaged: "), "bit \(bit)")
                }
            }
        }

        private func text(at address: String) async throws -> String {
            let (data, _) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            return String(decoding: data, as: UTF8.self)
        }

        private func markFavourite(_ action: String, at page: String) async throws {
            var request = URLRequest(url: try #require(URL(string: page + String(action.drop { $0 == "/" }))))
            request.httpMethod = "POST"
            request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
            request.httpBody = Data("favourite=true".utf8)
            let (_, response) = try await URLSession.shared.data(for: request)
            #expect((response as? HTTPURLResponse)?.statusCode == 200)
        }

        @Test func `A clean stop of the demo writes all logs into their databases`() async throws {
            try await withTemporaryFolder { folder in
                let (demo, page) = try await Program.start(
                    "run", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", folder.path, announcing: "Lading is at ")
                _ = try await text(at: page + "orders?plain=1")
                let deliveries = try await text(at: page + "deliveries?plain=1")
                let action = try #require(deliveries.firstMatch(of: /action="([^"]*\/favourite)/)).1
                try await markFavourite(String(action), at: page)
                #expect(await demo.terminate() == 0)

                let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
                let logs = try names.filter { $0.hasSuffix("-wal") }.filter { name in
                    try !Data(contentsOf: folder.appending(path: name)).isEmpty
                }
                let check = try await Program.run("check", "--data", folder.path)

                #expect(Set(["origin.sqlite", "transfers.sqlite", "deliveries/outbox.sqlite"]).isSubset(of: names))
                #expect(names.contains { $0.hasPrefix("feeds/") && $0.hasSuffix(".sqlite") })
                #expect(logs == [])
                #expect(check.code == 0 && !check.output.contains("structure only"), "\(check.output)")
            }
        }

        @Test func `After a kill only the structure of a database is verified`() async throws {
            try await withTemporaryFolder { folder in
                let (origin, _) = try await Program.start(
                    "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", folder.path,
                    announcing: "The orders are served at ")
                origin.signal(SIGKILL)
                #expect(await origin.waitForExit() == -SIGKILL)

                let run = try await Program.run("check", "--data", folder.path)

                #expect(run.code == 0 && run.output.contains("origin.sqlite: ok (structure only)\n"), "\(run.output)")
            }
        }

        @Test func `One changed bit of an upload is found, and files without a checksum are counted`() async throws {
            try await withTemporaryFolder { folder in
                let (source, data) = (folder.appending(path: "source"), folder.appending(path: "data"))
                try Data("the content of a file".utf8).write(to: source)
                let (origin, list) = try await Program.start(
                    "serve", "--port", "0", "--orders", "5", "--deliveries", "5", "--data", data.path,
                    announcing: "The orders are served at ")
                let address = list.replacing("swift-concurrency/orders.plist", with: "uploads/a.bin")
                for _ in 0..<2 {
                    let upload = try await Program.run(
                        "upload", source.path, "--to", address, "--data", folder.appending(path: "client").path)
                    #expect(upload.code == 0, "\(upload.error)")
                }
                #expect(await origin.terminate() == 0)
                let files = data.appending(path: "uploads/files")
                let intact = try await Program.run("check", "--data", data.path)
                try FileManager.default.copyItem(at: source, to: files.appending(path: "b.bin"))
                let unverified = try await Program.run("check", "--data", data.path)
                var bytes = try Data(contentsOf: files.appending(path: "a.bin"))
                bytes[7] ^= 1
                try bytes.write(to: files.appending(path: "a.bin"))

                let damaged = try await Program.run("check", "--data", data.path)

                #expect(intact.code == 0 && intact.output == "origin.sqlite: ok\nuploads: ok\n", "\(intact.output)")
                #expect(unverified.code == 0 && unverified.output.contains("uploads: ok (files without a checksum: 1)\n"))
                #expect(damaged.code == 1 && damaged.output.contains("uploads: damaged: checksum mismatch of a.bin\n"), "\(damaged.output)")
                #expect(damaged.error == "lading: 1 of 2 stores are damaged\n")
            }
        }

        @Test(arguments: [("missing", "No such file or directory"), ("file", "Not a directory"), ("file/data", "Not a directory")])
        func `A data directory that cannot be read is a failure`(name: String, reason: String) async throws {
            try await withTemporaryFolder { folder in
                try Data().write(to: folder.appending(path: "file"))

                let run = try await Program.run("check", "--data", folder.path + "/" + name)

                #expect(run.code == 1 && run.output == "")
                #expect(run.error.hasPrefix("lading: cannot read ") && run.error.contains("(\(reason)): choose another directory"))
            }
        }

        @Test func `A list that may not be read is not verified, and not called damaged`() async throws {
            try await withTemporaryFolder { folder in
                try Data().write(to: folder.appending(path: "feeds"))

                let run = try await Program.run("check", "--data", folder.path)

                #expect(run.code == 1 && run.output == "feeds: cannot be checked: Not a directory\n", "\(run)")
            }
        }

        @Test func `A database that a first start left without tables is not damaged, and no backup`() async throws {
            try await withTemporaryFolder { folder in
                try Data().write(to: folder.appending(path: "origin.sqlite"))

                let check = try await Program.run("check", "--data", folder.path)
                let backup = try await Program.run("backup", folder.path + "/backup.sqlite", "--data", folder.path)

                #expect(check.code == 0 && check.output == "origin.sqlite: ok (structure only)\n", "\(check)")
                #expect(backup.code == 1 && backup.error.contains("it is no database of Lading"), "\(backup)")
                #expect(!FileManager.default.fileExists(atPath: folder.path + "/backup.sqlite"))
            }
        }

        @Test func `An empty data directory has nothing to verify`() async throws {
            try await withTemporaryFolder { folder in
                let run = try await Program.run("check", "--data", folder.path)

                #expect(run.code == 0 && run.output == "")
                #expect(run.error.hasPrefix("lading: no stores in "))
            }
        }
    }
}
