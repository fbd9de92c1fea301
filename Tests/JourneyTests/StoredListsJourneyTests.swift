import Foundation
import LadingTesting
import TemporaryFolders
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension ServerJourneys {
    /// Orders and photo lists after a restart and a kill, without their server, over real sockets and files.
    @Suite final class StoredListsJourneyTests: Sendable {
        private let temporaryFolder: TemporaryFolder
        private var folder: URL { temporaryFolder.url }

        init() throws {
            temporaryFolder = try TemporaryFolder(named: "stored-lists")
        }

        private func text(_ address: String) async throws -> (status: Int, text: String) {
            let (data, response) = try await URLSession.shared.data(from: try #require(URL(string: address)))
            return (try #require(response as? HTTPURLResponse).statusCode, String(decoding: data, as: UTF8.self))
        }

        private func origin() async throws -> (program: ChildProcess, address: String) {
            let (program, list) = try await Program.start(
                "serve", "--port", "0", "--in-memory", "--orders", "60", "--deliveries", "1", announcing: "The orders are served at ")
            let url = try #require(URL(string: list))
            return (program, "http://\(try #require(url.host())):\(try #require(url.port))")
        }

        private func window(on origin: String, _ options: String...) async throws -> (program: ChildProcess, address: String) {
            let storing = options.isEmpty ? ["--data", folder.path] : options
            return try await Program.start(
                ["window", "--port", "0", "--origin", origin, "--retries", "0"] + storing, announcing: "Lading is at ")
        }

        /// Requests every kind of page once. Returns the path of an item's image, the sol, and the path of the photo.
        private func visitPages(_ page: String) async throws -> (picture: String, sol: String, photo: String) {
            #expect(try await text(page + "orders?plain=1").text.matches(of: /data-state="loaded"/).count == 30)
            let order = try await text(page + "orders/7?plain=1").text
            let image = try #require(order.firstMatch(of: /\/orders\/items\/\d+\/picture/)).output
            #expect(try await text(page + image.dropFirst()).text.contains("<svg"))
            #expect(try await text(page + "photos").text.contains("Curiosity"))
            let sol = try await text(page + "photos/curiosity?plain=1").text
            let photo = try #require(sol.firstMatch(of: /href="\/(photos\/curiosity\/(\d+)\/[^"?\/]+)"/))
            #expect(try await text(page + photo.1 + "/picture").status == 200)
            return (String(image.dropFirst()), String(photo.2), String(photo.1))
        }

        @Test func `Visited pages survive a restart and a kill without their server`() async throws {
            let (server, origin) = try await origin()
            let (first, page) = try await window(on: origin)
            let seen = try await visitPages(page)
            #expect(await first.terminate() == 0)
            #expect(await server.terminate() == 0)

            // The second program is killed.
            for isKilled in [true, false] {
                let (program, page) = try await window(on: origin)
                let list = try await text(page + "orders?plain=1").text
                #expect(list.contains("60 orders"))
                #expect(list.matches(of: /data-state="loaded"/).count == 30)
                #expect(list.contains("cannot reach") || list.contains("127.0.0.1"))
                let found = try await text(page + "orders?plain=1&sort=priceDown").text
                #expect(found.matches(of: /data-state="loaded"/).count == 30)
                let order = try await text(page + "orders/7?plain=1")
                #expect(order.status == 200 && order.text.contains("Stored"))
                #expect(try await text(page + seen.picture).text.contains("<svg"))
                #expect(try await text(page + "photos").text.contains("rovers-stored"))
                let sol = try await text(page + "photos/curiosity/\(seen.sol)?plain=1").text
                #expect(sol.contains(seen.photo))
                #expect(try await text(page + seen.photo).status == 200)
                #expect(try await text(page + seen.photo + "/picture").status == 200)
                if isKilled {
                    program.signal(SIGKILL)
                    #expect(await program.waitForExit() == -SIGKILL)
                } else {
                    #expect(await program.terminate() == 0)
                }
            }
        }

        @Test func `A damaged store is quarantined and reported and the window works`() async throws {
            let (server, origin) = try await origin()
            let (first, page) = try await window(on: origin)
            _ = try await visitPages(page)
            #expect(await first.terminate() == 0)
            let feeds = folder.appending(path: "feeds")
            let files = try FileManager.default.contentsOfDirectory(at: feeds, includingPropertiesForKeys: nil)
            for file in files where file.pathExtension == "sqlite" { try Data(repeating: 7, count: 8_192).write(to: file) }

            let (second, again) = try await window(on: origin)
            _ = try await visitPages(again)
            #expect(await second.terminate() == 0)

            #expect(await second.error.text().contains("was damaged"))
            #expect(await server.terminate() == 0)
        }

        @Test func `A damaged outbox is reported on standard error and on the page`() async throws {
            let (server, origin) = try await origin()
            let (first, _) = try await window(on: origin)
            #expect(await first.terminate() == 0)
            try Data(repeating: 7, count: 8_192).write(to: folder.appending(path: "deliveries/outbox.sqlite"))

            let (second, page) = try await window(on: origin)
            let shown = try await text(page + "deliveries?plain=1").text
            #expect(await second.terminate() == 0)

            #expect(shown.contains("others may be lost"))
            #expect(await second.error.text().contains("lading: the file of pending favourites was damaged"))
            #expect(await server.terminate() == 0)
        }

        @Test func `An in-memory window has no data after a restart`() async throws {
            let (server, origin) = try await origin()
            let (first, page) = try await window(on: origin, "--in-memory")
            _ = try await visitPages(page)
            #expect(await first.terminate() == 0)
            #expect(await server.terminate() == 0)

            let (second, again) = try await window(on: origin)
            #expect(try await text(again + "orders?plain=1").text.matches(of: /data-state="loaded"/).isEmpty)
            #expect(await second.terminate() == 0)
        }
    }
}
