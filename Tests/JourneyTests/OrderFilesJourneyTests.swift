import Foundation
import LadingTesting
import ScriptedServers
import TemporaryFolders
import Testing

extension Journeys {
    /// `lading import` and `lading export`.
    @Suite struct OrderFilesJourneyTests {
        private static let good = "externalId,title,price,currency,address\nA-1,Soup,12.50,EUR,1 Ash Street\nA-2,Bread,3,EUR,2 Ash Street\n"

        private func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }

        @Test func `A file is checked, mended, imported once and exported`() async throws {
            try await withTemporaryFolder { folder in
                let (file, data) = (folder.appending(path: "orders.csv"), folder.appending(path: "data").path)
                try write(Self.good + "A-3,Cake,cheap,EUR,3 Ash Street\n", to: file)

                let checked = try await Program.run("import", file.path, "--check", "--data", data)
                #expect(checked.code == 1 && checked.error.contains("row 4: column \"price\": \"cheap\" must be an amount such as 42.50\n"))
                #expect(!FileManager.default.fileExists(atPath: data))
                let refused = try await Program.run("import", file.path, "--data", data)
                #expect(
                    refused.code == 1
                        && refused.error.hasSuffix("nothing was imported; mend the rows, or import the others with --skip-faulty\n"))
                let skipped = try await Program.run("import", file.path, "--skip-faulty", "--data", data)
                #expect(skipped.code == 0 && skipped.output == "2 orders created\n")
                let faulty = folder.appending(path: "orders-faulty.csv")
                let mended = try String(contentsOf: faulty, encoding: .utf8).replacing(",cheap,", with: ",7,")
                try write(mended, to: faulty)
                #expect(try await Program.run("import", faulty.path, "--data", data).output == "1 order created\n")
                try write(Self.good, to: file)
                let repeated = try await Program.run("import", file.path, "--data", data)
                #expect(repeated.output == "0 orders created, 2 orders existed before\n")

                let exported = try await Program.run("export", "--format", "jsonl", "--state", "open", "--text", "soup", "--data", data)
                #expect(exported.code == 0 && exported.output.contains("\"externalId\":\"A-1\"") && !exported.output.contains("A-2"))
            }
        }

        @Test func `The faulty rows of a pipe, which is read once, are written to a file`() async throws {
            try await withTemporaryFolder { folder in
                let (file, faulty) = (folder.appending(path: "orders.csv"), folder.appending(path: "faulty.csv"))
                try write(Self.good + "A-3,Cake,cheap,EUR,3 Ash Street\n", to: file)
                let script = #"cat "$1" | "$0" import /dev/stdin --skip-faulty --faulty-rows "$2" --data "$3""#

                let imported = try await Program.shell(script, [file.path, faulty.path, folder.path + "/data"])

                #expect(imported.code == 0 && imported.output == "2 orders created\n", "\(imported.error)")
                let rows = try String(contentsOf: faulty, encoding: .utf8)
                #expect(rows.hasSuffix(",A-3,Cake,cheap,EUR,3 Ash Street\r\n") && rows.contains("problem,externalId,title,"), "\(rows)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.sorted() == ["data", "faulty.csv", "orders.csv"])
            }
        }

        @Test func `A file of faulty rows that cannot be written ends the import before an order is created`() async throws {
            try await withTemporaryFolder { folder in
                let (file, data) = (folder.appending(path: "orders"), folder.appending(path: "data").path)
                try write(Self.good + "A-3,Cake,cheap,EUR,3 Ash Street\n", to: file)

                let missing = folder.path + "/missing/faulty.csv"
                let refused = try await Program.run("import", file.path, "--skip-faulty", "--faulty-rows", missing, "--data", data)
                let imported = try await Program.run("import", file.path, "--skip-faulty", "--data", data)

                #expect(refused.code == 1 && refused.error.contains("nothing was imported; choose another file"), "\(refused.error)")
                #expect(imported.code == 0 && imported.output == "2 orders created\n", "\(imported.error)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == ["data", "orders", "orders-faulty"])
            }
        }

        @Test func `An export to a pipe and through a link leaves both as they are`() async throws {
            try await withTemporaryFolder { folder in
                let (file, data) = (folder.appending(path: "orders.csv"), folder.path + "/data")
                let (link, pipe) = (folder.path + "/link", folder.path + "/pipe")
                try write(Self.good, to: file)
                #expect(try await Program.run("import", file.path, "--data", data).code == 0)
                try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "orders.csv")
                // The pipe is open for reading too, so that its writer does not wait for a reader.
                let script = #"mkfifo "$1" && exec 3<>"$1" && "$0" export --output "$1" --data "$2" && test -p "$1" && head -n 3 <&3"#

                let linked = try await Program.run("export", "--output", link, "--data", data)
                let piped = try await Program.shell(script, [pipe, data])

                #expect(linked.code == 0 && linked.error == "2 orders\n", "\(linked.error)")
                #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "orders.csv")
                #expect(try String(decoding: Data(contentsOf: file), as: UTF8.self) == piped.output)
                #expect(piped.code == 0 && piped.output.contains(",A-2,"), "\(piped)")
                let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                #expect(names.sorted() == ["data", "link", "orders.csv", "pipe"])
            }
        }

        @Test func `Addresses are located by a geocoder, once, and kept without coordinates where it fails`() async throws {
            try await withTemporaryFolder { folder in
                let geocoder = try ScriptedServer { request in
                    let body = request.target.contains("Quay") ? #"[{"lat":"40.7","lon":"-74.5"}]"# : "[]"
                    return [.send("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
                }
                defer { geocoder.stop() }
                let (data, template) = (
                    folder.path + "/data", geocoder.url("/search?q={address}").absoluteString.removingPercentEncoding ?? ""
                )
                let (first, second) = (folder.appending(path: "first.csv"), folder.appending(path: "second.csv"))
                let header = "title,price,currency,address\n"
                try Data((header + "Bread,1,EUR,1 Quay Street\nMilk,2,EUR,Nowhere\n").utf8).write(to: first)
                try Data((header + "Eggs,3,EUR,1 Quay Street\n").utf8).write(to: second)

                let imported = try await Program.run("import", first.path, "--data", data, "--geocoder", template)
                let later = try await Program.run("import", second.path, "--data", data, "--geocoder", template)
                let exported = try await Program.run("export", "--data", data, "--format", "jsonl")

                #expect(imported.output == "2 orders created\n" && imported.error.hasSuffix("row 3: Nowhere\n"), "\(imported.error)")
                #expect(later.output == "1 order created\n" && later.error.isEmpty, "\(later.error)")
                #expect(exported.output.components(separatedBy: "40.7").count == 3, "\(exported.output)")
                #expect(geocoder.log.requests.map { $0["User-Agent"]?.hasPrefix("Lading/") } == [true, true])
            }
        }

        @Test func `A running server shows what a command imports`() async throws {
            try await withTemporaryFolder { folder in
                let (file, data) = (folder.appending(path: "orders.csv"), folder.appending(path: "data").path)
                try write(Self.good, to: file)
                let (origin, _) = try await Program.start(
                    "serve", "--port", "0", "--orders", "2", "--deliveries", "2", "--data", data, announcing: "The orders are served at ")

                let imported = try await Program.run("import", file.path, "--data", data)
                let exported = try await Program.run("export", "--data", data)
                #expect(await origin.terminate() == 0)

                #expect(imported.output == "2 orders created\n" && imported.code == 0)
                #expect(exported.output.split(separator: "\r\n").count == 5)
            }
        }

        @Test func `A killed import leaves all of its orders or none`() async throws {
            try await withTemporaryFolder { folder in
                let file = folder.appending(path: "orders.csv")
                let rows = (0..<4_000).map { "E\($0),Order \($0),1,EUR,\($0) Ash Street\n" }
                try write("externalId,title,price,currency,address\n" + rows.joined(), to: file)
                var random = SeededRandom(for: "killed imports")
                for number in 0..<6 {
                    let data = folder.appending(path: "data-\(number)").path
                    // The database exists, so that only the import is interrupted.
                    _ = try await Program.run("people", "add", "Mina", "--data", data)
                    let delay = Duration.milliseconds(Int.random(in: 50...1_500, using: &random))
                    let killed = try Program.launch("import", file.path, "--data", data)
                    // A kill at a random time: the program is a real process, which no manual clock drives.
                    try await Task.sleep(for: delay)
                    killed.signal(SIGKILL)
                    _ = await killed.waitForExit()

                    let count = try await Program.run("export", "--format", "jsonl", "--data", data).output.split(separator: "\n").count
                    #expect([0, 4_000].contains(count), "killed after \(delay)")
                }
            }
        }

        @Test(arguments: [["export"], ["people", "list"], ["backup", "backup.sqlite"]])
        func `Commands to a directory that cannot be opened give the reason`(arguments: [String]) async throws {
            try await withTemporaryFolder { folder in
                let file = folder.appending(path: "file")
                try Data().write(to: file)

                let run = try await Program.run(arguments + ["--data", file.path + "/data"])

                #expect(run.code == 1 && run.error.contains("Not a directory") && !run.error.contains("has no orders"), "\(run.error)")
            }
        }

        @Test(arguments: [
            ["export"], ["people", "list"], ["people", "link", "Mina"], ["people", "revoke", "Mina"], ["people", "erase", "Mina"],
        ])
        func `Commands to a directory without orders create nothing`(arguments: [String]) async throws {
            try await withTemporaryFolder { folder in
                let missing = folder.appending(path: "mistyped")

                let run = try await Program.run(arguments + ["--data", missing.path])

                #expect(run.code == 1 && run.error.contains("choose another directory"))
                #expect(!FileManager.default.fileExists(atPath: missing.path))
            }
        }

        @Test(arguments: [
            (["import", "nothing.csv"], "cannot read "), (["import", "x", "--check", "--skip-faulty"], "Choose --check or --skip-faulty."),
            (["import", "x", "--geocoder", "http://h/"], "is no template"), (["import", "x", "--time-zone", "Nowhere"], "is no time zone"),
            (["export", "--state", "lost"], "is no state"),
            (["export", "--output", "/nowhere/x.csv"], "choose a folder that exists"),
            (["export", "--output", "/nowhere/"], "cannot write /nowhere/: "), (["export", "--output", "/"], "cannot write /: "),
            (["export", "--proofs", "/dev/null/p"], "cannot write /dev/null/p: "), (["import", "/"], "cannot read /: "),
        ])
        func `Wrong arguments say what to write`(arguments: [String], message: String) async throws {
            try await withTemporaryFolder { folder in
                _ = try await Program.run("people", "add", "Mina", "--data", folder.path)
                let run = try await Program.run(arguments + ["--data", folder.path])
                #expect([1, 64].contains(run.code) && run.error.contains(message) && !run.error.contains("NSCocoaErrorDomain"))
            }
        }
    }
}
