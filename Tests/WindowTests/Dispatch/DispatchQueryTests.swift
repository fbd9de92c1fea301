import Foundation
import Testing

@testable import Window

@Suite("Dispatch: the address of the table")
struct DispatchQueryTests {
    @Test func `The address and the API's parameters come from one query`() {
        let query = DispatchQuery("show=pickedUp&search=ash+street&sort=price&after=abc")

        #expect(query.url == "/dispatch?show=pickedUp&search=ash%20street&sort=price&after=abc")
        #expect(query.apiParameters == ["state": "pickedUp", "text": "ash street", "sort": "price", "after": "abc"])
        #expect(query.scoped(to: .attention).url == "/dispatch?show=attention&search=ash%20street&sort=price")
        #expect(query.page(after: nil).apiParameters["after"] == nil)
    }

    @Test(arguments: [nil, "", "show=nothing&sort=nothing", "after="])
    func `Unknown values show what needs attention`(text: String?) {
        #expect(DispatchQuery(text).apiParameters == ["scope": "attention", "sort": "due"])
    }

    @Test func `A long search is cut off`() {
        #expect(DispatchQuery("search=\(String(repeating: "x", count: 500))").text.count == 400)
        // 17 families of 25 bytes are 425 bytes.
        #expect(DispatchQuery("search=\(String(repeating: "👨‍👩‍👧‍👦", count: 17))").text.utf8.count == 400)
    }
}
