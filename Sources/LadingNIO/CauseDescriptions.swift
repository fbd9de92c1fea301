#if NIO
    import AsyncHTTPClient
    import ErrorDescriptions
    import Foundation
    import NIOCore
    import NIOPosix

    // The descriptions of these errors contain names of types and functions.

    extension HTTPClientError: DescribedCause {
        package var causeDescription: String? { self == .remoteConnectionClosed ? nil : shortDescription }
    }

    extension IOError: DescribedCause {
        package var causeDescription: String? { String(cString: strerror(errnoCode)) }
    }

    extension NIOConnectionError: DescribedCause {
        /// The text of the last address that was tried, or of the lookup of the host.
        package var causeDescription: String? {
            if let failure = connectionErrors.last { return failure.error.plainDescription }
            return dnsAError == nil && dnsAAAAError == nil ? nil : "the host name is unknown"
        }
    }
#endif
