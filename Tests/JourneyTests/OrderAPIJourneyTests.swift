import Digests
import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import LadingTesting
import TemporaryFolders
import Testing

extension ServerJourneys {
    /// People, orders, backups and simulations of the program as it is started by its users.
    @Suite struct OrderAPIJourneyTests {
        @Test func `People sign in while the server runs, and a taken order leaves the list of open ones`() async throws {
            try await withServer { server in
                let token = try await server.signIn("Mina")

                let before = try await server.text("swift-concurrency/orders.plist")
                let claim = try await server.post("orders/3/claim", token)
                let after = try await server.text("swift-concurrency/orders.plist")

                #expect(claim.status == 200)
                #expect(before.contains("order-3.xml") && !after.contains("order-3.xml"))
                #expect(try await server.status("swift-concurrency/order-3.xml") == 404)
                let people = try await Program.run("people", "list", "--data", server.folder.path)
                #expect(people.code == 0 && people.output.contains("courier  Mina\n"))
            }
        }

        @Test func `The link of the first dispatcher follows the addresses, once`() async throws {
            let folder = try TemporaryFolder()
            let arguments = ["serve", "--port", "0", "--orders", "1", "--deliveries", "0", "--data", folder.url.path]

            let first = try Program.launch(arguments)
            var lines = first.output.lines.makeAsyncIterator()
            for _ in 1...3 { #expect(await lines.next()?.contains(" at http://127.0.0.1:") == true) }
            #expect(await lines.next()?.contains("/sign-in#") == true)
            #expect(await first.terminate() == 0)

            let (second, _) = try await Program.start(arguments, announcing: "The photos are served at ")
            #expect(await second.terminate() == 0)
            #expect(await second.output.text().contains("/sign-in#") == false)
        }

        @Test(arguments: [["serve"], ["run"], ["run", "--simulate"]])
        func `A start that fails leaves the link of the first dispatcher to the next one`(command: [String]) async throws {
            try await withServer { server in
                let port = try #require(URL(string: server.address)?.port)
                let folder = try TemporaryFolder()
                let options = ["--orders", "1", "--deliveries", "0", "--data", folder.url.path]

                let failed = try await Program.run(command + ["--port", "\(port)"] + options)
                let (next, link) = try await Program.start(
                    command + ["--port", "0"] + options,
                    announcing: "The first dispatcher signs in, once and until tomorrow, with the link ")

                #expect(failed.code == 1 && failed.error.contains("Port \(port)"))
                #expect(link.contains("/sign-in#"))
                #expect(await next.terminate() == 0)
            }
        }

        @Test func `The stream of a revoked person ends`() async throws {
            try await withServer { server in
                let token = try await server.signIn("Mina")
                let headers: HTTPFields = [.authorization: "Bearer \(token)", .accept: "text/event-stream"]
                let message = RequestMessage(method: .get, url: server.api("changes"), headers: headers)
                let executor = AsyncHTTPClientExecutor()
                let client = BackendClient(executor: executor)
                let (events, announce) = AsyncStream.makeStream(of: String?.self)
                let stream = Task {
                    try await client.exchange(message) { _, body, _ in
                        for try await event in ServerSentEvents(body) { announce.yield(event.type) }
                    }
                    announce.yield("end")
                }
                for await event in events where event == "position" { break }

                let revocation = try await Program.run("people", "revoke", "Mina", "--data", server.folder.path)
                try await stream.value
                try await executor.shutdown()

                #expect(revocation.code == 0)
                #expect(try await server.post("orders/1/claim", token).status == 401)
            }
        }

        @Test func `A backup made while the server runs is restored while it runs, and begins an epoch`() async throws {
            try await withServer { server in
                let token = try await server.signIn("Mina")
                let backup = server.folder.appending(path: "backup.sqlite").path
                let written = try await Program.run("backup", backup, "--data", server.folder.path)
                let again = try await Program.run("backup", backup, "--data", server.folder.path)
                let position = try await server.position(token)
                #expect(try await server.post("orders/3/claim", token).json["fence"] as? Int == 1)

                let restored = try await Program.run("restore", backup, "--data", server.folder.path)

                #expect(written.code == 0 && written.output == "\(backup): ok\n")
                #expect(again.code == 1 && again.error.contains("exists already"))
                #expect(restored.code == 0 && restored.output.contains("origin.sqlite-replaced-1"))
                #expect(try await server.text("swift-concurrency/orders.plist").contains("order-3.xml"))
                #expect(try await server.status("api/v1/changes?after=\(position)", token) == 410)
                // The claim was lost with its epoch; what really happened is reported to the dispatchers.
                let pickUp = try await server.post("orders/3/pick-up", token, fence: 1)
                #expect(pickUp.status == 202 && pickUp.json["cause"] as? String == "staleFence")
                let claim = try await server.post("orders/3/claim", token, key: "again")
                #expect(claim.status == 200 && claim.json["fence"] as? Int ?? 0 > 1_700_000_000)
                let check = try await Program.run("check", "--data", server.folder.path)
                #expect(check.code == 0, "\(check.output)")
            }
        }

        @Test func `A damaged or missing backup changes nothing`() async throws {
            try await withTemporaryFolder { folder in
                try await run(in: folder) { _ in }
                let file = folder.appending(path: "origin.sqlite")
                let backup = folder.appending(path: "backup.sqlite")
                try Data("no database at all, but long enough to be read".utf8).write(to: backup)
                let before = try Data(contentsOf: file)

                let restored = try await Program.run(
                    ["restore", backup.path, "--data", folder.path], environment: ["LADING_DATABASE": "postgres://127.0.0.1:1/none"])
                let missing = try await Program.run("restore", folder.path + "/none", "--data", folder.path)

                #expect(restored.code == 1 && restored.error.contains("cannot be used, and nothing was changed"))
                #expect(restored.error.contains("the orders of the database in $LADING_DATABASE are not replaced: use pg_restore"))
                #expect(missing.code == 1 && missing.error.contains("there is no file"))
                #expect(try Data(contentsOf: file) == before)
            }
        }

        @Test func `A simulation against the server breaks no promise, and a changed history is found`() async throws {
            try await withServer { server in
                let history = server.folder.appending(path: "history.jsonl")

                let simulation = try await Program.run(
                    "simulate", "--couriers", "6", "--days", "0.25", "--speed", "3600", "--seed", "3", "--origin", server.address, "--data",
                    server.folder.path, "--history", history.path)
                let check = try await Program.run("check-history", history.path)
                let text = try String(contentsOf: history, encoding: .utf8)
                try text.replacing("\"state\":\"delivered\"", with: "\"state\":\"returned\"").write(
                    to: history, atomically: true, encoding: .utf8)
                let changed = try await Program.run("check-history", history.path)

                #expect(simulation.code == 0, "\(simulation.error)")
                #expect(check.code == 0, "\(check.output)")
                #expect(text.contains("\"state\":\"delivered\""))
                #expect(changed.code == 1 && changed.output.hasPrefix("invariant "))
                let stores = try await Program.run("check", "--data", server.folder.path)
                #expect(stores.output.contains("origin.sqlite: ok"))
            }
        }

        @Test func `Simulated people are revoked when the reader of the history is gone`() async throws {
            try await withServer { server in
                // The only reader of the pipe is closed before the program starts.
                let script = #"mkfifo "$1" && exec 3<> "$1" 4> "$1" 3<&- && shift && exec "$0" "$@" >&4"#

                let simulation = try await Program.shell(
                    script,
                    [
                        server.folder.path + "/pipe", "simulate", "--couriers", "3", "--days", "100", "--speed", "3600", "--origin",
                        server.address, "--data", server.folder.path, "--history", "-",
                    ])

                #expect(simulation.code == 141 && simulation.error == "", "\(simulation)")
                #expect(try await Self.activeSimulatedPeople(in: server.folder) == [])
            }
        }

        @Test func `A simulation ends in order with its terminal, which may report its end twice`() async throws {
            try await withServer { server in
                let simulation = try Program.launch(
                    "simulate", "--couriers", "3", "--days", "100", "--speed", "3600", "--origin", server.address, "--data",
                    server.folder.path, "--history", "-")
                for await _ in simulation.output.lines { break }

                for _ in 1...2 { simulation.signal(SIGHUP) }

                #expect(await simulation.waitForExit() == 0)
                #expect(await simulation.error.text().contains(" orders, history in standard output"))
                #expect(try await Self.activeSimulatedPeople(in: server.folder) == [])
            }
        }

        @Test(.enabled(if: RAMDisk.isSupported, "only root may mount a disk"))
        func `A full disk in the middle of a proof is reported, and loses nothing that was confirmed`() async throws {
            let disk = try RAMDisk(mebibytes: 24)
            defer { disk.unmount() }
            try await run(in: disk.folder.appending(path: "data")) { server in
                let token = try await server.signIn("Mina")
                let photo = Self.photo(length: 3 << 20)
                let proof = "orders/3/proofs/\(SHA256.hash(data: photo).hexString)"
                #expect(try await server.post("orders/3/claim", token).status == 200)
                #expect(try await server.post("orders/3/pick-up", token, fence: 1).status == 200)

                try disk.fill()
                let refused = try await server.put(proof + "?kind=photo", token, photo)
                let state = try await server.json("orders/3", token)["state"] as? String
                try disk.freeSpace()
                let stored = try await server.put(proof + "?kind=photo", token, photo)
                let arrival = try await server.post("orders/3/arrive", token, fence: 1)
                let delivery = try await server.post(
                    "orders/3/deliver", token, fence: 1, body: #"{"proofs":["\#(SHA256.hash(data: photo).hexString)"]}"#)

                #expect(refused == 507)
                #expect(state == "pickedUp")
                #expect(stored == 201)
                #expect(arrival.status == 200 && delivery.status == 200)
                let check = try await Program.run("check", "--data", server.folder.path)
                #expect(check.output.contains("origin.sqlite: ok"))
            }
        }

        /// Returns a file with the structure of a JPEG.
        static func photo(length: Int) -> [UInt8] {
            let frame: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 11, 8, 0, 1, 0, 1, 1, 1, 0x11, 0]
            let scan: [UInt8] = [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
            return frame + scan + [UInt8](repeating: 42, count: length) + [0xFF, 0xD9]
        }

        /// The number of records of a simulation between two kills of its server.
        private static let recordsPerKill = 25
        private static let interruptionCount = ProcessInfo.processInfo.environment["LADING_SOAK"] != nil ? 200 : 10

        @Test func `A server that is killed repeatedly under a simulation loses nothing and does nothing twice`() async throws {
            try await withTemporaryFolder { folder in
                let options = ["serve", "--orders", "5", "--deliveries", "5", "--data", folder.path]
                var (server, address) = try await Program.start(options + ["--port", "0"], announcing: Self.announcement)
                let port = try Self.port(of: address)
                let simulation = try Self.simulation(of: port, in: folder)

                // The records are the gate: between two kills the simulation goes on.
                var (records, kills) = ([String](), 0)
                for await line in simulation.output.lines {
                    records.append(line)
                    guard kills < Self.interruptionCount, records.count >= (kills + 1) * Self.recordsPerKill else { continue }
                    kills += 1
                    server.signal(SIGKILL)
                    _ = await server.waitForExit()
                    (server, _) = try await Program.start(options + ["--port", "\(port)"], announcing: Self.announcement)
                    if kills == Self.interruptionCount { simulation.signal(SIGINT) }
                }

                #expect(kills == Self.interruptionCount)
                let (exitCode, problem) = (await simulation.waitForExit(), await simulation.error.text())
                #expect(exitCode == 0, "\(problem)")
                #expect(await server.terminate() == 0)
                try await Self.check(records, in: folder)
            }
        }

        #if os(Linux)
            /// The number of writes, truncations and syncs between two power cuts. Fewer than the first start makes, until its address is printed, are too few.
            private static let callsPerPowerCut = 50...600

            @Test func `A server that repeatedly loses its power under a simulation loses nothing and does nothing twice`() async throws {
                let seed = TestSeeds.fromEnvironment ?? 1
                var random = SeededRandom(seed: seed)
                try await withTemporaryFolder { folder in
                    let data = folder.appending(path: "data")
                    let writes = try UnsyncedWrites(of: data, in: folder)
                    let options = ["serve", "--orders", "5", "--deliveries", "5", "--data", data.path]
                    var (server, address) = try await Program.start(
                        options + ["--port", "0"], environment: writes.environment(callCount: Self.callsPerPowerCut.upperBound),
                        announcing: Self.announcement)
                    let port = try Self.port(of: address)
                    let simulation = try Self.simulation(of: port, in: data)
                    let records = Task { await simulation.output.text().split(separator: "\n").map(String.init) }

                    defer { simulation.signal(SIGKILL) }

                    var cutsWithLostWrites = 0
                    for cut in 1...Self.interruptionCount {
                        try #require(await server.waitForExit() == -SIGKILL, "LADING_SEED=\(seed)")
                        if try writes.lose(&random) { cutsWithLostWrites += 1 }
                        guard cut < Self.interruptionCount else { break }
                        let environment = writes.environment(callCount: .random(in: Self.callsPerPowerCut, using: &random))
                        server = try Program.launch(options + ["--port", "\(port)"], environment)
                    }
                    (server, _) = try await Program.start(options + ["--port", "\(port)"], announcing: Self.announcement)

                    simulation.signal(SIGINT)
                    let (exitCode, problem) = (await simulation.waitForExit(), await simulation.error.text())
                    #expect(exitCode == 0, "LADING_SEED=\(seed): \(problem)")
                    #expect(cutsWithLostWrites > Self.interruptionCount / 2, "LADING_SEED=\(seed)")
                    #expect(await server.terminate() == 0)
                    try await Self.check(await records.value, in: data)
                }
            }
        #endif

        // MARK: - Simulations

        private static let announcement = "The orders are served at "

        private static func port(of address: String) throws -> Int { try #require(URL(string: address)?.port) }

        /// Starts a simulation, which ends with SIGINT.
        private static func simulation(of port: Int, in folder: URL) throws -> ChildProcess {
            try Program.launch([
                "simulate", "--couriers", "8", "--days", "\(interruptionCount)", "--speed", "2400", "--seed", "5", "--origin",
                "http://127.0.0.1:\(port)", "--data", folder.path, "--history", "-",
            ])
        }

        /// Expects that the records of a simulation and the database of its server are valid.
        private static func check(_ records: [String], in folder: URL) async throws {
            let history = folder.appending(path: "history.jsonl")
            try Data((records.joined(separator: "\n") + "\n").utf8).write(to: history)
            let check = try await Program.run("check-history", history.path)
            #expect(check.code == 0, "\(check.output)")
            let stores = try await Program.run("check", "--data", folder.path)
            #expect(stores.output.contains("origin.sqlite: ok"))
        }

        /// Returns the lines of simulated people who are not revoked.
        private static func activeSimulatedPeople(in folder: URL) async throws -> [Substring] {
            let people = try await Program.run("people", "list", "--data", folder.path)
            #expect(people.code == 0 && people.output.contains("(simulation "))
            return people.output.split(separator: "\n").filter { $0.contains("(simulation ") && !$0.contains("(revoked)") }
        }

        // MARK: - The server

        private func withServer(_ test: (OrderAPIServer) async throws -> Void) async throws {
            try await withTemporaryFolder { folder in try await run(in: folder, test) }
        }

        private func run(in folder: URL, _ test: (OrderAPIServer) async throws -> Void) async throws {
            let (origin, address) = try await Program.start(
                "serve", "--port", "0", "--orders", "8", "--deliveries", "5", "--data", folder.path, announcing: "The orders are served at "
            )
            let base = String(address.dropLast("/swift-concurrency/orders.plist".count))
            do {
                try await test(OrderAPIServer(address: base, folder: folder))
                #expect(await origin.terminate() == 0)
            } catch {
                _ = await origin.terminate()
                throw error
            }
        }
    }
}
