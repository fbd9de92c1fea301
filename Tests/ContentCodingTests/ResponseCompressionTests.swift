import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import CacheTraces
@testable import ContentCoding

@Suite("Response compression") struct ResponseCompressionTests {
    private struct Broken: Error {}

    private static let text = String(repeating: "one order after the other, ", count: 200)
    private static let long = String(repeating: text, count: 300)

    private func router() -> Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.add(middleware: ResponseCompression())
        router.get("text") { request, _ in
            let isKnown = request.headers[.ifNoneMatch]?.contains("\"1\"") ?? false
            return Response(
                status: isKnown ? .notModified : .ok, headers: [.contentType: "text/plain", .eTag: "\"1\"", .vary: "Accept-Language"],
                body: isKnown ? .init() : .init(byteBuffer: ByteBuffer(string: Self.text)))
        }
        router.get("long") { _, _ in
            Response(status: .ok, headers: [.contentType: "text/plain"], body: .init(byteBuffer: ByteBuffer(string: Self.long)))
        }
        router.get("pieces") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init { writer in
                    for _ in 0..<300 { try await writer.write(ByteBuffer(string: Self.text)) }
                    try await writer.finish(nil)
                })
        }
        router.get("broken") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "text/plain"],
                body: .init(contentLength: Self.text.utf8.count) { writer in
                    try await writer.write(ByteBuffer(string: Self.text))
                    throw Broken()
                })
        }
        return router
    }

    private func response(
        _ path: String, _ headers: HTTPFields = [.acceptEncoding: "gzip"], method: HTTPRequest.Method = .get
    ) async throws -> TestResponse {
        try await Application(router: router()).test(.router) { client in
            try await client.execute(uri: path, method: method, headers: headers)
        }
    }

    private static func inflated(_ body: ByteBuffer) throws -> String {
        let decoder = GzipDecoder()
        var content = Data()
        try decoder.inflate(Data(body.readableBytesView)) { content += $0 }
        #expect(decoder.isAtEnd)
        return String(decoding: content, as: UTF8.self)
    }

    @Test func `A compressed response has the same content, fewer bytes and the fields of gzip`() async throws {
        let response = try await response("/text")

        #expect(try Self.inflated(response.body) == Self.text)
        #expect(response.body.readableBytes < Self.text.utf8.count / 10)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[.contentLength] == "\(response.body.readableBytes)")
        #expect(response.headers[.vary] == "Accept-Language, Accept-Encoding")
        #expect(response.headers[.eTag] == "W/\"1\"")
    }

    @Test func `An uncompressed response gets Vary, and preserves its entity tag and length`() async throws {
        let response = try await response("/text", [:])

        #expect(String(buffer: response.body) == Self.text)
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == "\(Self.text.utf8.count)")
        #expect(response.headers[.vary] == "Accept-Language, Accept-Encoding")
        #expect(response.headers[.eTag] == "\"1\"")
    }

    @Test func `The response to HEAD describes the plain content`() async throws {
        let response = try await response("/text", method: .head)

        #expect(response.body.readableBytes == 0)
        #expect(response.headers[.contentEncoding] == nil)
        #expect(response.headers[.contentLength] == "\(Self.text.utf8.count)")
        #expect(response.headers[.vary] == "Accept-Language, Accept-Encoding")
    }

    @Test(arguments: [
        ("W/\"1\"", "gzip", "W/\"1\""), ("\"1\"", "gzip", "\"1\""), ("\"0\", W/\"1\"", "gzip", "W/\"1\""), ("W/\"1\"", "", "\"1\""),
    ])
    func `A 304 has the entity tag of the client's copy`(known: String, accepted: String, tag: String) async throws {
        let response = try await response("/text", [.acceptEncoding: accepted, .ifNoneMatch: known])

        #expect(response.status == .notModified)
        #expect(response.headers[.eTag] == tag)
        #expect(response.headers[.vary] == "Accept-Language, Accept-Encoding")
        #expect(response.headers[.contentEncoding] == nil && response.headers[.contentType] == nil)
    }

    @Test(arguments: ["/long", "/pieces"])
    func `Long content is compressed while it is sent`(path: String) async throws {
        let response = try await response(path)

        #expect(try Self.inflated(response.body) == Self.long)
        #expect(response.headers[.contentEncoding] == "gzip")
        #expect(response.headers[.contentLength] == nil)
    }

    @Test func `A body that fails ends the compressed response with an error`() async throws {
        _ = try await Application(router: router()).test(.live) { client in
            await #expect(throws: (any Error).self) {
                _ = try await client.execute(uri: "/broken", method: .get, headers: [.acceptEncoding: "gzip"])
            }
        }
    }
}
