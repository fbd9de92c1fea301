import Foundation
@testable import PostgreSQLClient
import PostgreSQLFixtures
import Testing

/// The modes of TLS that the address of a database selects.
@Suite("TLS of PostgreSQL")
struct TLSTests {
    private static let server = Task { try await EncryptedPostgreSQLServer() }

    private func isEncrypted(_ address: String) async throws -> Bool {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
        let row = try await client.read("SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()").first
        await client.shutDown()
        return try row?.value("ssl") ?? false
    }

    /// Returns the text of the error of a connection.
    private func rejection(_ address: String) async throws -> String {
        let client = PostgreSQLClient(try PostgreSQLConfiguration(address))
        let error = await #expect(throws: PostgreSQLError.self) { try await client.read("SELECT 1") }
        await client.shutDown()
        guard case .unreachable = error else { throw try #require(error) }
        let (text, password) = (try #require(error).description, try await Self.server.value.password)
        #expect(!text.contains("\n"))
        #expect(!text.contains(password))
        return text
    }

    // MARK: - Encryption

    @Test(arguments: ["prefer", "require"])
    func `A connection to a server that accepts only encrypted ones is encrypted`(_ mode: String) async throws {
        let address = try await Self.server.value.address(["sslmode": mode])

        #expect(try await isEncrypted(address))
    }

    @Test func `A refused connection without encryption is an error that names the mode to choose`() async throws {
        let text = try await rejection(try await Self.server.value.address(["sslmode": "disable"]))

        #expect(text.contains("no encryption"))
        #expect(text.contains("sslmode=require"))
    }

    @Test func `A server without TLS refuses a connection that requires it`() async throws {
        let text = try await rejection(try await PostgreSQLServer.makeDatabase() + "?sslmode=require")

        #expect(text.contains("the server has no TLS"))
    }

    @Test func `A wrong password of an encrypted connection is no problem of TLS`() async throws {
        let server = try await Self.server.value
        let text = try await rejection(server.address([:]).replacing(server.password, with: "tops3cret"))

        #expect(text.contains("password authentication failed"))
        #expect(!text.contains("sslmode="))
        #expect(!text.contains("tops3cret"))
    }

    // MARK: - Certificates

    @Test func `A server is verified with its certificate and its host name`() async throws {
        let server = try await Self.server.value

        #expect(try await isEncrypted(server.address(["sslmode": "verify-full", "sslrootcert": server.certificate.path])))
    }

    @Test func `A server whose certificate another authority has issued is refused`() async throws {
        let server = try await Self.server.value
        let text = try await rejection(server.address(["sslmode": "verify-full", "sslrootcert": server.otherCertificate.path]))

        #expect(text.contains("certificate verify failed"))
        #expect(text.contains("name the certificate of the authority"))
    }

    @Test func `A server with a certificate for another host name is refused`() async throws {
        let server = try await Self.server.value
        let options: KeyValuePairs = ["sslmode": "verify-full", "sslrootcert": server.certificate.path]
        let text = try await rejection(server.address(host: "db.example.org", options))

        #expect(text.contains(#"server certificate for "localhost""#))
        #expect(text.contains(#"does not match host name "db.example.org""#))
        #expect(text.contains("write a host name of the server's certificate"))
    }

    @Test func `A certificate of an authority that is not there is named`() async throws {
        let text = try await rejection(try await Self.server.value.address(["sslmode": "verify-full", "sslrootcert": "/none/root.crt"]))

        #expect(text.contains(#"root certificate file "/none/root.crt" does not exist"#))
    }

    @Test func `A client certificate replaces the password of its user`() async throws {
        let server = try await Self.server.value
        let options: KeyValuePairs = ["sslmode": "require", "sslcert": server.client.certificate.path, "sslkey": server.client.key.path]

        #expect(try await isEncrypted(server.certifiedAddress(options)))
        let text = try await rejection(server.certifiedAddress(["sslmode": "require"]))
        #expect(text.contains("requires a valid client certificate"))
        #expect(text.contains("sslcert"))
    }

    // MARK: - Messages

    private static let messages: [(String, TLSProblem?)] = [
        (#"FATAL: no pg_hba.conf entry for host "10.0.0.1", user "lading", database "lading", no encryption"#, .encryptionRequired),
        (#"FATAL: no pg_hba.conf entry for host "10.0.0.1", user "lading", database "lading", SSL off"#, .encryptionRequired),
        ("server does not support SSL, but SSL was required", .encryptionUnsupported),
        ("SSL error: certificate verify failed", .unknownAuthority),
        (#"server certificate for "a" does not match host name "b""#, .wrongHostName),
        ("FATAL: connection requires a valid client certificate", .clientCertificateRequired),
        ("SSL error: tlsv1 alert unknown ca", .unknownClientAuthority),
        ("FATAL: password authentication failed FATAL: no pg_hba.conf entry for host, no encryption", nil),
        ("Connection refused", nil),
        (#"FATAL: no pg_hba.conf entry for host "10.0.0.1", user "lading", database "lading", SSL encryption"#, nil),
    ]

    @Test(arguments: messages)
    func `A problem is found in the message of libpq`(_ message: String, _ problem: TLSProblem?) {
        #expect(TLSProblem(message: message) == problem)
    }
}
