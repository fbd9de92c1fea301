import Foundation
import LadingHTTP
import Testing

@Suite struct URLQueryTests {
    @Test(arguments: [
        ("plain-._~", "plain-._~"), ("a b", "a%20b"), ("1+1=2&x", "1%2B1%3D2%26x"), ("50%", "50%25"),
        ("ä€😀", "%C3%A4%E2%82%AC%F0%9F%98%80"),
        ("/?:@!$'()*,;[]#", "%2F%3F%3A%40%21%24%27%28%29%2A%2C%3B%5B%5D%23"), ("", ""), ("a\r\n\u{0}", "a%0D%0A%00"),
    ])
    func `In a URL all but unreserved characters are percent-encoded`(text: String, encoded: String) {
        #expect((["q": .init(text)] as URLQuery).text == "q=\(encoded)")
        #expect((URLQuery([.init(text, "1")])).text == "\(encoded)=1")
    }

    @Test(arguments: [
        ("plain-._*", "plain-._*"), ("~", "%7E"), ("a b", "a+b"), ("1+1=2&x", "1%2B1%3D2%26x"), ("ä", "%C3%A4"), ("a\r\nb", "a%0D%0Ab"),
        ("'()!", "%27%28%29%21"),
    ])
    func `In a form a space becomes a plus`(text: String, encoded: String) {
        #expect((["q": .init(text)] as URLQuery).formText == "q=\(encoded)")
    }

    @Test func `Names preserve their order and may be repeated`() {
        let query: URLQuery = ["b": 1, "a": ["x", "y"], "b": 2.5, "c": true, "none": []]

        #expect(query.text == "b=1&a=x&a=y&b=2.5&c=true")
        #expect(query.formText == query.text)
    }

    @Test func `A name may have no value`() {
        let query: URLQuery = ["exact": nil, "empty": ""]

        #expect(query.text == "exact&empty=")
        #expect(query.formText == "exact=&empty=")
    }

    @Test func `Values may be computed`() {
        let page = 3
        var query: URLQuery = ["page": "\(page)"]
        query.append("tag", .init(each: ["a", "b"]))
        query.append("id", .init(7))

        #expect(query.text == "page=3&tag=a&tag=b&id=7")
    }

    @Test(arguments: [
        ("http://a.org/x", "http://a.org/x?key=a%2Bb"), ("http://a.org/x?", "http://a.org/x?key=a%2Bb"),
        ("http://a.org/x?q=%2B4912%3B&r=%20+#top", "http://a.org/x?q=%2B4912%3B&r=%20+&key=a%2Bb#top"),
    ])
    func `A query is added to that of a URL, which does not change`(url: String, expected: String) throws {
        let url = try #require(URL(string: url))

        #expect(url.appending(query: ["key": "a+b"]).absoluteString == expected)
        #expect(url.appending(query: [:]) == url)
    }
}
