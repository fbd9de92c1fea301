import HTTPTypes
import Testing

@testable import Origin

@Suite("Order paths")
struct OrderPathTests {
    @Test(arguments: [
        ("orders.plist", OrderPath.orderList), ("items.plist", .itemList), ("order-1.xml", .order(1)),
        ("order-100000.xml", .order(100_000)), ("item-28.xml", .item(28)), ("item-3.svg", .image(3)),
    ])
    func `A file name maps to its document and back`(name: String, path: OrderPath) {
        #expect(OrderPath(fileName: name) == path)
        #expect(path.fileName == name)
    }

    @Test(arguments: [
        "", "orders", "orders.xml", "order-.xml", "order-0.xml", "order--1.xml", "order-01.xml", "order-+1.xml", "order-1.svg",
        "order-1.xml.gz", "order-１.xml", "order-99999999999999999999.xml", "Order-1.xml", "item-1", "item-1.png", ".xml", "-1.xml",
    ])
    func `Any other file name is rejected`(name: String) {
        #expect(OrderPath(fileName: name) == nil)
    }
}

@Suite("Public addresses")
struct PublicAddressTests {
    @Test(arguments: [
        "localhost", "localhost:8081", "127.0.0.1:80", "[::1]:8081", "[2001:db8::7]", "origin.example.com", "my_host:1",
    ])
    func `A valid host is used in documents`(host: String) {
        let request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")

        #expect(PublicAddress(of: request)?.text == "http://\(host)")
    }

    @Test(arguments: [
        nil, "", "a b", "a/b", "user@host", "host:", "host:123456", "host\"><x>", "[::1", "höst", "a&b",
        String(repeating: "a", count: 300),
    ])
    func `Any other host is refused`(host: String?) {
        let request = HTTPRequest(method: .get, scheme: "http", authority: host, path: "/")

        #expect(PublicAddress(of: request) == nil)
    }

    @Test func `A secure request leads to secure documents`() {
        let request = HTTPRequest(method: .get, scheme: "https", authority: "a.example", path: "/")

        #expect(PublicAddress(of: request)?.url(of: .order(3)) == "https://a.example/swift-concurrency/order-3.xml")
    }
}
