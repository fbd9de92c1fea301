import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Testing
@testable import Origin

@Suite("Order routes")
struct OrderRoutesTests {
    @Test func `The order list maps each id to its document on the requested host`() async throws {
        let origin = try await makeOrigin(orders: 3)

        let response = try await origin.response(to: "/swift-concurrency/orders.plist")

        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "application/x-plist")
        #expect(response.headers[.cacheControl] == "no-cache")
        #expect(
            try propertyList(response) == [
                "1": "http://localhost/swift-concurrency/order-1.xml",
                "2": "http://localhost/swift-concurrency/order-2.xml",
                "3": "http://localhost/swift-concurrency/order-3.xml",
            ]
        )
    }

    @Test func `The item list names every grocery`() async throws {
        let origin = try await makeOrigin()

        let response = try await origin.response(to: "/swift-concurrency/items.plist")

        let list = try propertyList(response)
        #expect(list.count == 28)
        #expect(list["28"] == "http://localhost/swift-concurrency/item-28.xml")
    }

    @Test func `Every order carries all its fields`() async throws {
        let origin = try await makeOrigin(orders: 50)
        let demo = DemoOrders(count: 50, seed: 1)

        for id in demo.ids {
            let response = try await origin.response(to: "/swift-concurrency/order-\(id).xml")

            #expect(response.headers[.contentType] == "application/xml; charset=utf-8")
            let tree = try #require(XMLTree.parse(response.text))
            expect(tree, carries: demo.order(id))
        }
    }

    @Test func `A grocery links to its image, which allows no scripts`() async throws {
        let origin = try await makeOrigin()

        let item = try #require(XMLTree.parse(try await origin.response(to: "/swift-concurrency/item-8.xml").text))
        let image = try await origin.response(to: "/swift-concurrency/item-8.svg")

        #expect(item["name"]?.text == "Bell pepper")
        #expect(item["imageUrl"]?.text == "http://localhost/swift-concurrency/item-8.svg")
        #expect(image.headers[.contentType] == "image/svg+xml")
        #expect(image.headers[.contentSecurityPolicy] == "default-src 'none'; style-src 'unsafe-inline'")
        #expect(image.headers[.xContentTypeOptions] == "nosniff")
        #expect(image.headers[.cacheControl] == "max-age=86400")
        #expect(XMLTree.parse(image.text)?.name == "svg")
    }

    @Test(arguments: ["orders.plist", "items.plist", "order-1.xml", "item-1.xml", "item-1.svg"])
    func `A document with a matching validator gets 304`(name: String) async throws {
        let origin = try await makeOrigin()
        let first = try await origin.response(to: "/swift-concurrency/\(name)")
        let tag = try #require(first.headers[.eTag])

        let second = try await origin.response(to: "/swift-concurrency/\(name)", headers: [.ifNoneMatch: tag])

        #expect(second.status == .notModified)
        #expect(second.body.readableBytes == 0)
        #expect(second.headers[.eTag] == tag)
        #expect(second.headers[.lastModified] == "Fri, 15 May 2026 12:00:00 GMT")
        #expect(second.headers[.cacheControl] == first.headers[.cacheControl])
        #expect(second.headers[.contentLength] == nil)
        #expect(second.headers[.contentType] == nil)
    }

    @Test(
        arguments: [
            "/", "/orders.plist", "/swift-concurrency", "/swift-concurrency/", "/swift-concurrency/order-21.xml",
            "/swift-concurrency/item-29.xml", "/swift-concurrency/item-29.svg", "/swift-concurrency/order-x.xml", "/swift-concurrency/a/b",
        ], [HTTPRequest.Method.get, .head])
    func `A missing document gets a plain-text response`(path: String, method: HTTPRequest.Method) async throws {
        let origin = try await makeOrigin(orders: 20)

        let response = try await origin.response(to: path, method: method)

        #expect(response.status == .notFound)
        #expect(response.headers[.contentType] == "text/plain; charset=utf-8")
        #expect(response.headers[.contentLength] == "10")
        #expect(response.text == (method == .head ? "" : "Not Found\n"))
    }

    @Test(arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options])
    func `Write methods are refused`(method: HTTPRequest.Method) async throws {
        let origin = try await makeOrigin()

        let response = try await origin.response(to: "/swift-concurrency/orders.plist", method: method)

        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD")
    }

    @Test func `HEAD has the fields of GET and no body`() async throws {
        let origin = try await makeOrigin()

        let get = try await origin.response(to: "/swift-concurrency/order-1.xml")
        let head = try await origin.response(to: "/swift-concurrency/order-1.xml", method: .head)

        #expect(head.status == .ok)
        #expect(head.headers == get.headers)
        #expect(head.body.readableBytes == 0)
    }

    @Test func `The health endpoint responds with ok`() async throws {
        let origin = try await makeOrigin()

        let response = try await origin.response(to: "/health")

        #expect(response.status == .ok)
        #expect(response.text == "ok")
    }

    @Test func `A list of a hundred thousand orders is complete`() async throws {
        let origin = try await makeOrigin(orders: 100_000)

        let list = try propertyList(try await origin.response(to: "/swift-concurrency/orders.plist"))
        let last = try await origin.response(to: "/swift-concurrency/order-100000.xml")

        #expect(list.count == 100_000)
        #expect(list["100000"] == "http://localhost/swift-concurrency/order-100000.xml")
        #expect(XMLTree.parse(last.text)?.name == "order")
    }

    private func propertyList(_ response: TestResponse) throws -> [String: String] {
        let list = try PropertyListSerialization.propertyList(from: Data(response.text.utf8), format: nil)
        return try #require(list as? [String: String])
    }

    private func expect(_ tree: XMLTree, carries order: Order) {
        #expect(
            tree.children.map(\.name) == [
                "title", "info", "price", "currency", "itemCount", "deliveryDate", "location", "items",
            ]
        )
        #expect(tree.children.prefix(4).map(\.text) == [order.title, order.info, order.price, order.currency])
        #expect(tree["itemCount"]?.text == String(order.itemCount))
        #expect(tree["deliveryDate"]?.text == order.deliveryDate)
        #expect(tree["location"]?["address"]?.text == order.location.address)
        #expect(tree["location"]?["radius"].flatMap { Double($0.text) } == order.location.radius)
        #expect(tree["location"]?["radiusUnit"]?.text == order.location.radiusUnit)
        #expect(tree["location"]?["latitude"]?.text.wholeMatch(of: #/-?\d+\.\d{6,8}/#) != nil)
        #expect(tree["location"]?["longitude"]?.text.wholeMatch(of: #/-?\d+\.\d{6,8}/#) != nil)
        let items = tree["items"]?.children.map { $0.children.map(\.text) }
        #expect(items == order.items.map { [String($0.id), $0.quantity, $0.unit] })
    }
}
