package import Foundation
import HummingbirdCore
import NIOCore

/// An error that prevents a server from starting, with a description that names the remedy.
package enum StartupError: Error {
    case portOutOfRange(Int, allowed: ClosedRange<Int>)
    /// The host is neither a name nor an address.
    case invalidHost(String)
    case portInUse(ListenAddress)
    /// The user may not listen on the port, which is usually a low one.
    case portNotPermitted(ListenAddress)
    case addressUnavailable(ListenAddress, cause: any Error)
    case certificateUnreadable(URL, cause: any Error)
    case keyUnreadable(URL, cause: any Error)
    /// Both files are readable, but the key belongs to another certificate.
    case keyMismatch(TLSFiles)
    /// The program's resources are not beside its executable.
    case resourcesMissing(URL)
}

extension StartupError {
    /// Creates the error for a failure to listen on an address; nil for other errors.
    package init?(_ error: any Error, listeningOn address: ListenAddress) {
        switch error {
        case let error as IOError where error.errnoCode == EADDRINUSE:
            self = .portInUse(address)
        case let error as IOError where error.errnoCode == EACCES:
            self = .portNotPermitted(address)
        case let error as IOError:
            let cause = POSIXErrorCode(rawValue: error.errnoCode).map { POSIXError($0) }
            self = .addressUnavailable(address, cause: cause ?? error)
        case is SocketAddressError, is SocketAddressError.UnknownHost:
            self = .addressUnavailable(address, cause: error)
        default:
            return nil
        }
    }
}

extension StartupError: LocalizedError, CustomStringConvertible {
    package var errorDescription: String? { description }

    package var description: String {
        switch self {
        case .portOutOfRange(let port, let allowed):
            "--port must be from \(allowed.lowerBound) to \(allowed.upperBound), not \(port)."
        case .invalidHost(let host):
            "--host \"\(host)\" is invalid: choose a host name or an IP address of this machine."
        case .portInUse(let address):
            "Port \(address.port) on \(address.host) is in use: stop the other program, or choose another port with --port."
        case .portNotPermitted(let address):
            """
            Port \(address.port) on \(address.host) is not permitted: \
            choose a port above 1023 with --port, or give the program the capability CAP_NET_BIND_SERVICE.
            """
        case .addressUnavailable(let address, let cause):
            """
            Cannot listen on \(address.host), port \(address.port) (\(Self.causeDescription(of: cause))): \
            choose an address of this machine with --host.
            """
        case .certificateUnreadable(let file, let cause):
            "Cannot read a certificate from \(file.path) (\(Self.causeDescription(of: cause))): choose a PEM file with --tls-cert."
        case .keyUnreadable(let file, let cause):
            """
            Cannot read a private key from \(file.path) (\(Self.causeDescription(of: cause))): \
            choose a PEM file with an unencrypted key with --tls-key.
            """
        case .keyMismatch(let files):
            """
            The key in \(files.key.path) does not match the certificate in \(files.certificate.path): \
            choose matching files with --tls-cert and --tls-key.
            """
        case .resourcesMissing(let location):
            "\(location.path) is missing: place the program's resources next to its executable, or reinstall the program."
        }
    }

    /// Describes a cause: system errors have a readable description through Foundation only, all others only in themselves.
    private static func causeDescription(of cause: any Error) -> String {
        cause is POSIXError ? cause.localizedDescription : "\(cause)"
    }
}
