package import Foundation
import LadingTesting

/// A certificate that is its own authority, made with the command `openssl`.
package struct OpenSSLCertificate: Sendable {
    package struct Failure: Error {
        /// The output of the command.
        package let message: String
    }

    /// The certificate in PEM.
    package let certificate: URL
    /// The private key in PEM, which only its owner can read.
    package let key: URL

    /// Makes a certificate.
    ///
    /// - Parameters:
    ///   - name: The name of a host or a user.
    ///   - file: The names of the files, without extension.
    package init(of name: String, as file: String, in folder: URL) async throws {
        certificate = folder.appending(path: "\(file).crt")
        key = folder.appending(path: "\(file).key")
        let process = try ChildProcess(
            URL(filePath: "/usr/bin/env"),
            [
                "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2",
                "-subj", "/CN=\(name)", "-addext", "subjectAltName=DNS:\(name)", "-keyout", key.path, "-out", certificate.path,
            ])
        guard await process.waitForExit() == 0 else { throw Failure(message: await process.error.text()) }
    }
}
