import AsyncHTTPClient
import Foundation
import LadingHTTP
import NIOCore
import NIOHTTP1
import NIOHTTPCompression
import NIOPosix
import NIOSSL
import TestCertificates
import Testing

@testable import LadingNIO

/// The texts of errors of AsyncHTTPClient and SwiftNIO.
@Suite struct CauseDescriptionTests {
    private static let reached = "lost the connection to a.org:8443"
    private static let unreached = "cannot reach a.org:8443"
    private static let invalid = "a.org:8443 sent an invalid HTTP response"
    private static let late = "retry, or raise the time limit or the read timeout"

    private static let sentences: [(cause: any Error, hasReceivedHead: Bool, sentence: String)] = [
        (HTTPClientError.deadlineExceeded, false, "request to a.org:8443 timed out after 1 sec: \(late)"),
        (HTTPClientError.readTimeout, false, "request to a.org:8443 timed out after 2 secs: \(late)"),
        (HTTPClientError.writeTimeout, true, "request to a.org:8443 timed out after 2 secs: \(late)"),
        (HTTPClientError.getConnectionFromPoolTimeout, false, "request to a.org:8443 timed out after 3 secs: \(late)"),
        (HTTPClientError.remoteConnectionClosed, true, reached),
        (HTTPClientError.connectTimeout, false, "\(unreached) (Connect timeout)"),
        (HTTPClientError.tlsHandshakeTimeout, false, "\(unreached) (TLS handshake timeout)"),
        (HTTPClientError.alreadyShutdown, false, "\(unreached) (Already shutdown)"),
        (
            AddressGuard.ForbiddenAddress(), false,
            "lists and redirects must not refer to a private address of another host, unless URLPolicy(trustedHosts:) has it: "
                + "https://REDACTED@a.org:8443/5.xml?token=REDACTED"
        ),
        (IOError(errnoCode: ECONNREFUSED, reason: "connect"), false, "\(unreached) (Connection refused)"),
        (IOError(errnoCode: ECONNRESET, reason: "read"), true, "\(reached) (Connection reset by peer)"),
        (IOError(errnoCode: ENETDOWN, reason: "read"), true, "\(reached) (Network is down)"),
        (ChannelError.ioOnClosedChannel, true, reached),
        (ChannelError.connectTimeout(.seconds(1)), false, "\(unreached) (no connection in time)"),
        (ChannelError.eof, false, "\(unreached) (the connection is closed)"),
        (ChannelError.inappropriateOperationForState, false, unreached),
        (HTTPParserError.invalidEOFState, true, reached),
        (HTTPParserError.invalidStatus, false, "\(invalid) (the status code is invalid)"),
        (HTTPParserError.invalidVersion, false, "\(invalid) (the HTTP version is invalid)"),
        (HTTPParserError.headerOverflow, false, "\(invalid) (the header fields are too long)"),
        (HTTPParserError.invalidHeaderToken, false, "\(invalid) (a header field is invalid)"),
        (HTTPParserError.unexpectedContentLength, false, "\(invalid) (the content length is invalid)"),
        (HTTPParserError.invalidChunkSize, true, "\(invalid) (the size of a chunk is invalid)"),
        (HTTPParserError.closedConnection, true, "\(invalid) (data follows the last response)"),
        (HTTPParserError.unknown, true, invalid),
        (NIOHTTPDecompression.DecompressionError.limit, true, "\(invalid) (the compressed body expands too far)"),
        (NIOHTTPDecompression.DecompressionError.inflationError(-3), true, "\(invalid) (the compressed body is damaged)"),
        (NIOHTTPDecompression.DecompressionError.initializationError(-2), true, invalid),
        (NIOHTTPDecompression.ExtraDecompressionError.truncatedData, true, "\(invalid) (the compressed body is incomplete)"),
        (NIOHTTPDecompression.ExtraDecompressionError.invalidTrailingData, true, "\(invalid) (data follows the compressed body)"),
        (
            NIOSSLError.handshakeFailed(.sslError([.eofDuringHandshake])), false,
            "\(unreached) (TLS handshake failed: the connection is closed)"
        ),
        (NIOSSLError.handshakeFailed(.syscallError), false, "\(unreached) (TLS handshake failed)"),
        (NIOSSLError.unableToValidateCertificate, false, "\(unreached) (the certificate is not trusted)"),
        (NIOSSLError.uncleanShutdown, false, "\(reached) (the connection is closed)"),
        (NIOSSLError.failedToLoadCertificate, false, unreached),
        (NIOSSLExtraError.failedToValidateHostname, false, "\(unreached) (the certificate is of another host)"),
        (ResponseHead.InvalidStatusCode(code: 99), true, "\(invalid) (the status code 99 is invalid)"),
    ]

    @Test(arguments: sentences.indices)
    func `Both descriptions of an error are one sentence without names of types and cases`(index: Int) throws {
        let (cause, hasReceivedHead, sentence) = Self.sentences[index]
        let message = RequestMessage(url: try #require(URL(string: "https://user:pw@a.org:8443/5.xml?token=abcdefgh")))
        let limits = ExchangeTimeouts(head: .seconds(1), read: .seconds(2), connect: .seconds(3))

        let error = backendError(cause, of: message, limits, hasReceivedHead: hasReceivedHead)

        #expect("\(error)" == sentence)
        #expect(error.localizedDescription == sentence)
    }

    @Test func `The certificate of a server that is not trusted is named as the cause`() async throws {
        let server = try await SecureServer(try SelfSignedCertificate(), respondingWith: "HTTP/1.1 204 No Content\r\n\r\n")
        let client = BackendClient(executor: AsyncHTTPClientExecutor())
        let port = server.port ?? 0
        let url = try #require(URL(string: "https://localhost:\(port)/a"))

        let error = await #expect(throws: BackendError.self) { try await client.data(from: url) }
        try await server.stop()

        #expect(error?.localizedDescription == "cannot reach localhost:\(port) (TLS handshake failed: certificate verify failed)")
    }
}
