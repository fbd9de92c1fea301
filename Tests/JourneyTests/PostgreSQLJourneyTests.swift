import Digests
import Foundation
import LadingTesting
import ObjectStoreFixtures
import PostgreSQLClient
import PostgreSQLFixtures
import TemporaryFolders
import Testing

extension ServerJourneys {
    /// Servers that share a PostgreSQL database.
    @Suite struct PostgreSQLJourneyTests {
        private static let announcement = "The photos are served at "

        private func start(
            on address: String, in folder: TemporaryFolder
        ) async throws -> (program: ChildProcess, server: OrderAPIServer) {
            try await start([], ["LADING_DATABASE": address], in: folder)
        }

        private func start(
            _ options: [String], _ environment: [String: String], in folder: TemporaryFolder
        ) async throws -> (program: ChildProcess, server: OrderAPIServer) {
            let (program, rovers) = try await Program.start(
                ["serve", "--port", "0", "--deliveries", "0", "--data", folder.url.path] + options, environment: environment,
                announcing: Self.announcement)
            let url = try #require(URL(string: rovers))
            return (program, OrderAPIServer(address: "http://127.0.0.1:\(url.port ?? 0)", folder: folder.url, environment: environment))
        }

        private static let order = #"""
            {"title":"Breakfast","price":"4.50","currency":"EUR","destination":{"address":"1 Quay Street"}}
            """#

        @Test func `Two servers share people, orders and changes, and the end of one loses nothing`() async throws {
            let folders = (try TemporaryFolder(), try TemporaryFolder())
            let address = try await PostgreSQLServer.makeDatabase()
            let (first, one) = try await start(on: address, in: folders.0)
            let (second, two) = try await start(on: address, in: folders.1)
            let dispatcher = try await one.signIn("Ada", isDispatcher: true)
            let (mina, jonas) = (try await one.signIn("Mina"), try await two.signIn("Jonas"))

            let created = try await one.post("orders", dispatcher, body: Self.order)
            let id = try #require(created.json["order"] as? Int)
            #expect(created.status == 201)
            async let firstClaim = one.post("orders/\(id)/claim", mina, key: "claim")
            async let secondClaim = two.post("orders/\(id)/claim", jonas, key: "claim")
            let claims = try await [firstClaim, secondClaim]
            #expect(claims.map(\.status).sorted() == [200, 409])
            let holder = claims[0].status == 200 ? (mina, "Mina") : (jonas, "Jonas")

            // The change of one server reaches the streams of the other.
            try await two.followChanges(dispatcher) {
                try await two.json("orders/\(id)", dispatcher)["state"] as? String == "claimed"
            }
            first.signal(SIGKILL)
            _ = await first.waitForExit()
            let repeated = try await two.post("orders/\(id)/claim", holder.0, key: "claim")
            #expect(repeated.status == 200)
            #expect(try await two.json("orders/\(id)/history", dispatcher)["events"].map { ($0 as? [Any])?.count } == 2)

            let revocation = try await Program.run(["people", "revoke", holder.1], environment: two.environment)
            #expect(revocation.code == 0)
            // Another program may accept the token for a second.
            let start = ContinuousClock.now
            while try await two.status("api/v1/orders", holder.0) == 200, ContinuousClock.now - start < .seconds(2) {}
            #expect(try await two.status("api/v1/orders", holder.0) == 401)
            #expect(await second.terminate() == 0)
        }

        @Test func `Without the database requests are refused for now`() async throws {
            let folder = try TemporaryFolder()
            let database = try await PostgreSQLServer()
            let (program, server) = try await start(on: try await database.makeDatabase(), in: folder)
            let token = try await server.signIn("Ada", isDispatcher: true)
            #expect(try await server.post("orders", token, body: Self.order).status == 201)
            #expect(try await server.status("ready") == 200)
            await database.stop()

            let refused = try await server.post("orders", token, body: Self.order)

            #expect(refused.status == 503)
            #expect(refused.json["type"] as? String == "urn:lading:problem:unavailable")
            #expect(refused.json["final"] as? Bool == false)
            #expect(try await server.status("health") == 200)
            #expect(try await server.status("ready") == 503)
            #expect(await program.terminate() == 0)
        }

        @Test func `A transaction that delays the change feed is reported`() async throws {
            let folder = try TemporaryFolder()
            let database = try await PostgreSQLServer()
            let address = try await database.makeDatabase()
            let (program, server) = try await start(on: address, in: folder)
            let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
            // A transaction takes its number when it writes.
            let slow = Task { try await client.write(["CREATE TABLE reports (id bigint)", "SELECT pg_sleep(20)"]) }
            let token = try await server.signIn("Ada", isDispatcher: true)
            #expect(try await server.post("orders", token, body: Self.order).status == 201)

            let warning = await program.error.lines.first { $0.contains("delays the change feed") }

            #expect(warning != nil)
            #expect(await program.terminate() == 0)
            await database.stop()
            _ = await slow.result
        }

        @Test func `Proofs are stored in an object store, and read by a server that has its address`() async throws {
            let (folder, objects) = (try TemporaryFolder(), try await ObjectStoreServer.running())
            let blobs = objects.makeAddress()
            let address = try await PostgreSQLServer.makeDatabase()
            let environment = ["LADING_DATABASE": address].merging(objects.permanent) { $1 }
            let (program, server) = try await start(["--blobs", blobs], environment, in: folder)
            let (dispatcher, mina) = (try await server.signIn("Ada", isDispatcher: true), try await server.signIn("Mina"))
            let id = try #require(try await server.post("orders", dispatcher, body: Self.order).json["order"] as? Int)
            let photo = OrderAPIJourneyTests.photo(length: 100_000)
            let digest = SHA256.hash(data: photo).hexString
            #expect(try await server.post("orders/\(id)/claim", mina).status == 200)

            #expect(try await server.put("orders/\(id)/proofs/\(digest)?kind=photo", mina, photo) == 201)

            #expect(try await server.status("api/v1/orders/\(id)/proofs/\(digest)", mina) == 200)
            let files = folder.url.appending(path: "proofs")
            let exported = try await Program.run(
                ["export", "--proofs", files.path, "--output", folder.url.appending(path: "orders.csv").path, "--blobs", blobs],
                environment: environment)
            #expect(exported.code == 0, "\(exported.error)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
            try await checkExport(ofOrder: id, missing: digest, besidePhotoOf: mina, server, address, ["--blobs", blobs], environment)
            #expect(await program.terminate() == 0)
            let (other, without) = try await start([], environment, in: folder)
            #expect(try await without.status("api/v1/orders/\(id)/proofs/\(digest)", mina) == 503)
            #expect(await other.terminate() == 0)
        }

        /// Checks that the proofs of an order are exported although the object store has lost the first one.
        private func checkExport(
            ofOrder id: Int, missing digest: String, besidePhotoOf courier: String, _ server: OrderAPIServer, _ address: String,
            _ options: [String], _ environment: [String: String]
        ) async throws {
            let photo = OrderAPIJourneyTests.photo(length: 50_000)
            #expect(try await server.put("orders/\(id)/proofs/\(SHA256.hash(data: photo).hexString)?kind=photo", courier, photo) == 201)
            let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
            try await client.write("UPDATE proofs SET content_key = 'proofs/none' WHERE digest = \(digest)")
            await client.shutDown()

            try await withTemporaryFolder { files in
                let run = try await Program.run(
                    ["export", "--state", "claimed", "--proofs", files.path] + options, environment: environment)

                #expect(run.code == 1 && run.error.contains("1 orders, 1 proofs"), "\(run.error)")
                #expect(run.error.contains("the proof \(digest) of order \(id)"), "\(run.error)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: files.path).count == 1)
            }
        }

        @Test func `A server does not start with an object store that it cannot use`() async throws {
            let objects = try await ObjectStoreServer.running()
            let blobs = objects.makeAddress()
            let database = ["LADING_DATABASE": "postgres://nobody@127.0.0.1:1/none"]
            var wrong = objects.permanent
            wrong["AWS_SECRET_ACCESS_KEY"] = "wrong"

            let missing = try await Program.run(["serve", "--blobs", blobs], environment: database)
            let refused = try await Program.run(["serve", "--blobs", blobs], environment: database.merging(wrong) { $1 })
            let invalid = try await Program.run(["serve", "--blobs", "http://bucket"], environment: database)
            let alone = try await Program.run(["serve", "--blobs", blobs])
            let exported = try await Program.run(["export", "--blobs", blobs])

            #expect(missing.code == 1 && missing.error.contains("set AWS_ACCESS_KEY_ID"))
            #expect(refused.code == 1 && refused.error.contains("check AWS_SECRET_ACCESS_KEY"))
            #expect(invalid.code == 64 && invalid.error.contains("--blobs"))
            #expect(alone.code == 64 && alone.error.contains("--database"))
            #expect(exported.code == 64 && exported.error.contains("--database"))
        }

        @Test func `A new epoch makes earlier positions and fences stale`() async throws {
            let folder = try TemporaryFolder()
            let (program, server) = try await start(on: try await PostgreSQLServer.makeDatabase(), in: folder)
            let (ada, mina) = (try await server.signIn("Ada", isDispatcher: true), try await server.signIn("Mina"))
            let id = try #require(try await server.post("orders", ada, body: Self.order).json["order"] as? Int)
            let position = try await server.position(ada)
            #expect(try await server.post("orders/\(id)/claim", mina).status == 200)

            let epoch = try await Program.run(["begin-epoch"], environment: server.environment)

            #expect(epoch.code == 0 && epoch.output.contains("a new epoch has begun"))
            #expect(try await server.status("api/v1/changes?after=\(position)", ada) == 410)
            #expect(
                try await server.post("orders/\(id)/release", mina, fence: 1).json["type"] as? String == "urn:lading:problem:stale-fence")
            let missing = try await Program.run("begin-epoch")
            #expect(missing.code == 64 && missing.error.contains("LADING_DATABASE"))
            #expect(await program.terminate() == 0)
        }

        private static let intactOutput = ["schema", "orders", "verdicts", "changes", "proofs", "uploads"]
            .map { "database/\($0): ok\n" }.joined()

        @Test func `A database is verified while a server runs, and each damage is found`() async throws {
            let (folder, objects) = (try TemporaryFolder(), try await ObjectStoreServer.running())
            let (address, blobs) = (try await PostgreSQLServer.makeDatabase(), objects.makeAddress())
            let environment = ["LADING_DATABASE": address].merging(objects.permanent) { $1 }
            let (program, server) = try await start(["--blobs", blobs], environment, in: folder)
            let (dispatcher, mina) = (try await server.signIn("Ada", isDispatcher: true), try await server.signIn("Mina"))
            let id = try #require(try await server.post("orders", dispatcher, body: Self.order).json["order"] as? Int)
            #expect(try await server.post("orders/\(id)/claim", mina).status == 200)
            let photo = OrderAPIJourneyTests.photo(length: 10_000)
            let digest = SHA256.hash(data: photo).hexString
            #expect(try await server.put("orders/\(id)/proofs/\(digest)?kind=photo", mina, photo) == 201)
            let client = PostgreSQLClient(try PostgreSQLConfiguration(address))

            let intact = try await Program.run(["check", "--blobs", blobs], environment: environment)
            let without = try await Program.run(["check"], environment: environment)
            let both = try await Program.run(["check", "--blobs", blobs, "--data", folder.url.path], environment: environment)
            try await client.write("UPDATE proofs SET content_key = 'proofs/none'")
            try await client.write("DELETE FROM order_events WHERE number = 2")
            let damaged = try await Program.run(["check", "--blobs", blobs], environment: environment)

            #expect(intact.code == 0 && intact.output == Self.intactOutput && intact.error == "", "\(intact)")
            #expect(without.code == 0)
            #expect(without.output.contains("database/proofs: ok (proofs in an object store that --blobs does not name: 1)\n"))
            #expect(both.code == 0 && both.output.hasPrefix("origin.sqlite: ok") && both.output.hasSuffix(Self.intactOutput), "\(both)")
            #expect(damaged.code == 1)
            #expect(damaged.output.contains("database/orders: damaged: order \(id): event 2 is missing\n"), "\(damaged)")
            #expect(damaged.output.contains("database/changes: damaged: a change refers to event 2 of order \(id), which does not exist\n"))
            let missing = "order \(id): the proof \(digest.prefix(12))… is not in the object store"
            #expect(damaged.output.contains("database/proofs: damaged: \(missing)\n"))
            #expect(damaged.output.contains("database/verdicts: ok\n"))
            #expect(damaged.error == "lading: 3 of 6 stores are damaged\n")
            #expect(await program.terminate() == 0)
            await client.shutDown()
        }

        @Test func `A database that is not one of this program is not verified further`() async throws {
            let address = try await PostgreSQLServer.makeDatabase()

            let foreign = try await Program.run(["check"], environment: ["LADING_DATABASE": address])
            let unreachable = try await Program.run(["check", "--database", "postgres://lading@127.0.0.1:1/none"])
            let alone = try await Program.run(["check", "--blobs", "s3://bucket"])

            #expect(foreign.code == 1 && foreign.output.hasPrefix("database/schema: damaged: tables of this release are missing"))
            #expect(foreign.output.split(separator: "\n").count == 1 && foreign.error == "lading: 1 of 1 stores are damaged\n")
            #expect(unreachable.code == 1 && unreachable.output == "" && unreachable.error.contains("Connection refused"))
            #expect(alone.code == 64 && alone.error.contains("--database"))
        }

        @Test func `A server ends when a later release has excluded it`() async throws {
            let folder = try TemporaryFolder()
            let address = try await PostgreSQLServer.makeDatabase()
            let (program, _) = try await start(on: address, in: folder)
            let client = PostgreSQLClient(try PostgreSQLConfiguration(address))

            try await client.write("INSERT INTO lading_migrations (name, excludes_earlier) VALUES ('later', true)")

            #expect(await program.waitForExit() == 1)
            #expect(await program.error.text().contains("update this program"))
            await client.shutDown()
        }

        @Test func `An address is refused with its reason and without its password`() async throws {
            let folder = try TemporaryFolder()
            let wrong = "postgres://lading:tops3cret@127.0.0.1:1/none"

            let visible = try await Program.run("serve", "--port", "0", "--data", folder.url.path, "--database", wrong)
            let unreachable = try await Program.run(
                ["serve", "--port", "0", "--data", folder.url.path], environment: ["LADING_DATABASE": wrong])
            let invalid = try await Program.run("people", "list", "--database", "postgres://host:port/")

            #expect(visible.code == 64 && visible.error.contains("LADING_DATABASE"))
            #expect(unreachable.code == 1 && unreachable.error.contains("Connection refused"))
            #expect(invalid.code == 1 && invalid.error.contains("--database"))
            for outcome in [visible, unreachable, invalid] { #expect(!(outcome.output + outcome.error).contains("tops3cret")) }
        }

        @Test func `A directory that a command names precedes the database of the environment`() async throws {
            let (folder, database) = (try TemporaryFolder(), ["LADING_DATABASE": "postgres://lading@127.0.0.1:1/none"])
            let file = folder.url.path + "/orders.csv"
            try Data("title,price,currency,address\nSoup,1,EUR,1 Ash Street\n".utf8).write(to: URL(filePath: file))
            let data = ["--data", folder.url.path + "/data"]

            let missing = try await Program.run(["people", "list"] + data, environment: database)
            let imported = try await Program.run(["import", file] + data, environment: database)
            let exported = try await Program.run(["export"] + data, environment: database)
            let both = try await Program.run(
                ["export", "--database", "postgres://lading@127.0.0.1:1/none"] + data, environment: database)
            let blobs = try await Program.run(["export", "--blobs", "s3://bucket"] + data, environment: database)

            #expect(missing.code == 1 && missing.error.contains("has no orders"), "\(missing.error)")
            #expect(imported.code == 0 && imported.output == "1 order created\n", "\(imported.error)")
            #expect(exported.code == 0 && exported.output.contains("Soup"), "\(exported.error)")
            for run in [missing, imported, exported] { #expect(run.error.contains("the database in $LADING_DATABASE is not used")) }
            #expect(both.code == 1 && both.error.contains("Connection refused"), "\(both.error)")
            #expect(blobs.code == 64 && blobs.error.contains("--blobs requires --database"), "\(blobs.error)")
        }

        @Test func `A database that requires TLS is refused in one line, with the mode to choose`() async throws {
            let folder = try TemporaryFolder()
            let database = try await EncryptedPostgreSQLServer()
            let address = database.address(["sslmode": "disable"])

            let refused = try await Program.run(
                ["serve", "--port", "0", "--data", folder.url.path], environment: ["LADING_DATABASE": address])

            #expect(refused.code == 1)
            #expect(refused.error.split(separator: "\n").count == 1, "\(refused.error)")
            #expect(refused.error.contains("no encryption") && refused.error.contains("sslmode=verify-full"))
            #expect(!refused.error.contains(database.password))
            await database.stop()
        }
    }
}
