import HTTPTypes
import Hummingbird
import LadingHTTP
import NIOCore
import Testing

@testable import Window

/// The bodies of requests, read or forwarded.
@Suite struct RequestBodyTests {
    /// Returns a request whose body has this length.
    ///
    /// - Parameter failure: The error after its bytes; nil for none.
    private func request(length: Int, fields: HTTPFields, failure: (any Error)? = nil) -> Request {
        let (chunks, send) = AsyncThrowingStream.makeStream(of: ByteBuffer.self)
        send.yield(ByteBuffer(repeating: 0, count: length))
        send.finish(throwing: failure)
        let head = HTTPRequest(method: .post, scheme: "http", authority: "localhost", path: "/", headerFields: fields)
        return Request(head: head, body: .init(asyncSequence: chunks))
    }

    private static let failures: [any Error] = [ChannelError.inputClosed, IOError(errnoCode: 104, reason: "read")]

    @Test(arguments: failures.indices) func `A body that breaks off is a malformed request`(index: Int) async {
        let (fields, failure): (HTTPFields, any Error) = ([.contentLength: "20"], Self.failures[index])

        await #expect(throws: PageError.malformedRequest) {
            _ = try await request(length: 10, fields: fields, failure: failure).readBody(upTo: 20)
        }
        await #expect(throws: PageError.malformedRequest) {
            _ = try await request(length: 10, fields: fields, failure: failure).forwardedBody()
        }
    }

    @Test func `A body beyond the limit is too large`() async throws {
        await #expect(throws: PageError.contentTooLarge) { _ = try await request(length: 11, fields: [:]).readBody(upTo: 10) }
        #expect(try await request(length: 10, fields: [:]).readBody(upTo: 10).readableBytes == 10)
    }

    @Test func `A short body is read before it is forwarded, and a long one or one of unknown length is not`() async throws {
        let short = try await request(length: 16_384, fields: [.contentLength: "16384"]).forwardedBody()
        let long = try await request(length: 16_385, fields: [.contentLength: "16385"]).forwardedBody()
        let chunked = try await request(length: 10, fields: [.transferEncoding: "chunked"]).forwardedBody()
        let none = try await request(length: 0, fields: [:]).forwardedBody()

        #expect(short.bytes?.count == 16_384)
        #expect(long.bytes == nil && long.length == 16_385)
        #expect(chunked.bytes == nil && chunked.length == nil)
        #expect(none.bytes == [])
    }
}
