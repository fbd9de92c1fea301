import ContentCoding
import Foundation
import HTTPFieldValues
import HTTPTypes
import HummingbirdTesting
import NIOCore
import OrderLifecycle
import Testing

@testable import CacheTraces
@testable import Origin

@Suite("Compressed documents") struct CompressedDocumentsTests {
    @Test func `The list and an order are compressed for a client that accepts gzip, and for no other`() async throws {
        let origin = try await makeOrigin(orders: 20)
        let demo = DemoOrders(count: 20, seed: 1)
        let longest = try #require(demo.ids.max { demo.order($0).itemCount < demo.order($1).itemCount })

        for name in ["orders.plist", "order-\(longest).xml"] {
            let plain = try await origin.response(to: "/swift-concurrency/\(name)")
            let gzipped = try await origin.response(to: "/swift-concurrency/\(name)", headers: [.acceptEncoding: "gzip"])

            #expect(plain.headers[.contentEncoding] == nil)
            #expect(gzipped.headers[.contentEncoding] == "gzip")
            #expect(plain.headers[.vary] == "Accept-Encoding" && gzipped.headers[.vary] == "Accept-Encoding")
            #expect(gzipped.body.readableBytes < plain.body.readableBytes)
            var content = Data()
            try GzipDecoder().inflate(Data(gzipped.body.readableBytesView)) { content += $0 }
            #expect(content == Data(plain.body.readableBytesView))
        }
    }

    @Test func `The tag of an order is strong also for a client that accepts gzip, and can be sent in If-Match`() async throws {
        let origin = try await makeOrigin()
        let token = try await origin.signIn("ada", .dispatcher)
        let headers: HTTPFields = [.authorization: "Bearer \(token)", .acceptEncoding: "gzip"]
        func edit(note: String, _ tag: String?) async throws -> TestResponse {
            let body = """
                {"title":"Soup","note":"\(note)","price":"1","currency":"EUR","destination":{"address":"1 Quay Street"}}
                """
            var headers = headers
            (headers[.ifMatch], headers[.idempotencyKey]) = (tag, "key-\(note.count)")
            return try await origin.response(to: "/api/v1/orders/1", method: .put, headers: headers, body: body)
        }
        let long = try await edit(note: String(repeating: "n", count: CompressionPolicy.minimumLength), nil)

        let order = try await origin.response(to: "/api/v1/orders/1", headers: headers)
        let second = try await edit(note: "", order.headers[.eTag])

        #expect(long.status == .ok && order.body.readableBytes > CompressionPolicy.minimumLength)
        #expect(order.headers[.eTag] == "\"0.2\"" && second.status == .ok && second.headers[.eTag] == "\"0.3\"")
    }

    @Test(arguments: [
        ("/swift-concurrency/orders.plist", "Accept-Encoding"), ("/mars-photos/images/curiosity/1000/NAVCAM-0.jpg", nil),
    ])
    func `A 304 has the Vary of its 200`(path: String, vary: String?) async throws {
        let origin = try await makeOrigin()
        let first = try await origin.response(to: path)
        let tag = try #require(first.headers[.eTag])

        let second = try await origin.response(to: path, headers: [.ifNoneMatch: tag])

        #expect(second.status == .notModified)
        #expect(first.headers[.vary] == vary && second.headers[.vary] == vary)
    }
}
