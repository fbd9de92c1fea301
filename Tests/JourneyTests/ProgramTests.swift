import Foundation
import LadingTesting
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// Usage errors, unreachable servers and signals: one message and the exit code for each.
    @Suite struct ProgramTests {
        private static let serving = "The orders are served at "
        private static let showing = "Lading is at "

        @Test func `The version is the newest of the changelog`() async throws {
            let package = (1...3).reduce(URL(filePath: #filePath)) { file, _ in file.deletingLastPathComponent() }
            let changelog = try String(contentsOf: package.appending(path: "CHANGELOG.md"), encoding: .utf8)
            let newest = try #require(changelog.firstMatch(of: /## \[([0-9.]+)\]/)?.1)

            let outcome = try await Program.run("--version")

            #expect(outcome.code == 0)
            #expect(outcome.output == "\(newest)\n")
        }

        @Test func `Help explains every command`() async throws {
            let help = try await Program.run("--help")

            #expect(help.code == 0)
            for command in ["run", "serve", "window", "orders", "order", "deliveries", "proxy"] {
                #expect(help.output.contains(command))
                #expect(try await Program.run("help", command).output.contains("USAGE: lading \(command)"))
            }
        }

        @Test(arguments: [
            ["--port", "99999"], ["nonsense"], ["orders", "--orders-url", "not a url"], ["order"], ["order", "one"],
            ["serve", "--orders", "-1"],
            ["window", "--origin", "ftp://example.org"], ["window", "--host", ""], ["serve", "--port", "-1"],
            ["run", "--origin", "http://127.0.0.1:1", "--orders", "400"], ["--origin", "http://127.0.0.1:1", "--seed", "1"],
            ["run", "--orders-url", "http://127.0.0.1:1/o.plist", "--upload-limit", "1"], ["window", "--in-memory", "--data", "/nowhere"],
            ["deliveries", "extra"], ["deliveries", "--count", "0"], ["deliveries", "--count"], ["deliveries", "--sort", "colour"],
            ["deliveries", "--sort", "nearest"], ["deliveries", "--near", "91,0"], ["deliveries", "--near", "-91,0"],
            ["deliveries", "--near", "1,2", "--sort", "fee"],
            ["deliveries", "--deliveries-url", "file:///d"], ["deliveries", "--orders-url", "http://a.org/o.plist"],
            ["orders", "--deliveries-url", "http://a.org/d"], ["proxy"], ["proxy", "--origin", "http://a.org", "--targets", "one two"],
        ])
        func `A usage error ends with 64 and a reason`(arguments: [String]) async throws {
            let run = try await Program.run(arguments)

            #expect(run.code == 64)
            #expect(run.error.contains("Error:"))
            #expect(run.output == "")
        }

        @Test(arguments: [
            (["serve", "--orders", "250001"], "--orders must be from 0 to 250000."),
            (["serve", "--orders", "-1"], "--orders must be from 0 to 250000."),
            (["run", "--deliveries", "-1"], "--deliveries must be from 0 to 1000000."),
            (["orders", "--retries", "-1"], "--retries must be from 0 to 10."),
            (["proxy", "--origin", "http://a.org", "--port", "-1"], "--port must be from 0 to 65535, not -1."),
            (["photos", "--rover", "curiosity", "--sol", "-1"], "expected a number from 0"),
            (["run", "--tiles", "https://a.org/{z}/{x}.png"], "{y} is missing: a tile URL template needs {z}, {x} and {y}"),
            (["window", "--tiles", "https://{s}.a.org/{z}/{x}/{y}"], "{s} is not a tile placeholder"),
            (["window", "--tiles", "file:///{z}/{x}/{y}"], "a tile URL template must be an http or https address"),
            (["run", "--tiles-attribution", "Somebody"], "--tiles-attribution requires --tiles"),
            (["window", "--pages", "0"], "--pages must be at least 1."),
            (["window", "--pages-per-client", "0"], "--pages-per-client must be at least 1."),
            (["window", "--connections-per-client", "0"], "--connections-per-client must be at least 1."),
            (["serve", "--connections-per-client", "0"], "--connections-per-client must be at least 1."),
            (["proxy", "--origin", "http://a.org", "--connections-per-client", "0"], "--connections-per-client must be at least 1."),
            (["proxy", "--origin", "http://a.org", "--host", "0.0.0.0"], "--host 0.0.0.0 requires --shared"),
            (["proxy", "--origin", "http://a.org", "--host", "::"], "--host :: requires --shared"),
            (["proxy", "--origin", "http://a.org", "--trusted-proxy", "10.0.0.0/8"], "--trusted-proxy requires --shared"),
            (["window", "--trusted-proxy", "proxy.example"], "'proxy.example' is not an address range"),
            (["serve", "--uploads", "0"], "--uploads must be at least 1."),
            (["run", "--uploads-per-client", "0"], "--uploads-per-client must be at least 1."),
            (["run", "--origin", "http://127.0.0.1:1", "--uploads", "5"], "--uploads applies to the demo server, which --origin"),
            (["serve", "--trusted-proxy", "proxy.example"], "'proxy.example' is not an address range"),
            (["orders", "--origin", "ftp://a.org"], "expected an http or https URL with a host"),
            (["serve", "--seed", "-1"], "The value '-1' is invalid for '--seed <seed>'"),
        ])
        func `An invalid value is reported with the valid ones`(arguments: [String], words: String) async throws {
            let run = try await Program.run(arguments)

            #expect(run.code == 64)
            #expect(run.error.contains(words) && !run.error.contains("hunter2"))
        }

        @Test func `A command that does not exist is called so`() async throws {
            let run = try await Program.run("serv", "--port", "0")

            #expect(run.code == 64 && run.error.contains("There is no command 'serv': \"lading help\" lists all."), "\(run.error)")
        }

        @Test(arguments: ["--near", "--sol", "--retries", "--port", "--seed", "--orders", "--deliveries"])
        func `An option without its value is reported`(option: String) async throws {
            let command = ["--near": "deliveries", "--sol": "photos", "--retries": "orders"][option] ?? "serve"

            let run = try await Program.run(command, option)

            #expect(run.code == 64)
            #expect(run.error.contains("Missing value for '\(option) "))
        }

        @Test(arguments: [["--near", "-22.3,114.2"], ["--near=-22.3,114.2"]])
        func `Coordinates may be negative`(near: [String]) async throws {
            let run = try await withTemporaryFolder { directory in
                try await Program.run(["deliveries", "--offline", "--data", directory.path] + near)
            }

            #expect(run.code == 1)
            #expect(run.error.contains("no stored deliveries"))
        }

        #if os(Linux)
            @Test func `Without HOME the user database provides the home folder`() async throws {
                let entry = getpwuid(getuid())?.pointee.pw_dir
                let home = String(cString: try #require(entry))

                let run = try await Program.shell(#"unset HOME XDG_DATA_HOME; exec "$0" help run"#)

                #expect(run.output.contains("\(home)/.local/share/lading)"))
            }
        #endif

        @Test func `An option for a server that is not started is an error`() async throws {
            let run = try await Program.run("run", "--origin", "http://127.0.0.1:1", "--orders", "400")

            #expect(run.error.contains("--orders applies to the demo server, which --origin does not start"))
        }

        @Test func `The scheme of a URL may be in capitals`() async throws {
            #expect(try await Program.run("orders", "--origin", "HTTP://127.0.0.1:1").error.hasPrefix("lading: cannot reach 127.0.0.1:1"))
        }

        @Test func `An unreachable server is reported with a hint`() async throws {
            let run = try await Program.run("orders", "--origin", "http://127.0.0.1:1")

            #expect(run.code == 1)
            #expect(
                run.error
                    == "lading: cannot reach 127.0.0.1:1 (Connection refused): "
                    + "start it with \"lading serve\", or choose another with --origin\n")
        }

        @Test func `A response that is not a list is reported with its name`() async throws {
            let run = try await StubOrderServer(documents: ["/o.plist": "<html>"]).serve { base in
                try await Program.run("orders", "--orders-url", base + "/o.plist")
            }

            #expect(run.code == 1)
            #expect(run.error.contains("o.plist") && run.error.split(separator: "\n").count == 1)
        }

        @Test func `An unknown order is reported`() async throws {
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "3", announcing: Self.serving)

            let run = try await Program.run("order", "4", "--orders-url", list)

            #expect(run.code == 1)
            #expect(run.error.contains("no order 4"))
            #expect(await origin.terminate() == 0)
        }

        @Test func `Both servers report a port in use`() async throws {
            let (origin, list) = try await Program.start("serve", "--port", "0", "--in-memory", announcing: Self.serving)
            let port = try #require(URL(string: list)?.port)

            let second = try await Program.run("serve", "--port", "\(port)", "--in-memory")
            let window = try await Program.run("window", "--port", "\(port)", "--orders-url", list, "--in-memory")
            let both = try await Program.run("run", "--port", "\(port)", "--in-memory")

            for run in [second, window, both] {
                #expect(run.code == 1)
                #expect(run.error.contains("Port \(port)") && run.error.contains("--port"))
                #expect(run.error.split(separator: "\n").count == 1)
            }
            #expect(await origin.terminate() == 0)
        }

        @Test func `An unwritable or locked data directory is reported`() async throws {
            let unwritable = try await Program.run("serve", "--port", "0", "--data", "/dev/null/lading")
            #expect(unwritable.code == 1)
            #expect(unwritable.error.contains("/dev/null/lading (Not a directory)") && unwritable.error.contains("--data"))

            try await withTemporaryFolder { directory in
                let (owner, _) = try await Program.start("serve", "--port", "0", "--data", directory.path, announcing: Self.serving)
                let second = try await Program.run("serve", "--port", "0", "--data", directory.path)
                #expect(second.code == 1)
                #expect(second.error.contains("in use by process") && second.error.contains("--data"))
                #expect(await owner.terminate() == 0)
            }
        }

        @Test func `Ctrl-C ends a server in order with 130, a request to terminate and the end of its terminal with 0`() async throws {
            for (signal, code) in [(SIGINT, Int32(130)), (SIGTERM, 0), (SIGHUP, 0)] {
                let (program, _) = try await Program.start("run", "--port", "0", "--in-memory", announcing: Self.showing)
                program.signal(signal)
                #expect(await program.waitForExit() == code)
                #expect(await program.error.text() == "")
            }
        }

        @Test func `A server that was started to survive its terminal serves after its end`() async throws {
            let (server, list) = try await Program.start(
                ["serve", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "0"], ignoring: "HUP", announcing: Self.serving)
            let url = try #require(URL(string: list))

            server.signal(SIGHUP)
            // One that shuts down accepts no new connections.
            for _ in 1...20 {
                let session = URLSession(configuration: .ephemeral)
                let (_, response) = try await session.data(from: url)
                #expect((response as? HTTPURLResponse)?.statusCode == 200)
                session.invalidateAndCancel()
            }

            #expect(await server.terminate() == 0)
        }

        @Test func `Ctrl-C ends a download with 130`() async throws {
            let (requests, report) = AsyncStream<Void>.makeStream()
            let run = try await StubOrderServer(documents: [:], onRequest: { report.yield() }, responseLimit: 0).serve { base in
                let program = try Program.launch("orders", "--orders-url", base + "/o.plist")
                for await _ in requests { break }
                program.signal(SIGINT)
                return Program.Outcome(
                    code: await program.waitForExit(), output: await program.output.text(), error: await program.error.text())
            }

            #expect(run.code == 130)
            #expect(run.output == "")
            #expect(run.error == "")
        }

        @Test func `The demo starts with one command and shows its orders`() async throws {
            let (program, address) = try await Program.start("--port", "0", "--in-memory", announcing: Self.showing)

            let (page, _) = try await URLSession.shared.data(from: try #require(URL(string: address + "orders")))

            #expect(String(decoding: page, as: UTF8.self).contains("400 orders"))
            #expect(await program.terminate() == 0)
        }
    }
}
