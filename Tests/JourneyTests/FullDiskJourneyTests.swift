import Foundation
import LadingTesting
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// Servers that start on a full disk: a real one, over real sockets.
    @Suite(.enabled(if: RAMDisk.isSupported, "only root may mount a disk")) struct FullDiskJourneyTests {
        private static let list = "swift-concurrency/orders.plist"
        private static let city = ["--orders", "60", "--deliveries", "40"]

        /// A running program and the address that it announced.
        private typealias LaunchedServer = (program: ChildProcess, address: String)

        private func serve(in folder: URL, _ options: [String] = []) async throws -> LaunchedServer {
            let (program, list) = try await Program.start(
                ["serve", "--port", "0", "--data", folder.appending(path: "origin").path] + Self.city + options,
                announcing: "The orders are served at ")
            return (program, String(list.dropLast(Self.list.count)))
        }

        private func window(on origin: String, in folder: URL) async throws -> LaunchedServer {
            try await Program.start(
                "window", "--port", "0", "--origin", origin, "--data", folder.appending(path: "window").path, announcing: "Lading is at ")
        }

        private func proxy(to origin: String, in folder: URL) async throws -> LaunchedServer {
            try await Program.start(
                "proxy", "--port", "0", "--origin", origin, "--data", folder.appending(path: "proxy").path, announcing: "The cache is at ")
        }

        private struct ReceivedResponse {
            let status: Int
            let mediaType: String?
            let text: String

            /// Whether it is a problem document of a full disk.
            var isFullDiskProblem: Bool {
                status == 507 && mediaType == "application/problem+json" && text.contains(#""status":507"#)
            }
        }

        private func response(to request: URLRequest) async throws -> ReceivedResponse {
            let (data, response) = try await URLSession.shared.data(for: request)
            let head = try #require(response as? HTTPURLResponse)
            let mediaType = head.value(forHTTPHeaderField: "Content-Type")
            return ReceivedResponse(status: head.statusCode, mediaType: mediaType, text: String(decoding: data, as: UTF8.self))
        }

        private func response(from address: String) async throws -> ReceivedResponse {
            try await response(to: URLRequest(url: try #require(URL(string: address))))
        }

        private func send(
            _ method: String, _ body: String, to address: String, _ fields: [String: String]
        ) async throws -> ReceivedResponse {
            var request = URLRequest(url: try #require(URL(string: address)))
            request.httpMethod = method
            for (name, value) in fields { request.setValue(value, forHTTPHeaderField: name) }
            request.httpBody = Data(body.utf8)
            return try await response(to: request)
        }

        private func markFavourite(_ action: String, at page: String) async throws -> ReceivedResponse {
            try await send(
                "POST", "favourite=true", to: page + String(action.drop { $0 == "/" }),
                ["Content-Type": "application/x-www-form-urlencoded", "Accept": "*/*"])
        }

        /// Sets favourites on a server until it refuses one: allocated pages of a file may accept some.
        private func refusedFavourite(at server: String) async throws -> ReceivedResponse {
            for number in 0..<1_000 {
                let response = try await send(
                    "PUT", #"{"favourite":true,"at":"2026-05-15T12:00:00Z"}"#, to: server + "v1/deliveries/7/favourite",
                    ["Content-Type": "application/json", "Idempotency-Key": "\"\(number)\""])
                guard response.status == 200 else { return response }
            }
            throw CancellationError()
        }

        /// Runs all programs once to create their data.
        private func createData(in folder: URL) async throws {
            let server = try await serve(in: folder)
            let (window, proxy) = (try await window(on: server.address, in: folder), try await proxy(to: server.address, in: folder))
            #expect(try await response(from: window.address + "deliveries?plain=1").status == 200)
            for started in [window, proxy, server] { #expect(await started.program.terminate() == 0) }
            try removeReclaimableFiles(in: folder)
        }

        /// Removes the files that a stopped program leaves beside its databases, which the next one would remove to gain space.
        private func removeReclaimableFiles(in folder: URL) throws {
            let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL } ?? []
            for file in files where ["-shm", "-sum"].contains(where: file.lastPathComponent.hasSuffix) {
                try FileManager.default.removeItem(at: file)
            }
        }

        @Test(arguments: [false, true])
        func `Servers start on a full disk, serve their lists and report what is not stored`(hasData: Bool) async throws {
            let disk = try RAMDisk(mebibytes: 8)
            defer { disk.unmount() }
            if hasData { try await createData(in: disk.folder) }
            try disk.fill()

            let server = try await serve(in: disk.folder)
            let window = try await window(on: server.address, in: disk.folder)
            let proxy = try await proxy(to: server.address, in: disk.folder)
            // The files removed by the programs at their start have freed space.
            try disk.fill()
            for address in [server.address, proxy.address] {
                let list = try await response(from: address + Self.list)
                #expect(list.status == 200 && list.text.contains("plist"))
                #expect(try await response(from: address + "deliveries?offset=0&limit=20").status == 200)
            }
            let orders = try await response(from: window.address + "orders?plain=1").text
            let deliveries = try await response(from: window.address + "deliveries?plain=1").text
            let action = try #require(deliveries.firstMatch(of: /action="([^"]*\/favourite)/)).1

            #expect(orders.matches(of: /data-state="loaded"/).count == 30)
            #expect(deliveries.contains("The program’s disk is full."))
            let mark = try await markFavourite(String(action), at: window.address)
            #expect(mark.isFullDiskProblem, "\(mark)")
            let upload = try await send(
                "PUT", "content", to: server.address + "uploads/x", ["Content-Type": "application/octet-stream"])
            #expect(upload.isFullDiskProblem, "\(upload)")
            let favourite = try await refusedFavourite(at: server.address)
            #expect(favourite.isFullDiskProblem, "\(favourite)")
            #expect(try await response(from: server.address + "uploads/x").status == 404)
            for started in [window, proxy, server] { #expect(await started.program.terminate() == 0) }
            try await expect(server.program, toPrint: ["favourites and uploads are not stored"])
            try await expect(proxy.program, toPrint: ["responses are not stored"])
            try await expect(
                window.program,
                toPrint: ["deliveries and favourites are not stored", "orders and photo lists are not stored", "images are not stored"])
        }

        private func expect(_ program: ChildProcess, toPrint texts: [String]) async throws {
            let lines = await program.error.text().split(separator: "\n").filter { $0.hasPrefix("lading: the disk of /") }
            for text in texts { #expect(lines.contains { $0.contains(" is full: \(text); ") }) }
        }

        @Test(arguments: [false, true])
        func `A server with a webhook starts on a full disk`(hasData: Bool) async throws {
            let disk = try RAMDisk(mebibytes: 8)
            defer { disk.unmount() }
            let webhook = ["--webhook", "http://127.0.0.1:1/hook"]
            if hasData {
                let server = try await serve(in: disk.folder, webhook)
                #expect(await server.program.terminate() == 0)
                try removeReclaimableFiles(in: disk.folder)
            }
            try disk.fill()

            let server = try await serve(in: disk.folder, webhook)
            let list = try await response(from: server.address + Self.list)

            #expect(list.status == 200 && list.text.contains("plist"))
            #expect(await server.program.terminate() == 0)
            try await expect(
                server.program,
                toPrint: ["favourites and uploads are not stored"] + (hasData ? [] : ["changes are not sent to the webhook"]))
        }

        @Test func `A database that cannot be read on a full disk is not called damaged`() async throws {
            let disk = try RAMDisk(mebibytes: 8)
            defer { disk.unmount() }
            let server = try await serve(in: disk.folder)
            server.program.signal(SIGKILL)
            #expect(await server.program.waitForExit() == -SIGKILL)
            try removeReclaimableFiles(in: disk.folder)
            try disk.fill()

            let check = try await Program.run("check", "--data", disk.folder.appending(path: "origin").path)

            #expect(check.code == 1 && check.output.contains("origin.sqlite: cannot be checked: "), "\(check.output)")
            #expect(!check.output.contains("damaged") && check.error.hasPrefix("lading: 1 of "), "\(check.error)")
        }

        @Test func `The demo starts on a full disk`() async throws {
            let disk = try RAMDisk(mebibytes: 8)
            defer { disk.unmount() }
            try disk.fill()

            let demo = try await Program.start(
                ["run", "--port", "0", "--data", disk.folder.path] + Self.city, announcing: "Lading is at ")
            let orders = try await response(from: demo.address + "orders?plain=1").text
            let code = await demo.program.terminate()

            #expect(orders.matches(of: /data-state="loaded"/).count == 30)
            #expect(code == 0)
            try await expect(demo.program, toPrint: ["favourites and uploads are not stored", "transfers do not run"])
        }

        @Test(arguments: [
            (
                ["deliveries", "--deliveries-url", "BASE/d", "--data", "DISK"],
                "the disk of DISK/deliveries/ is full: deliveries are not stored"
            ),
            (
                ["deliveries", "--deliveries-url", "BASE/d", "--data", "FOLDER", "--trace", "DISK/trace.json"],
                "cannot write the trace to DISK/trace.json: the disk is full"
            ),
            (
                ["deliveries", "--deliveries-url", "BASE/d", "--data", "FOLDER", "--record", "DISK/record"],
                "cannot write the recording DISK/record"
            ),
        ])
        func `A command reports that the disk of its files is full`(command: [String], words: String) async throws {
            let disk = try RAMDisk(mebibytes: 1)
            defer { disk.unmount() }
            try disk.fill()

            try await withTemporaryFolder { folder in
                let run = try await StubOrderServer(documents: ["/d": #"[{"id":1,"description":"a"}]"#]).serve { base in
                    let arguments = command.map { word in
                        word.replacing("BASE", with: base).replacing("DISK", with: disk.folder.path)
                            .replacing("FOLDER", with: folder.path)
                    }
                    return try await Program.run(arguments + ["--retries", "0"])
                }

                #expect(run.code == 1)
                #expect(run.error.contains(words.replacing("DISK", with: disk.folder.path)), "\(run.error)")
            }
        }

        @Test func `A backup, a restore and an export name the disk or the file that is full, and leave nothing`() async throws {
            let disk = try RAMDisk(mebibytes: 4)
            defer { disk.unmount() }
            try await withTemporaryFolder { folder in
                let (data, full, backup) = (folder.path + "/data", disk.folder.path + "/data", folder.path + "/backup.sqlite")
                for directory in [data, full] {
                    #expect(try await Program.run("people", "add", "Mina", "--data", directory).code == 0)
                }
                #expect(try await Program.run("backup", backup, "--data", data).code == 0)
                try disk.fill()

                let written = try await Program.run("backup", disk.folder.path + "/copy.sqlite", "--data", data)
                let restored = try await Program.run("restore", backup, "--data", full)
                let exported = try await Program.run("export", "--output", disk.folder.path + "/orders.csv", "--data", data)

                for run in [written, restored, exported] {
                    #expect(run.code == 1 && run.error.contains("full: free up space"), "\(run.error)")
                }
                #expect(!restored.error.contains(folder.path), "\(restored.error)")
                #expect(exported.error.hasPrefix("lading: cannot write \(disk.folder.path)/orders.csv: "), "\(exported.error)")
                #expect(try FileManager.default.contentsOfDirectory(atPath: disk.folder.path).sorted() == ["data", "filling"])
            }
        }

        @Test func `Photos that cannot be saved on a full disk are reported`() async throws {
            let disk = try RAMDisk(mebibytes: 1)
            defer { disk.unmount() }
            try disk.fill()
            let (origin, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "1", "--deliveries", "1", announcing: "The orders are served at ")

            let run = try await Program.run(
                "photos", "--rover", "perseverance", "--sol", "1000", "--camera", "skycam", "--origin",
                String(list.dropLast(Self.list.count)), "--save", disk.folder.path)

            #expect(run.code == 1)
            #expect(run.error.contains("cannot write \(disk.folder.path)/") && run.error.contains("the disk is full"), "\(run.error)")
            #expect(await origin.terminate() == 0)
        }

        @Test func `A download on a full disk ends with an error`() async throws {
            let (data, target) = (try RAMDisk(mebibytes: 1), FileManager.default.temporaryDirectory)
            defer { data.unmount() }
            try data.fill()

            let outcome = try await Program.run(
                "download", "http://127.0.0.1:1/a", "--to", target.appending(path: UUID().uuidString).path, "--data", data.folder.path)

            #expect(outcome.code == 1 && outcome.error.contains("the disk is full"))
        }
    }
}
