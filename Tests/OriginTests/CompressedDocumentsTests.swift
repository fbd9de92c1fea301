import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
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
