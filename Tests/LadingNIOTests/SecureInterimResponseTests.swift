import AsyncHTTPClient
import Foundation
import HTTPTypes
import LadingHTTP
import LadingNIO
import Logging
import NIOSSL
import Synchronization
import TestCertificates
import Testing

/// Interim responses over TLS.
@Suite struct SecureInterimResponseTests {
    private func executor(trusting pair: SelfSignedCertificate) throws -> AsyncHTTPClientExecutor {
        let certificate = try NIOSSLCertificate(bytes: Array(pair.certificate.utf8), format: .pem)
        return AsyncHTTPClientExecutor(
            connectionsPerHost: 1, usesHTTP2: false, userAgent: nil, logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        ) { configuration in
            var trust = TLSConfiguration.makeClientConfiguration()
            trust.trustRoots = .certificates([certificate])
            configuration.tlsConfiguration = trust
        }
    }

    @Test func `Without HTTP/2, interim responses of an https server are reported`() async throws {
        let pair = try SelfSignedCertificate()
        let server = try await SecureServer(
            pair, respondingWith: "HTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        let executor = try executor(trusting: pair)
        let interim = Mutex<[Int]>([])
        var message = RequestMessage(url: try #require(URL(string: "https://localhost:\(server.port ?? 0)/a")))
        message.onInterimResponse = { head in interim.withLock { $0.append(head.status.code) } }

        let result: Result<Int, any Error>
        do {
            let code = try await executor.execute(message, timeLimit: .seconds(10)) { head, body in
                for try await _ in body {}
                return head.status.code
            }
            result = .success(code)
        } catch {
            result = .failure(error)
        }
        try await executor.shutdown()
        try await server.stop()

        #expect(try result.get() == 200)
        #expect(interim.withLock { $0 } == [103])
        #expect(server.received.hasPrefix("GET /a HTTP/1.1\r\n"))
        #expect(!server.received.contains("Lading-Exchange-Number"))
    }
}
