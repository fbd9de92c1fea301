import Foundation
import LadingTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Journeys {
    /// A data directory of an earlier release: stored lists, three favourites that wait for the server, and a download at 31 %.
    @Suite final class CompatibilityJourneyTests: Sendable {
        /// The folder whose path is stored in the data directory.
        private static let folder = URL(filePath: "/tmp/lading-compatibility")
        /// The server whose address is stored in the data directory.
        private static let origin = "http://127.0.0.1:18200"
        private static var data: String { folder.appending(path: "data").path }

        init() async throws {
            try? FileManager.default.removeItem(at: Self.folder)
            let archive = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/data-before-renames.tar.gz")
            let unpacking = try await Program.shell(#"tar -xzf "$1" -C /tmp"#, [archive.path])
            #expect(unpacking.code == 0, "\(unpacking.error)")
        }

        deinit { try? FileManager.default.removeItem(at: Self.folder) }

        @Test func `Every store of an earlier release is intact`() async throws {
            let check = try await Program.run("check", "--data", Self.data)

            #expect(check.code == 0, "\(check.output)\(check.error)")
        }

        @Test func `Deliveries of an earlier release are displayed, and its waiting favourites are sent`() async throws {
            let offline = try await Program.run("deliveries", "--offline", "--json", "--data", Self.data, "--origin", Self.origin)
            let rows = try #require(
                try JSONSerialization.jsonObject(with: Data(offline.output.utf8)) as? [[String: Any]], "\(offline.error)")
            let (origin, _) = try await Program.start(
                "serve", "--port", "18200", "--in-memory", "--orders", "10", "--deliveries", "50",
                announcing: "The deliveries are served at ")
            let (window, _) = try await Program.start(
                "window", "--port", "0", "--data", Self.data, "--origin", Self.origin, announcing: "Lading is at ")

            let favourites = try await favourites(0..<3)

            #expect(rows.map { $0["id"] as? String } == (0..<20).map(String.init))
            #expect(rows.prefix(4).map { $0["isFavourite"] as? Bool } == [true, true, true, false])
            #expect(favourites == [true, true, true])
            #expect(await window.terminate() == 0)
            #expect(await origin.terminate() == 0)
        }

        @Test func `A download of an earlier release resumes after its stored bytes`() async throws {
            let stored = try Data(contentsOf: Self.folder.appending(path: ".big.3dp68jta.part"))
            let length = 300_000
            let server = try ScriptedServer { request in
                let range = request["Range"].flatMap { $0.firstMatch(of: /bytes=(\d+)-/) }
                guard request["If-Range"] == #""fce1c1-18eac4763c0d7476-493e0""#, let first = range.flatMap({ Int($0.1) }) else {
                    return [.send("HTTP/1.1 500 Internal Server Error\r\nContent-Length: 0\r\n\r\n")]
                }
                let head = """
                    HTTP/1.1 206 Partial Content\r\nETag: "fce1c1-18eac4763c0d7476-493e0"\r\n\
                    Content-Range: bytes \(first)-\(length - 1)/\(length)\r\nContent-Length: \(length - first)\r\n\r\n
                    """
                return [.send(head), .send([UInt8](repeating: 7, count: length - first))]
            }
            defer { server.stop() }

            let resumed = try await Program.run(
                "transfers", "resume", "3dp68jta", "--url", server.url("/uploads/big").absoluteString, "--data", Self.data)

            let file = try Data(contentsOf: Self.folder.appending(path: "big"))
            let first = file.lastIndex { $0 != 7 }.map { $0 + 1 } ?? 0
            #expect(resumed.code == 0, "\(resumed.error)")
            #expect(file.count == length && first >= 93_000 && file.prefix(first) == stored.prefix(first))
        }

        /// Requests the favourites of these deliveries until the server has received all of them: polls, because the server sends no notification.
        private func favourites(_ ids: Range<Int>) async throws -> [Bool] {
            var favourites: [Bool] = []
            for _ in 0..<200 where !favourites.contains(true) || favourites.contains(false) {
                favourites = []
                for id in ids {
                    let url = try #require(URL(string: "\(Self.origin)/v1/deliveries/\(id)/favourite"))
                    let (body, _) = try await URLSession.shared.data(from: url)
                    favourites.append(String(decoding: body, as: UTF8.self).contains(#""favourite":true"#))
                }
                try await Task.sleep(for: .milliseconds(50))
            }
            return favourites
        }
    }
}
