import ErrorDescriptions
import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension URLError: DescribedCause {
    /// A text for codes that add something to the fact that a server was not reached. The system's texts repeat the host and the fact.
    package var causeDescription: String? {
        switch code {
        case .cannotFindHost, .dnsLookupFailed: "the host name is unknown"
        case .notConnectedToInternet, .dataNotAllowed, .internationalRoamingOff, .callIsActive: "no network connection"
        case .secureConnectionFailed, .clientCertificateRejected, .clientCertificateRequired: "no secure connection to the host"
        case .serverCertificateHasBadDate, .serverCertificateUntrusted, .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
            "the certificate of the host is not trusted"
        case .appTransportSecurityRequiresSecureConnection: "the system permits https only"
        default: nil
        }
    }
}
