package import Foundation
package import HummingbirdCore
import HummingbirdTLS
import NIOSSL

/// The PEM files that a server proves its name with.
package struct TLSFiles: Hashable, Sendable {
    /// The certificate of the server first, then those that vouch for it.
    package var certificate: URL
    /// The private key of the first certificate.
    package var key: URL

    package init(certificate: URL, key: URL) {
        self.certificate = certificate
        self.key = key
    }

    /// A server that speaks TLS in front of what it speaks otherwise; the files are read now.
    package func securing(_ server: HTTPServerBuilder) throws(StartupError) -> HTTPServerBuilder {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try certificates().map { .certificate($0) }, privateKey: .privateKey(try privateKey()))
        configuration.minimumTLSVersion = .tlsv12
        configuration.applicationProtocols = ["http/1.1"]
        do {
            // Made here only to learn whether the two belong together.
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
            // A key with a passphrase fails, where BoringSSL alone would ask for it on the terminal.
            return try NIOSSLPrivateKey(bytes: Self.contents(of: key), format: .pem) { $0([UInt8]()) }
        } catch {
            throw .keyUnreadable(key, cause: Self.readableCause(error))
        }
    }

    private static func contents(of file: URL) throws -> [UInt8] { Array(try Data(contentsOf: file)) }

    /// The system's own error where there is one; what BoringSSL says about a file is of no use to people.
    private static func readableCause(_ error: any Error) -> any Error {
        switch error {
        case is NIOSSLError, is BoringSSLError: NoPEMObject()
        case let error as CocoaError: error.underlying as? POSIXError ?? error
        default: error
        }
    }

    private struct NoPEMObject: Error, CustomStringConvertible {
        let description = "there is none in it"
    }
}
