import Foundation
import Testing

@testable import Deliveries

@Suite struct DeliveryListTests {
    private func list(_ url: String) throws -> DeliveryList { DeliveryList(url: try #require(URL(string: url))) }

    @Test(arguments: [
        ("http://a.org/deliveries", "http://a.org/deliveries?offset=20&limit=20"),
        ("http://a.org/deliveries?offset=0&limit=7", "http://a.org/deliveries?offset=20&limit=20"),
        ("http://a.org/d?key=a%2Bb%26c&offset=1#top", "http://a.org/d?key=a%2Bb%26c&offset=20&limit=20"),
    ]) func `A page is named beside whatever else the query says`(_ url: String, _ page: String) throws {
        #expect(try list(url).page(offset: 20, limit: 20).absoluteString == page)
    }

    @Test(arguments: [
        ("http://a.org/deliveries", "http://a.org/v1/deliveries/7/favourite"),
        ("http://a.org/v1/deliveries?key=1", "http://a.org/v1/deliveries/7/favourite"),
        ("http://a.org:81/api/v2/deliveries/", "http://a.org:81/api/v2/deliveries/7/favourite"),
        ("http://a.org/rows", "http://a.org/rows/7/favourite"),
    ]) func `The favourite mark of a delivery lies beside its list`(_ url: String, _ favourite: String) throws {
        #expect(try list(url).favourite(of: 7).absoluteString == favourite)
    }

    @Test func `An identity stays within its segment of an address`() throws {
        #expect(
            try list("http://a.org/v2/deliveries").favourite(of: "../a b?c").path(percentEncoded: true)
                == "/v2/deliveries/..%2Fa%20b%3Fc/favourite")
    }

    @Test func `What lies beside a list lies beside it wherever the list is today`() throws {
        let known = try list("http://127.0.0.1:8081/deliveries")
        let today = try list("http://127.0.0.1:40123/deliveries")

        let mark = today.counterpart(of: known.favourite(of: 7), beside: known)
        let foreign = try #require(URL(string: "http://a.org/v1/deliveries/7/favourite"))

        #expect(mark == today.favourite(of: 7))
        #expect(today.counterpart(of: foreign, beside: known) == foreign)
    }
}
