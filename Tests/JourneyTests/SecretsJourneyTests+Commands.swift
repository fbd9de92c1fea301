import Foundation
import LadingTesting
import ObjectStoreFixtures
import PostgreSQLFixtures
import ScriptedServers
import TemporaryFolders
import Testing

/// The commands that use a database, with `FOLDER` in place of the folder of a test.
private enum DatabaseCommands {
    static let oneShot = [
        ["people", "add", "Ada"], ["people", "list"], ["people", "link", "Ada"], ["people", "revoke", "Ada"], ["people", "erase", "Ada"],
        ["import", "FOLDER/orders.csv"], ["export"], ["export", "--output", "FOLDER/export.csv"], ["begin-epoch"], ["check"],
        ["simulate", "--history", "FOLDER/history.jsonl"],
    ]
    static let servers = ["serve", "run"].map { [$0, "--port", "0", "--deliveries", "1", "--data", "FOLDER/data"] }
    static let all = oneShot + servers
    /// The commands with an object store.
    static let withBlobs = [["export"], ["check"]] + servers
}

extension Journeys.SecretsJourneyTests {
    private static let unreachable = "postgres://jane:hunter2@127.0.0.1:1/none"
    private static let address = "http://jane:hunter2@a.example/orders.csv" + query
    private static let header = "title,price,currency,address\n"

    // MARK: Detection

    /// Expects secrets in no output of programs, and in no file of a folder.
    ///
    /// - Parameter folder: The folder; nil for none.
    private func expectAbsence(of secrets: [String] = [Self.mark], in runs: [Program.Outcome], and folder: URL?) throws {
        for secret in secrets {
            #expect(!secret.isEmpty)
            for run in runs { #expect(!(run.output + run.error).contains(secret), "\(run)") }
            if let folder { #expect(try folder.files(containing: secret) == []) }
        }
    }

    /// Runs a command in a folder with a file of orders. The default data directory is in the folder too.
    private func run(_ command: [String], in folder: URL, _ environment: [String: String] = [:]) async throws -> Program.Outcome {
        try write(Self.header + "Soup,1,EUR,1 Ash Street\n", to: folder.appending(path: "orders.csv"))
        return try await Program.run(
            command.map { $0.replacing("FOLDER", with: folder.path) },
            environment: environment.merging(["XDG_DATA_HOME": folder.appending(path: "home").path]) { $1 })
    }

    private func write(_ text: String, to file: URL) throws { try Data(text.utf8).write(to: file) }

    /// Returns the secret of the link in an output.
    private func linkSecret(in run: Program.Outcome) throws -> String {
        String(try #require(run.output.firstMatch(of: /sign-in#([0-9a-f]+)\n/)).1)
    }

    private static func response(_ status: Int, _ body: String) -> [ScriptedServer.Step] {
        [.send("HTTP/1.1 \(status) Status\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")]
    }

    // MARK: Arguments

    @Test(arguments: ["add", "list", "link", "revoke", "erase"])
    func `A usage error of a command to people does not repeat secrets`(command: String) async throws {
        let run = try await Program.run("people", command, Self.address, Self.address, Self.address)

        #expect(run.code == 64 && run.error.contains("REDACTED@a.example"), "\(run.error)")
        expectNoSecret(in: run)
    }

    @Test(arguments: DatabaseCommands.all)
    func `A password in the address of a database is refused as an argument`(command: [String]) async throws {
        let addresses = [
            Self.unreachable, "postgres://127.0.0.1:1/none?user=jane&password=hunter2", "host=127.0.0.1 dbname=none password=hunter2",
        ]
        for address in addresses {
            let run = try await Program.run(command + ["--database", address])

            #expect(run.code == 64 && run.error.contains("put the address into $LADING_DATABASE"), "\(run.error)")
            expectNoSecret(in: run)
        }
    }

    @Test(arguments: [
        "postgres://jane:hunter2/x@127.0.0.1/none", "postgres://jane:hunter2", "postgres://jane:hunter2@[127.0.0.1/none",
        "host=127.0.0.1 password=hunter2 sslmode",
    ])
    func `An address of a database that is not valid is refused without its password`(address: String) async throws {
        let run = try await Program.run(["begin-epoch"], environment: ["LADING_DATABASE": address])

        #expect(run.code == 1 && run.error.contains("the address of the database is not valid"), "\(run.error)")
        expectNoSecret(in: run)
    }

    @Test(arguments: DatabaseCommands.withBlobs)
    func `An address of an object store with credentials is refused without them`(command: [String]) async throws {
        for address in ["jane:hunter2@bucket", "bucket?endpoint=http://jane:hunter2@a.example", "bucket?access_key=hunter2"] {
            let run = try await Program.run(command + ["--blobs", "s3://\(address)"])

            #expect(run.code == 64 && run.error.contains("--blobs: the address of the object store is not valid"), "\(run.error)")
            expectNoSecret(in: run)
        }
    }

    @Test(arguments: [
        ["import", "ADDRESS"], ["import", "FOLDER/faulty.csv", "--skip-faulty", "--faulty-rows", "ADDRESS"],
        ["export", "--output", "ADDRESS"], ["backup", "ADDRESS"], ["restore", "ADDRESS"], ["simulate", "--history", "ADDRESS"],
        ["check-history", "ADDRESS"], ["people", "list", "--data", "ADDRESS"], ["export", "--data", "ADDRESS"],
        ["check", "--data", "ADDRESS"], ["upload", "ADDRESS", "--to", "http://127.0.0.1:1/"],
        ["download", "http://127.0.0.1:1/file", "--to", "ADDRESS"],
    ])
    func `A web address in place of a file or a directory is reported without its secrets`(command: [String]) async throws {
        try await withTemporaryFolder { folder in
            let data = folder.appending(path: "data").path
            try write(Self.header + "Soup,cheap,EUR,1 Ash Street\n", to: folder.appending(path: "faulty.csv"))
            #expect(try await Program.run("people", "add", "Ada", "--data", data).code == 0)
            let options = command.contains("--data") || command[0] == "check-history" ? [] : ["--data", data]

            let run = try await run(command.map { $0.replacing("ADDRESS", with: Self.address) } + options, in: folder)

            #expect(run.code == 1 && run.error.contains("a.example"), "\(run.error)")
            try expectAbsence(in: [run], and: nil)
            // The journal of transfers has the names of their files.
            #expect(try folder.files(containing: Self.mark).allSatisfy { $0.hasPrefix("data/transfers.sqlite") })
        }
    }

    @Test func `A history that cannot be read is reported without its lines`() async throws {
        try await withTemporaryFolder { folder in
            let history = folder.appending(path: "history.jsonl")
            try write("Authorization: Bearer hunter2-b\n{}\n", to: history)

            let run = try await Program.run("check-history", history.path)

            #expect(run.code == 1 && run.error.contains("line 1 is no record of a history"), "\(run.error)")
            expectNoSecret(in: run)
        }
    }

    // MARK: People and copies

    @Test(arguments: ["link", "revoke", "erase"])
    func `An address or a link in place of a person is reported without its secrets`(command: String) async throws {
        try await withTemporaryFolder { data in
            let secret = try linkSecret(in: try await Program.run("people", "add", "Ada", "--data", data.path))
            let link = "http://127.0.0.1:8080/sign-in#\(secret)"

            let runs = [
                try await Program.run("people", command, Self.address, "--data", data.path),
                try await Program.run("people", command, link, "--data", data.path),
            ]

            #expect(runs.allSatisfy { $0.code == 1 && $0.error.contains("A link is no name") }, "\(runs)")
            try expectAbsence(of: [Self.mark, secret], in: runs, and: data)
        }
    }

    @Test func `Links, tokens and the secrets of a webhook are neither printed by other commands nor copied`() async throws {
        let receiver = try ScriptedServer { _ in Self.response(200, "") }
        defer { receiver.stop() }
        try await withTemporaryFolder { folder in
            let (data, backup) = (folder.appending(path: "data"), folder.appending(path: "backup.sqlite").path)
            try write(receiver.url("/hook").absoluteString + Self.query, to: folder.appending(path: "webhook"))
            let (server, address) = try await Program.start(
                "serve", "--port", "0", "--orders", "1", "--deliveries", "1", "--data", data.path, "--webhook",
                "@\(folder.path)/webhook", announcing: "The orders are served at ")
            let api = OrderAPIServer(address: String(address.dropLast("/swift-concurrency/orders.plist".count)), folder: data)

            let added = try await Program.run("people", "add", "Ada", "--dispatcher", "--data", data.path)
            let token = try await api.exchangeLink(in: added)
            #expect(try await api.status("api/v1/orders", token) == 200)
            let linked = try await Program.run("people", "link", "Ada", "--data", data.path)
            try await receiver.wait { log in log.requests.contains { $0.target.contains(Self.mark) } }
            var runs: [Program.Outcome] = []
            for command in [
                ["people", "list"], ["export", "--output", folder.path + "/orders.csv"], ["backup", backup], ["restore", backup], ["check"],
                ["people", "revoke", "Ada"], ["people", "erase", "Ada"],
            ] {
                runs.append(try await Program.run(command + ["--data", data.path]))
            }
            runs.append(await outcome(of: server))

            #expect(runs.allSatisfy { $0.code == 0 }, "\(runs)")
            let secrets = [try linkSecret(in: added), try linkSecret(in: linked), token]
            let key = try String(contentsOf: data.appending(path: "webhook-secret"), encoding: .utf8)
                .trimmingCharacters(in: .whitespacesAndNewlines)
            try expectAbsence(of: secrets, in: runs, and: folder)
            try expectAbsence(of: [key, Self.mark], in: runs, and: nil)
            #expect(try folder.files(containing: key) == ["data/webhook-secret"])
            #expect(try folder.files(containing: Self.mark) == ["webhook"])
        }
    }

    @Test func `Commands to a directory do not print the password of the database that they do not use`() async throws {
        try await withTemporaryFolder { folder in
            var runs: [Program.Outcome] = []
            for command in [
                ["people", "add", "Ada"], ["import", "FOLDER/orders.csv"], ["export", "--output", "FOLDER/export.csv"],
                ["backup", "FOLDER/backup.sqlite"], ["restore", "FOLDER/backup.sqlite"], ["people", "list"], ["people", "revoke", "Ada"],
            ] {
                runs.append(try await run(command + ["--data", "FOLDER/data"], in: folder, ["LADING_DATABASE": Self.unreachable]))
            }

            #expect(runs.allSatisfy { $0.code == 0 && $0.error.contains("$LADING_DATABASE") }, "\(runs)")
            try expectAbsence(in: runs, and: folder)
        }
    }

    // MARK: Databases

    @Test(arguments: DatabaseCommands.all)
    func `A command does not print the password of a database that it cannot reach`(command: [String]) async throws {
        try await withTemporaryFolder { folder in
            let run = try await run(command, in: folder, ["LADING_DATABASE": Self.unreachable])

            #expect(run.code == 1 && run.error.contains("Connection refused"), "\(run.error)")
            try expectAbsence(in: [run], and: folder)
        }
    }

    @Test(arguments: DatabaseCommands.all)
    func `A command does not print a password that the database refuses`(command: [String]) async throws {
        let address = try await PostgreSQLServer.makeDatabase().replacing(/:[0-9a-f]+@/, with: ":hunter2-d@")
        try await withTemporaryFolder { folder in
            let run = try await run(command, in: folder, ["LADING_DATABASE": address])

            #expect(run.code == 1 && run.error.contains("password authentication failed"), "\(run.error)")
            try expectAbsence(in: [run], and: folder)
        }
    }

    /// The database accepts only users with their passwords.
    @Test func `No command prints or stores the password of a database that it uses`() async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let password = String(try #require(address.firstMatch(of: /:([0-9a-f]+)@/)).1)
        try await withTemporaryFolder { folder in
            var runs: [Program.Outcome] = []
            for command in [
                ["people", "add", "Ada"], ["people", "link", "Ada"], ["import", "FOLDER/orders.csv"],
                ["export", "--output", "FOLDER/export.csv"], ["check"], ["begin-epoch"], ["people", "revoke", "Ada"],
                ["people", "erase", "Ada"],
            ] {
                runs.append(try await run(command, in: folder, ["LADING_DATABASE": address]))
            }
            let argument = address.replacing(":\(password)@", with: "@")
            runs.append(try await run(["people", "list", "--database", argument], in: folder, ["PGPASSWORD": password]))

            #expect(runs.allSatisfy { $0.code == 0 }, "\(runs)")
            try expectAbsence(of: [password], in: runs, and: folder)
        }
    }

    @Test(arguments: DatabaseCommands.servers)
    func `A server does not print, trace or store the password of its database`(command: [String]) async throws {
        let address = try await PostgreSQLServer.makeDatabase()
        let password = String(try #require(address.firstMatch(of: /:([0-9a-f]+)@/)).1)
        try await withTemporaryFolder { folder in
            let outputs = command[0] == "run" ? ["--trace", "FOLDER/trace.json", "--record", "FOLDER/record"] : []
            // The link is of a person in the database.
            let (server, _) = try await Program.start(
                (command + outputs).map { $0.replacing("FOLDER", with: folder.path) }, environment: ["LADING_DATABASE": address],
                announcing: "The first dispatcher signs in, once and until tomorrow, with the link ")

            let run = await outcome(of: server)

            #expect(run.code == 0, "\(run.error)")
            try expectAbsence(of: [password], in: [run], and: folder)
        }
    }

    // MARK: Object stores

    /// The object store is used before the database, which cannot be reached.
    @Test(arguments: DatabaseCommands.withBlobs)
    func `A command does not print the credentials that an object store accepts`(command: [String]) async throws {
        let objects = try await ObjectStoreServer.running()
        let secrets = ["AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"].map { objects.temporary[$0] ?? "" }
        try await withTemporaryFolder { folder in
            let run = try await run(
                command + ["--blobs", objects.makeAddress()], in: folder,
                objects.temporary.merging(["LADING_DATABASE": Self.unreachable]) { $1 })

            #expect(run.code == 1 && run.error.contains("Connection refused"), "\(run.error)")
            try expectAbsence(of: secrets + [Self.mark], in: [run], and: folder)
        }
    }

    @Test(arguments: DatabaseCommands.withBlobs)
    func `A command does not print credentials that an object store refuses and repeats`(command: [String]) async throws {
        let objects = try ScriptedServer { request in
            let token = request["X-Amz-Security-Token"] ?? ""
            return Self.response(400, "<Error><Code>InvalidRequest</Code><Message>The token \(token) is unknown</Message></Error>")
        }
        defer { objects.stop() }
        try await withTemporaryFolder { folder in
            let environment = [
                "LADING_DATABASE": Self.unreachable, "AWS_ACCESS_KEY_ID": "AKIA1", "AWS_SECRET_ACCESS_KEY": "hunter2-s",
                "AWS_SESSION_TOKEN": "hunter2-t",
            ]
            let address = "s3://bucket?endpoint=http://127.0.0.1:\(objects.port)"

            let run = try await run(command + ["--blobs", address], in: folder, environment)

            #expect(objects.log.requests.map { $0["X-Amz-Security-Token"] } == ["hunter2-t"])
            #expect(run.code == 1 && run.error.contains("The token REDACTED is unknown"), "\(run.error)")
            try expectAbsence(in: [run], and: folder)
        }
    }

    // MARK: Geocoders

    /// Writes the template of a geocoder into a file, and returns the option that names it.
    private func geocoderOption(_ server: ScriptedServer, in folder: URL) throws -> [String] {
        let file = folder.appending(path: "template")
        try write("http://jane:hunter2-u@127.0.0.1:\(server.port)/search?q={address}&key=hunter2-k\n", to: file)
        return ["--geocoder", "@\(file.path)"]
    }

    @Test func `The key of a geocoder is stored only with its answers, and privately`() async throws {
        let server = try ScriptedServer { _ in Self.response(200, #"[{"lat":"40.7","lon":"-74.5"}]"#) }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let (option, data) = (try geocoderOption(server, in: folder), ["--data", folder.path + "/data"])
            let other = folder.appending(path: "other.csv")
            try write(Self.header + "Eggs,1,EUR,1 Ash Street\n", to: other)

            let runs = [
                try await run(["import", "FOLDER/orders.csv"] + option + data, in: folder),
                try await run(["import", other.path] + option + data, in: folder),
                try await run(["export", "--output", "FOLDER/export.csv"] + data, in: folder),
                try await run(["backup", "FOLDER/backup.sqlite"] + data, in: folder), try await run(["check"] + data, in: folder),
            ]

            #expect(server.log.requests.map(\.target) == ["/search?q=1%20Ash%20Street&key=hunter2-k"])
            #expect(runs.allSatisfy { $0.code == 0 }, "\(runs)")
            for run in runs { expectNoSecret(in: run) }
            let stored = try folder.files(containing: Self.mark).filter { $0 != "template" }
            #expect(!stored.isEmpty && stored.allSatisfy { $0.hasPrefix("data/places/") }, "\(stored)")
            for name in stored {
                let mode = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)[.posixPermissions] as? Int
                #expect(mode == 0o600, "\(name)")
            }
        }
    }

    @Test(arguments: [
        (401, ""), (200, #"{"error":"the request TARGET is refused"}"#), (200, #"{"error":"the key hunter2-k is unknown"}"#),
    ])
    func `The failure of a geocoder is reported without its key`(status: Int, body: String) async throws {
        let server = try ScriptedServer { Self.response(status, body.replacing("TARGET", with: $0.target)) }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let option = try geocoderOption(server, in: folder)

            let run = try await run(["import", "FOLDER/orders.csv", "--data", "FOLDER/data"] + option, in: folder)

            #expect(server.log.requests.map { $0.target.hasSuffix("&key=hunter2-k") } == [true])
            #expect(run.code == 0 && run.error.contains("the geocoder failed"), "\(run.error)")
            expectNoSecret(in: run)
            #expect(try folder.files(containing: Self.mark) == ["template"])
        }
    }

    // MARK: Simulations

    @Test(arguments: [true, false])
    func `A simulation neither prints nor records tokens and the secrets of its server`(knowsPeople: Bool) async throws {
        let server = try ScriptedServer { request in
            guard knowsPeople else { return Self.response(401, "{}") }
            guard request.method == "GET" else { return Self.response(400, #"{"type":"urn:test","final":true}"#) }
            return Self.response(200, request.target.contains("/changes") ? #"{"changes":[],"position":"1"}"# : #"{"orders":[]}"#)
        }
        defer { server.stop() }
        try await withTemporaryFolder { folder in
            let (data, history) = (["--data", folder.path + "/data"], folder.path + "/history.jsonl")
            let people = try await Program.run(["people", "add", "Ada"] + data)
            let simulation = try await Program.run(
                [
                    "simulate", "--couriers", "1", "--days", "0.01", "--speed", "3600", "--origin",
                    server.url("/").absoluteString + Self.query, "--history", history,
                ] + data)
            let check = try await Program.run("check-history", history)
            let runs = [people, simulation, check, try await Program.run(["people", "list"] + data)]

            let requests = server.log.requests
            let tokens = Set(requests.compactMap { $0["Authorization"] }).map { String($0.dropFirst("Bearer ".count)) }
            #expect(!tokens.isEmpty && requests.allSatisfy { $0.target.contains("access_token=hunter2-a") })
            let codes: [Int32] = knowsPeople ? [0, 0, 0, 0] : [0, 1, 1, 0]
            #expect(runs.map(\.code) == codes, "\(runs)")
            #expect(knowsPeople || simulation.error.contains("the server does not know the simulated people"), "\(simulation.error)")
            try expectAbsence(of: tokens + [Self.mark], in: runs, and: folder)
        }
    }
}
