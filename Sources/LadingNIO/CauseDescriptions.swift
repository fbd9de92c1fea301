#if NIO
    import AsyncHTTPClient
    import ErrorDescriptions
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOPosix

    // The descriptions of these errors contain names of types, functions and cases.

    extension HTTPClientError: DescribedCause {
        package var causeDescription: String? { self == .remoteConnectionClosed ? nil : shortDescription }
    }

    extension IOError: DescribedCause {
        package var causeDescription: String? { String(cString: strerror(errnoCode)) }
    }

    extension ChannelError: DescribedCause {
        package var causeDescription: String? {
            switch self {
            case .connectTimeout: "no connection in time"
            case .alreadyClosed, .inputClosed, .outputClosed, .eof: "the connection is closed"
            default: nil
            }
        }
    }

    extension HTTPParserError: DescribedCause {
        package var causeDescription: String? {
            switch self {
            case .invalidStatus: "the status code is invalid"
            case .invalidVersion: "the HTTP version is invalid"
            case .headerOverflow: "the header fields are too long"
            case .invalidHeaderToken: "a header field is invalid"
            case .invalidContentLength, .unexpectedContentLength: "the content length is invalid"
            case .invalidChunkSize: "the size of a chunk is invalid"
            case .closedConnection: "data follows the last response"
            default: nil
            }
        }
    }

    extension NIOHTTPDecompression.DecompressionError: DescribedCause {
        package var causeDescription: String? {
            switch self {
            case .limit: "the compressed body expands too far"
            case .inflationError: "the compressed body is damaged"
            case .initializationError: nil
            }
        }
    }

    extension NIOHTTPDecompression.ExtraDecompressionError: DescribedCause {
        package var causeDescription: String? {
            self == .truncatedData ? "the compressed body is incomplete" : "data follows the compressed body"
        }
    }

    extension NIOConnectionError: DescribedCause {
        /// The text of the last address that was tried, or of the lookup of the host.
        package var causeDescription: String? {
            if let failure = connectionErrors.last { return failure.error.plainDescription }
            return dnsAError == nil && dnsAAAAError == nil ? nil : "the host name is unknown"
        }
    }
#endif
