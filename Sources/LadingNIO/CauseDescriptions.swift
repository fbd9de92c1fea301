#if NIO
    import AsyncHTTPClient
    import ErrorDescriptions
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOPosix
    import NIOSSL

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

    extension NIOSSLError: DescribedCause {
        package var causeDescription: String? {
            switch self {
            case .handshakeFailed(let error): error.reason.map { "TLS handshake failed: \($0)" } ?? "TLS handshake failed"
            case .noCertificateToValidate, .unableToValidateCertificate: "the certificate is not trusted"
            case .uncleanShutdown: "the connection is closed"
            default: nil
            }
        }
    }

    extension NIOSSLExtraError: DescribedCause {
        package var causeDescription: String? { self == .failedToValidateHostname ? "the certificate is of another host" : nil }
    }

    extension BoringSSLError {
        /// The reason of the first error of BoringSSL, such as "certificate verify failed"; nil without one.
        fileprivate var reason: String? {
            guard case .sslError(let errors) = self, let error = errors.first else { return nil }
            if error == .eofDuringHandshake { return "the connection is closed" }
            // Error: 268435581 error:1000007d:SSL routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at file.cc:393
            let name = error.description.split(separator: ":").lazy.compactMap { $0.split(separator: " ").first }.first { word in
                word.contains("_") && word.allSatisfy { $0.isUppercase || $0.isNumber || $0 == "_" }
            }
            return name.map { $0.lowercased().replacing("_", with: " ") }
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
