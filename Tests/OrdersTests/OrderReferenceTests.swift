import Foundation
import Testing

@testable import Orders

/// Addresses and the stored form of references.
@Suite struct OrderReferenceTests {
    @Test func `An address is at most 8192 bytes long`() throws {
        let longest = "http://a.org/" + String(repeating: "a", count: 8_179)

        #expect(try OrderReference(id: 1, address: longest).url().absoluteString == longest)
        #expect(throws: OrderDocumentError.addressTooLong(limit: 8_192)) {
            try OrderReference(id: 1, address: longest + "a").url()
        }
    }

    @Test func `A relative address of more than 8192 bytes is not resolved`() throws {
        let url = try #require(URL(string: "http://a.org/orders.plist"))
        let longest = String(repeating: "a", count: 8_192)

        #expect(longest.resolved(against: url) == "http://a.org/" + longest)
        #expect((longest + "a").resolved(against: url) == longest + "a")
    }

    @Test func `A reference with a number and an address is stored as one text, and others as a list`() throws {
        let references = [
            OrderReference(id: 7, address: "order 7.xml"), OrderReference(id: OrderID("first"), address: "1.xml"),
            OrderReference(id: 8, error: .addressTooLong(limit: 8_192)), OrderReference(id: OrderID("x"), error: .nonNumericKey("x")),
        ]
        let stored =
            #"["7 order 7.xml",["first","1.xml"],["8",null,{"addressTooLong":{"limit":8192}}],["x",null,{"keyIsNoNumber":{"_0":"x"}}]]"#

        #expect(String(decoding: try JSONEncoder().encode(references), as: UTF8.self) == stored)
        #expect(try JSONDecoder().decode([OrderReference].self, from: Data(stored.utf8)) == references)
    }
}
