/// A rejection of a connection because of encryption or certificates, with its remedy.
///
/// libpq has no codes for these failures, so its English messages are compared. A message in another language has no remedy.
enum TLSProblem: CaseIterable, Hashable {
    /// The server accepts only encrypted connections.
    case encryptionRequired
    /// The server has no certificate, so that it cannot encrypt connections.
    case encryptionUnsupported
    /// The certificate of the server was not issued by the authority of `sslrootcert`.
    case unknownAuthority
    /// The certificate of the server is for other host names.
    case wrongHostName
    /// The server accepts only clients with a certificate.
    case clientCertificateRequired
    /// The certificate of the client was not issued by an authority of the server.
    case unknownClientAuthority

    /// Finds the problem in a message of libpq; nil if there is none.
    ///
    /// Without `sslmode` a connection that was refused for its password is tried again unencrypted, so the message may end with a second rejection.
    init?(message: String) {
        guard !message.contains("authentication failed") else { return nil }
        let problem = Self.allCases.first { problem in problem.phrases.contains { message.contains($0) } }
        guard let problem else { return nil }
        self = problem
    }

    /// The phrases of libpq and of servers since PostgreSQL 13.
    private var phrases: [String] {
        switch self {
        case .encryptionRequired: [", no encryption", ", SSL off"]
        case .encryptionUnsupported: ["server does not support SSL"]
        case .unknownAuthority: ["certificate verify failed"]
        case .wrongHostName: ["does not match host name"]
        case .clientCertificateRequired: ["requires a valid client certificate"]
        case .unknownClientAuthority: ["alert unknown ca"]
        }
    }

    /// The change that permits the connection, as a clause.
    var remedy: String {
        switch self {
        case .encryptionRequired: "the server may require TLS: write sslmode=verify-full, or at least sslmode=require, in the address"
        case .encryptionUnsupported: "the server has no TLS: configure a certificate there, or remove sslmode from the address"
        case .unknownAuthority: "name the certificate of the authority that issued the server's certificate with sslrootcert in the address"
        case .wrongHostName: "write a host name of the server's certificate in the address"
        case .clientCertificateRequired: "name a certificate and its key with sslcert and sslkey in the address"
        case .unknownClientAuthority: "name a certificate that an authority of the server has issued with sslcert and sslkey in the address"
        }
    }
}
