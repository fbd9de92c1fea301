import HTTPFieldValues
import Testing

@Suite struct ContentTypeFieldTests {
    @Test(arguments: [
        ("text/html", "text/html"), ("Text/HTML;Charset=\"utf-8\"", "text/html"), ("text/html\t ; charset=utf-8", "text/html"),
        (" text/html ", "text/html"), ("text/html;\u{301}", "text/html"), ("text/html charset=utf-8", "text/html charset=utf-8"),
        (";charset=utf-8", ""), ("", ""),
    ])
    func `A media type is before the parameters and in lower case`(field: String, mediaType: String) {
        #expect(ContentTypeField.mediaType(in: field) == mediaType)
    }
}
