package import Foundation
import PostgreSQLClient
import TemporaryFolders

/// A temporary PostgreSQL server that accepts only encrypted connections to `localhost`, those of one user only with a certificate.
package struct EncryptedPostgreSQLServer: Sendable {
    /// The user who has a certificate in place of a password.
    private static let certifiedUser = "certified"
    private static let accessRules = """
        hostssl all \(certifiedUser) 127.0.0.1/32 cert
        hostssl all all 127.0.0.1/32 scram-sha-256

        """

    /// The certificate of the server.
    package let certificate: URL
    /// The certificate of another server.
    package let otherCertificate: URL
    /// The certificate of the user without a password, and its key.
    package let client: OpenSSLCertificate
    private let folder: TemporaryFolder
    private let server: PostgreSQLServer

    /// Starts a server.
    package init() async throws {
        folder = try TemporaryFolder()
        let files = folder.url.appending(path: "files")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: false)
        certificate = try await OpenSSLCertificate(of: "localhost", as: "server", in: files).certificate
        otherCertificate = try await OpenSSLCertificate(of: "localhost", as: "other", in: folder.url).certificate
        client = try await OpenSSLCertificate(of: Self.certifiedUser, as: "client", in: folder.url)
        try FileManager.default.copyItem(at: client.certificate, to: files.appending(path: "client.crt"))
        try Data(Self.accessRules.utf8).write(to: files.appending(path: "pg_hba.conf"))
        server = try await PostgreSQLServer(["ssl=on", "ssl_ca_file=client.crt"], files: files)
        let owner = PostgreSQLClient(try PostgreSQLConfiguration(server.address))
        try await owner.write(PostgreSQLStatement(sql: "CREATE ROLE \(Self.certifiedUser) LOGIN"))
        await owner.shutDown()
    }

    /// Returns the address of the first database.
    ///
    /// - Parameters:
    ///   - host: The host name, which is not resolved.
    ///   - options: Parameters of libpq such as `sslmode`.
    package func address(host: String = "localhost", _ options: KeyValuePairs<String, String>) -> String {
        let parameters = ["hostaddr=127.0.0.1"] + options.map { "\($0.key)=\($0.value)" }
        return server.address.replacing("@127.0.0.1", with: "@\(host)") + "?" + parameters.joined(separator: "&")
    }

    /// Returns the address of the first database for the user with a certificate.
    package func certifiedAddress(_ options: KeyValuePairs<String, String>) -> String {
        let address = address(options)
        return "postgres://\(Self.certifiedUser)@" + (address.split(separator: "@", maxSplits: 1).last ?? "")
    }

    /// The password of the first user.
    package var password: String { String(server.address.split(separator: "@")[0].split(separator: ":").last ?? "") }

    package func stop() async { await server.stop() }
}
