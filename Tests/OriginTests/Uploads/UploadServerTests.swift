import Foundation
import NIOCore
import Testing

@Suite("Uploads over a socket", .timeLimit(.minutes(10)))
struct UploadServerTests {
    @Test func `Malformed content gets 400 and the connection is closed`() async throws {
        let request = "PUT /uploads/a HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nno length\r\n"

        let response = try await withRunningOrigin { try await Self.response(from: $0, to: request) }

        #expect(response.hasPrefix("HTTP/1.1 400 "))
    }

    @Test func `A client that expects 100 Continue gets it`() async throws {
        let request = "PUT /uploads/a HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n"

        let response = try await withRunningOrigin { try await Self.response(from: $0, to: request, then: "abc") }

        #expect(response.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 201 Created\r\n"))
    }

    @Test(arguments: [
        ("/uploads/e", "evil.example", 421), ("http://evil.example/uploads/e", "evil.example", 421),
        ("http://evil.example/uploads/e", "localhost", 400), ("/uploads/e", "localhost\r\nHost: localhost", 400),
        ("/uploads/e", "127.0.0.1", 403), ("/uploads/e", "evil.localhost", 403),
    ])
    func `An upload to an unknown host is refused even with a matching origin`(target: String, host: String, code: Int) async throws {
        let request = """
            PUT \(target) HTTP/1.1\r\nHost: \(host)\r\nOrigin: http://evil.example\r\nContent-Length: 1\r\nConnection: close\r\n\r\na
            """

        let response = try await withRunningOrigin { try await Self.response(from: $0, to: request) }

        #expect(response.hasPrefix("HTTP/1.1 \(code) "))
        #expect(response.contains("\r\nCross-Origin-Resource-Policy: same-origin\r\n"))
    }

    /// Sends a text, then another once a response arrives, and reads until the server closes the connection.
    private static func response(from address: URL, to request: String, then rest: String = "") async throws -> String {
        try await Socket.connected(to: address, sending: ByteBuffer(string: request)) { inbound, outbound in
            var response = ByteBuffer()
            for try await bytes in inbound {
                if response.readableBytes == 0, !rest.isEmpty { try await outbound.write(ByteBuffer(string: rest)) }
                response.writeImmutableBuffer(bytes)
            }
            return String(buffer: response)
        }
    }
}
