import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import NIOCore
import NIOSSL
import TemporaryFolders
import TestCertificates
import Testing

extension ServerJourneys {
    /// The web page over HTTPS.
    @Suite struct SecureJourneyTests {
        private static let showing = "Lading is at "

        private func write(_ text: String, to name: String, in directory: URL) throws -> String {
            let file = directory.appending(path: name)
            try Data(text.utf8).write(to: file)
            return file.path
        }

        @Test(arguments: ["run", "window"]) func `With a certificate and its key the page is served by https`(command: String) async throws
        {
            try await withTemporaryFolder { directory in
                let pair = try SelfSignedCertificate()
                let files = (
                    "--tls-cert", try write(pair.certificate, to: "cert.pem", in: directory), "--tls-key",
                    try write(pair.key, to: "key.pem", in: directory)
                )
                let (program, address) = try await Program.start(
                    [command, "--port", "0", files.0, files.1, files.2, files.3, "--in-memory"], announcing: Self.showing)

                let page = try await get(address, trusting: pair)

                #expect(address.hasPrefix("https://127.0.0.1:"))
                #expect(page.contains("<!doctype html>"))
                #expect(await program.terminate() == 0)
                #expect(await program.error.text() == "")
            }
        }

        private func get(_ address: String, trusting pair: SelfSignedCertificate) async throws -> String {
            var configuration = TLSConfiguration.makeClientConfiguration()
            configuration.trustRoots = .certificates([try NIOSSLCertificate(bytes: Array(pair.certificate.utf8), format: .pem)])
            let port = try #require(URL(string: address)?.port)
            return try await TestClient.withClient(
                host: "127.0.0.1", port: port, configuration: .init(tlsConfiguration: configuration, serverName: "localhost")
            ) { client in
                let response = try await client.execute(.init("/", method: .get, authority: "localhost:\(port)", headers: [:]))
                return String(buffer: response.body ?? ByteBuffer())
            }
        }

        @Test func `A certificate or key without the other is a usage error`() async throws {
            for option in ["--tls-cert", "--tls-key"] {
                let run = try await Program.run("window", option, "some.pem")

                #expect(run.code == 64)
                #expect(run.error.contains("--tls-cert") && run.error.contains("--tls-key"))
            }
        }

        @Test func `Missing, invalid and mismatched TLS files are reported by name`() async throws {
            try await withTemporaryFolder { directory in
                let (pair, other) = (try SelfSignedCertificate(), try SelfSignedCertificate())
                let certificate = try write(pair.certificate, to: "cert.pem", in: directory)
                let key = try write(pair.key, to: "key.pem", in: directory)
                let otherKey = try write(other.key, to: "other.pem", in: directory)
                let missing = directory.appending(path: "missing.pem").path

                for (cert, key, words) in [
                    (missing, key, ["certificate", missing, "No such file"]),
                    (certificate, missing, ["private key", missing, "No such file"]),
                    (key, key, ["certificate", key, "not found in the file"]),
                    (certificate, certificate, ["private key", certificate, "not found in the file"]),
                    (certificate, otherKey, ["does not match", otherKey, certificate]),
                    (directory.path, key, ["certificate", directory.path]),
                ] {
                    let run = try await Program.run("window", "--port", "0", "--tls-cert", cert, "--tls-key", key, "--in-memory")

                    #expect(run.code == 1)
                    #expect(words.allSatisfy(run.error.contains), "\(run.error)")
                    #expect(run.error.hasPrefix("lading: ") && run.error.split(separator: "\n").count == 1)
                    #expect(run.output == "")
                }
            }
        }
    }
}
