package import Foundation
package import HummingbirdCore
import HummingbirdTLS
import NIOSSL

/// The PEM files of a server's TLS certificate and key.
package struct TLSFiles: Hashable, Sendable {
    /// The certificate chain, the server's own certificate first.
    package var certificate: URL
    /// The private key of the first certificate.
    package var key: URL

    package init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }

    /// Returns a server that adds TLS to another one. The files are read immediately.
    package func securing(_ server: HTTPServerBuilder) throws(StartupError) -> HTTPServerBuilder {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates().map { .certificate($0) }, privateKey: .privateKey(try privateKey()))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // Verifies that certificate and key belong together.
            _ = try NIOSSLContext(configuration: configuration)
            return try .tls(server, tlsConfiguration: configuration)
        } catch {
            throw .keyMismatch(self)
        }
    }

    private func certificates() throws(StartupError) -> [NIOSSLCertificate] {
        do {
            let certificates = try NIOSSLCertificate.fromPEMBytes(Self.contents(of: certificate))
            guard !certificates.isEmpty else { throw NoPEMObject() }
            return certificates
        } catch {
            throw .certificateUnreadable(certificate, cause: Self.readableCause(error))
        }
    }

    private func privateKey() throws(StartupError) -> NIOSSLPrivateKey {
        do {
            // The callback makes a key with a passphrase fail; without it BoringSSL would prompt on the terminal.
            return try NIOSSLPrivateKey(bytes: Self.contents(of: key), format: .pem) { $0([UInt8]()) }
        } catch {
            throw .keyUnreadable(key, cause: Self.readableCause(error))
        }
    }

    private static func contents(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    /// Returns the system's error where there is one; BoringSSL's messages are not meaningful to users.
    private static func readableCause(_ error: any Error) -> any Error {
        switch error {
        case is NIOSSLError, is BoringSSLError: NoPEMObject()
        case let error as CocoaError: error.underlying as? POSIXError ?? error
        default: error
        }
    }

    private struct NoPEMObject: Error, CustomStringConvertible {
        let description = "not found in the file"
    }
}
