import Foundation
import HTTPTypes
import LadingHTTP
import LadingTesting
import TemporaryFolders
import Testing

extension Journeys {
    /// Recordings of a window in which people sign in.
    @Suite struct RecordedSignInTests {
        @Test func `A window records neither the secrets of links nor tokens`() async throws {
            try await withTemporaryFolder { folder in
                let record = folder.appending(path: "record")
                let (program, link) = try await Program.start(
                    "run", "--port", "0", "--orders", "1", "--deliveries", "1", "--data", folder.appending(path: "data").path, "--record",
                    record.path, announcing: "The first dispatcher signs in, once and until tomorrow, with the link ")
                let parts = link.split(separator: "#").map(String.init)
                let demo = try #require(try await page(at: parts[0]).firstMatch(of: /name="demo" value="([^"]+)"/)).1

                let tokens = [
                    try await signIn("secret=\(parts[1])", at: parts[0]), try await signIn("demo=\(demo)", at: parts[0]),
                ]
                for token in tokens { _ = try await response(to: RequestMessage(url: url(parts[0]), headers: [.cookie: "token=\(token)"])) }
                _ = await program.terminate()

                let exchanges = try FileManager.default.subpathsOfDirectory(atPath: record.path)
                #expect(exchanges.count { $0.hasSuffix("-me/exchange.json") } == 2, "\(exchanges)")
                for secret in [parts[1]] + tokens { #expect(try record.files(containing: secret) == []) }
            }
        }

        /// Signs in with a form, and returns the token of the cookie.
        private func signIn(_ form: String, at page: String) async throws -> String {
            let head = try await response(
                to: RequestMessage(
                    method: .post, url: url(page), headers: [.contentType: "application/x-www-form-urlencoded"],
                    body: .bytes(Array(form.utf8))))
            return String(try #require(head.headers[.setCookie]?.firstMatch(of: /token=([^;]+)/)).1)
        }

        private func url(_ address: String) throws -> URL { try #require(URL(string: address)) }

        /// Returns the head of a response, without following a redirect.
        private func response(to message: RequestMessage) async throws -> ResponseHead {
            try await URLSessionExecutor().execute(message, timeLimit: .seconds(60)) { head, _ in head }
        }

        private func page(at address: String) async throws -> String {
            let message = RequestMessage(url: try url(address), headers: [.acceptEncoding: "identity"])
            return try await URLSessionExecutor().execute(message, timeLimit: .seconds(60)) { _, body in
                var bytes: [UInt8] = []
                for try await chunk in body { bytes += chunk }
                return String(decoding: bytes, as: UTF8.self)
            }
        }
    }
}
