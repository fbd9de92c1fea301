import Foundation
import LadingTesting
import ScriptedServers
import Testing

extension Journeys {
    /// A data directory of an earlier release: stored lists, three favourites that wait for the server, a download at 31 % and an upload at 40 %.
    ///
    /// That program wrote the directory, except the row of the upload and the dates at which the favourites were queued: 2100, so that they do not
    /// expire. These were added in its format, with its checksums.
    @Suite final class CompatibilityJourneyTests: Sendable {
        /// The folder of the download. Its absolute path is part of the stored transfer, whose row has a checksum, so that it cannot differ here.
        private static let folder = URL(filePath: "/tmp/lading-compatibility")
        /// The port of the server. The names of the stored lists are hashes of its URL, and the rows of waiting writes contain it and a checksum.
        private static let port: UInt16 = 18_200
        private static var origin: String { "http://127.0.0.1:\(port)" }
        /// The idempotency keys of the waiting favourites.
        private static let keys = [
            "1bf988ef-2005-4345-92ab-b6db62b0703b", "7f056442-e392-45a4-9273-5cfcf1ce2236",
            "277ab48a-6979-4f51-a82b-11021ed3190c",
        ]
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
            let server = try ScriptedServer(port: Self.port) { request in
                guard Self.isFavourite(request) else { return [.send("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")] }
                let answer = String(decoding: request.body, as: UTF8.self)
                return [.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(answer.utf8.count)\r\n\r\n\(answer)")]
            }
            defer { server.stop() }
            let (window, _) = try await Program.start(
                "window", "--port", "0", "--data", Self.data, "--origin", Self.origin, announcing: "Lading is at ")

            try await server.wait { $0.requests.count(where: Self.isFavourite) >= Self.keys.count }

            #expect(rows.map { $0["id"] as? String } == (0..<20).map(String.init))
            #expect(rows.prefix(4).map { $0["isFavourite"] as? Bool } == [true, true, true, false])
            #expect(await window.terminate() == 0)
            let writes = server.log.requests.filter(Self.isFavourite)
            #expect(writes.map(\.target).sorted() == (0..<3).map { "/v1/deliveries/\($0)/favourite" })
            #expect(writes.compactMap { $0["Idempotency-Key"] }.sorted() == Self.keys.map { #""\#($0)""# }.sorted())
            #expect(writes.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains(#""favourite":true"#) })
        }

        private static func isFavourite(_ request: ReceivedRequest) -> Bool {
            request.method == "PUT" && request.target.hasSuffix("/favourite")
        }

        @Test func `An upload of an earlier release resumes after its confirmed bytes`() async throws {
            let source = try Data(contentsOf: Self.folder.appending(path: "source"))
            let confirmed = 120_000
            let server = try ScriptedServer(port: Self.port) { request in
                let (offset, isComplete) = (confirmed + request.body.count, request["Upload-Complete"] ?? "?0")
                return [.send("HTTP/1.1 204 No Content\r\nUpload-Offset: \(offset)\r\nUpload-Complete: \(isComplete)\r\n\r\n")]
            }
            defer { server.stop() }

            let resumed = try await Program.run("transfers", "resume", "8jta3dp6", "--data", Self.data)

            let requests = server.log.requests
            #expect(resumed.code == 0, "\(resumed.error)")
            #expect(requests.map { "\($0.method) \($0.target)" } == ["HEAD /uploads/resources/5f2c", "PATCH /uploads/resources/5f2c"])
            #expect(requests.last?["Upload-Offset"] == "\(confirmed)")
            #expect(requests.last.map { Data($0.body) } == Data(source.dropFirst(confirmed)))
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
    }
}
