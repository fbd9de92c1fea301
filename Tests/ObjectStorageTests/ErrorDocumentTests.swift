import Testing

@testable import ObjectStorage

@Suite("Error document of an object store")
struct ErrorDocumentTests {
    private func document(_ text: String) -> ErrorDocument? { ErrorDocument(Array(text.utf8)) }

    @Test func `The code, the message, the region and the endpoint are read`() {
        let document = document(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <Error xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Code>PermanentRedirect</Code><Message>The bucket you are attempting to access
            must be addressed using the specified endpoint.</Message><Region>eu-west-1</Region>
            <Endpoint>lading.s3-eu-west-1.amazonaws.com</Endpoint><RequestId>4442587FB7D0A2F9</RequestId></Error>
            """)

        #expect(document?.code == "PermanentRedirect")
        #expect(document?.message == "The bucket you are attempting to access must be addressed using the specified endpoint.")
        #expect(document?.region == "eu-west-1" && document?.endpoint == "lading.s3-eu-west-1.amazonaws.com")
    }

    @Test func `Character references are decoded once, and unknown ones stay`() {
        let document = document(
            "<Error><Code>A</Code><Message>&lt;b&gt; &amp;amp; &quot;x&quot; &apos;&#233;&#xE9; &nbsp; &#xD800; & &;</Message></Error>")

        #expect(document?.message == "<b> &amp; \"x\" 'éé &nbsp; &#xD800; & &;")
    }

    @Test(arguments: [
        "", "<html><body>Not found</body></html>", "<Code>A</Code>", "<Error></Error>", "<Error><Code></Code></Error>", "<Error><Code>A",
        "<Error><Code><b>A</b></Code></Error>", "<Error><Code>A B</Code></Error>", "<Error><Code>A</Message>",
    ])
    func `A body without an error and its code is no error document`(_ text: String) {
        #expect(document(text) == nil)
    }

    @Test func `Long texts are cut, and control characters become spaces`() {
        let long = document("<Error><Code>A</Code><Message>\(String(repeating: "x", count: 1_000_000))</Message></Error>")
        let short = document("<Error><Code>A</Code><Message>\(String(repeating: "x", count: 1_000))</Message></Error>")
        let control = document("<Error><Code>A</Code><Message>a\u{1B}[31mb&#27;c\r\n\u{85}d</Message></Error>")

        #expect(long?.code == "A" && long?.message == nil)
        #expect(short?.message == String(repeating: "x", count: 300) + "…")
        #expect(control?.message == "a [31mb c d")
    }

    @Test func `A document that never ends is read up to the limit`() {
        #expect(document("<Error>" + String(repeating: " ", count: ErrorDocument.sizeLimit) + "<Code>A</Code></Error>") == nil)
        #expect(document(String(repeating: "<Error><Code>", count: 100_000)) == nil)
    }
}
