import Foundation
import Testing

@testable import Orders

/// Well-formedness of markup, compared with Foundation's parser.
@Suite struct XMLReaderTests {
    private func read(_ text: String, depthLimit: Int = 64) throws -> ParsedElement {
        try XMLReader(depthLimit: depthLimit).read(Array(text.utf8), root: "a")
    }

    @Test(arguments: [
        "<a/>", "<a></a>", "<a />", "<a\n></a\t>", "<?xml version=\"1.0\"?><a/>",
        "<?xml version='1.0' encoding='utf-8' standalone='yes' ?>\n<a/>\n", "<a>b</a>",
        "<a x='1' y=\"2>\"/>", "<a x = '&lt;&#65;'/>", "<a>&lt;&gt;&amp;&apos;&quot;&#65;&#x42;&#xa;&#x1F600;</a>",
        "<a><![CDATA[<&]]]]><![CDATA[>]]></a>",
        "<a>b<!-- - c -->d</a>", "<!-- <b> --><a/><!----><?p x?>", "<a>]]</a>", "<a>] ]></a>", "<a>b\r\nc\rd</a>",
        "<a><![CDATA[b\r\nc\rd]]></a>", "<a><b/>c<b>d</b>e</a>",
        "<a><éb-c._1·/></a>", "<a>\u{85}\u{2028}\u{10FFFF}\u{E000}</a>", "<a><?p ??></a>", "<a>>\"'</a>",
        "<a xmlns:x='http://a.org/x' x:y='1'/>",
        "<a>\u{7F}\u{9F}</a>", "<a><\u{100}b/></a>",
    ])
    func `Well-formed documents are read as by Foundation`(text: String) throws {
        let element = try read(text)

        #expect(element.condensed == elementsReadByFoundation(Array(text.utf8))?.condensed)
    }

    @Test(arguments: [
        "", "a", "<", "<>", "<a", "<a>", "</a>", "<a></b>", "<a></a", "<a></a><a/>", "<a/>b", "b<a/>", "<a><b></a></b>", "<a x/>",
        "<a x=1/>", "<a x='1/>", "<a x='1'y='2'/>",
        "<a x='<'/>", "<a x='1' x='2'/>", "<a x='&'/>", "<a x='&b;'/>", "<a x='&lt' y=';'/>", "<a/ >", "< a/>", "<a></ a>", "<1/>", "<-/>",
        "<a>&</a>", "<a>&b;</a>", "<a>&lt</a>",
        "<a>&#;</a>", "<a>&#x;</a>", "<a>&#xG;</a>", "<a>&#-1;</a>", "<a>&#+65;</a>", "<a>&#0;</a>", "<a>&#x8;</a>", "<a>&#xD800;</a>",
        "<a>&#xFFFF;</a>", "<a>&#x110000;</a>",
        "<a>&#99999999999;</a>", "<a>]]></a>", "<a><![CDATA[</a>", "<a><![cdata[]]></a>", "<![CDATA[]]><a/>", "<a><!-- -- --></a>",
        "<a><!-- --->", "<a><!-></a>", "<a><!b></a>",
        "<a><?xml version='1.0'?></a>", " <?xml version='1.0'?><a/>", "<?xml version='2.0'?><a/>",
        "<?xml VERSION='1.0'?><a/>", "<?xml version='1.0'encoding='utf-8'?><a/>",
        "<?xml encoding='utf-8'?><a/>", "<a><?p></a>", "<a><? p?></a>",
        "<a>\u{1}</a>", "<a><×/></a>", "<a><·/></a>", "<a><b\u{2028}/></a>",
        "<?xml version='1.0' standalone='yes' encoding='utf-8'?><a/>",
    ])
    func `Malformed documents are errors, as in Foundation`(text: String) {
        #expect(throws: OrderDocumentError.self) { try read(text) }
        #expect(elementsReadByFoundation(Array(text.utf8)) == nil)
    }

    /// These instructions crash Foundation's parser.
    @Test func `Processing instructions without content are skipped`() throws {
        #expect(try read("<?p?><a>b<?p?>c</a><?p?>").condensed == "<a>bc</>")
        #expect(throws: OrderDocumentError.self) { try read("<?xml?><a/>") }
    }

    @Test func `XML 1.1 is read as XML 1.0`() throws {
        #expect(try read("<?xml version='1.1'?><a/>") == ParsedElement("a"))
    }

    @Test(arguments: ["<a>b\r\nc\rd\r\r\ne</a>", "<a><![CDATA[b\r\nc\rd\r\r\ne]]></a>"])
    func `Every line break is read as a line feed`(text: String) throws {
        #expect(try read(text).text == "b\nc\nd\n\ne")
    }

    @Test func `A reference is at most 100 bytes long`() throws {
        let zeros = String(repeating: "0", count: 95)

        #expect(try read("<a>&#\(zeros)65;</a>").text == "A")
        #expect(throws: OrderDocumentError.malformed("line 1, an ampersand stands alone")) { try read("<a>&#0\(zeros)65;</a>") }
    }

    @Test func `An element has at most sixty-four attributes`() throws {
        let attributes = (0..<65).map { " a\($0)=''" }

        _ = try read("<a\(attributes.dropLast().joined())/>")
        #expect(throws: OrderDocumentError.self) { try read("<a\(attributes.joined())/>") }
    }

    @Test func `The nesting limit is exact`() throws {
        let four = "<a><a><a><a/></a></a></a>"

        _ = try read(four, depthLimit: 4)
        #expect(throws: OrderDocumentError.tooManyLevels(limit: 3)) { try read(four, depthLimit: 3) }
    }

    @Test func `An error names its line`() {
        #expect(throws: OrderDocumentError.malformed("line 3, tags do not match")) { try read("<a>\n<b>\n</c></b></a>") }
        #expect(throws: OrderDocumentError.malformed("line 2, unexpected end")) { try read("<a>\n<b>") }
        #expect(throws: OrderDocumentError.malformed("line 2, invalid text encoding")) { try read("<a>\n\u{1}</a>") }
    }
}
