import Foundation
import Testing

@testable import Deliveries

@Suite struct DeliveryListTests {
    private func list(_ url: String) throws -> DeliveryList { DeliveryList(url: try #require(URL(string: url))) }

    @Test(arguments: [
        ("http://a.org/deliveries", "http://a.org/deliveries?offset=20&limit=20"),
        ("http://a.org/deliveries?offset=0&limit=7", "http://a.org/deliveries?offset=20&limit=20"),
        ("http://a.org/d?key=a%2Bb%26c&offset=1#top", "http://a.org/d?key=a%2Bb%26c&offset=20&limit=20"),
    ]) func `The URL of a page preserves the other query items`(_ url: String, _ page: String) throws {
        #expect(try list(url).pageURL(offset: 20, limit: 20).absoluteString == page)
    }

    @Test(arguments: [
        ("http://a.org/deliveries", "http://a.org/v1/deliveries/7/favourite"),
        ("http://a.org/v1/deliveries?key=1", "http://a.org/v1/deliveries/7/favourite"),
        ("http://a.org:81/api/v2/deliveries/", "http://a.org:81/api/v2/deliveries/7/favourite"),
        ("http://a.org/rows", "http://a.org/rows/7/favourite"),
    ]) func `The favourite URL of a delivery is derived from its list`(_ url: String, _ favourite: String) throws {
        #expect(try list(url).favouriteURL(of: 7).absoluteString == favourite)
    }

    @Test func `An id is escaped within its path segment`() throws {
        #expect(
            try list("http://a.org/v2/deliveries").favouriteURL(of: "../a b?c").path(percentEncoded: true)
                == "/v2/deliveries/..%2Fa%20b%3Fc/favourite")
    }

    @Test func `A URL of a list is rebased to the current address of its server`() throws {
        let known = try list("http://127.0.0.1:8081/deliveries")
        let current = try list("http://127.0.0.1:40123/deliveries")

        let rebased = current.rebasing(known.favouriteURL(of: 7), from: known)
        let foreign = try #require(URL(string: "http://a.org/v1/deliveries/7/favourite"))

        #expect(rebased == current.favouriteURL(of: 7))
        #expect(current.rebasing(foreign, from: known) == foreign)
    }
}
