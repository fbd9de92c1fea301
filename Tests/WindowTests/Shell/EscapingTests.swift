import Foundation
import HTTPTypes
import HummingbirdTesting
import LadingTesting
import Testing

@testable import Window

/// Escaping of texts from servers.
@Suite struct EscapingTests {
    /// A text that tries to close an attribute, an element and a template tag.
    private static let hostile = #""'><script>alert(1)</script><img src=x onerror=alert(2)>{{texts.brand}}{{{content}}}&amp;"# + combined
    /// Quotation marks that an accent makes other characters: browsers see the mark alone.
    private static let combined = "\"\u{301} onerror=alert(3) '\u{301} onerror=alert(4)"
    private static let inXML = hostile.replacing("&", with: "&amp;").replacing("<", with: "&lt;")

    private let executor = ScriptedExecutor()
    private let server: WindowServer

    init() async throws {
        server = try await WindowServer(executor: executor)
        let addresses = [
            ("1", "http://a.org/1.xml"), ("2", "http://a.org/2.xml"), ("3", "http://a.org/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E.xml"),
            ("4", "javascript:\(Self.inXML)"),
        ]
        executor.script("http://a.org/orders.plist", .response(text: Wire.list(addresses)))
        executor.script("http://a.org/1.xml", .response(text: Self.order()))
        executor.script("http://a.org/2.xml", .response(text: Self.order(price: Self.inXML)))
        executor.script(addresses[2].1, .response(status: .internalServerError))
        executor.script("http://a.org/items.plist", .response(text: Wire.list([("1", "http://a.org/item-1.xml")])))
        executor.script("http://a.org/item-1.xml", .response(text: Wire.item(Self.inXML, imageURL: "http://a.org/1.svg")))
    }

    /// Returns an order in which every text is hostile.
    private static func order(price: String = "12.5", latitude: String = "51.5") -> String {
        """
        <order><title>\(inXML)</title><info>\(inXML)</info><price>\(price)</price><currency>\(inXML)</currency><itemCount>1</itemCount>\
        <deliveryDate>\(inXML)</deliveryDate><location><address>\(inXML)</address><radius>1</radius>\
        <radiusUnit>\(inXML)</radiusUnit><latitude>\(latitude)</latitude><longitude>-0.12</longitude></location>\
        <items><item><id>1</id><quantity>2</quantity><quantityUnit>\(inXML)</quantityUnit></item></items></order>
        """
    }

    private func page(_ path: String) async throws -> String {
        try await server.application.test(.router) {
            try await $0.execute(uri: path, method: .get, headers: [.acceptLanguage: "de"]).text
        }
    }

    /// Expects no markup of a text, as a browser reads it: by scalars, not by characters.
    private func expectHarmless(_ page: String) {
        #expect(!page.contains("<script>"))
        #expect(!page.contains("<img src=x"))
        for tag in page.matches(of: /<[a-zA-Z][^>]*>/.matchingSemantics(.unicodeScalar)) {
            let outsideOfQuotes = tag.output.replacing(/"[^"]*"/.matchingSemantics(.unicodeScalar), with: "")
            #expect(!outsideOfQuotes.unicodeScalars.contains { $0 == "'" || $0 == "\"" }, "\(tag.output)")
            #expect(!outsideOfQuotes.contains(/onerror|alert/), "\(tag.output)")
        }
        #expect(!page.contains("&amp;amp;amp;"))
    }

    @Test func `Titles, addresses, currencies, units, dates and reasons of a list are escaped`() async throws {
        let page = try await page("/orders?plain=1")

        expectHarmless(page)
        #expect(page.matches(of: /data-state="loaded"/).count == 2)
        #expect(page.matches(of: /data-state="failed"/).count == 2)
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
        #expect(page.contains("{{texts.brand}}"))
    }

    @Test func `A search is escaped in the attribute that repeats it`() async throws {
        let page = try await page("/orders?plain=1&search=\(Self.combined.percentEncodedComponent)")

        expectHarmless(page)
        #expect(page.unicodeScalars.contains("\u{301}"))
    }

    @Test(arguments: 1...4) func `The fields of an order page are escaped`(id: Int) async throws {
        let page = try await page("/orders/\(id)?plain=1")

        expectHarmless(page)
        #expect(page.contains("<h1"))
    }

    @Test func `A path that is not found is not repeated as markup`() async throws {
        expectHarmless(try await page("/orders/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"))
        expectHarmless(try await page("/%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E"))
    }

    @Test(arguments: [("0.00001", "geo:0.00001,-0.12"), ("-51.123456789", "geo:-51.123457,-0.12")])
    func `The navigation link contains plain decimal numbers`(latitude: String, link: String) async throws {
        executor.script("http://a.org/1.xml", .response(text: Self.order(latitude: latitude)))

        let page = try await page("/orders/1?plain=1")

        #expect(page.contains("href=\"\(link)?q=\(link.dropFirst(4))\""))
    }

    // MARK: Templates

    @Test func `Only the content of a page is inserted unescaped`() throws {
        for (name, text) in try Templates.all() {
            let raw = text.matches(of: /\{\{[{&%=][^}]*/).map { String($0.output) }
            #expect(raw == (name == "page" ? ["{{{content"] : []), "\(name)")
        }
    }

    @Test func `Every attribute value is quoted`() throws {
        for (name, text) in try Templates.all() {
            for tag in text.matches(of: /<[a-zA-Z][^<]*?>/) {
                let unquoted = tag.output.replacing(/"[^"]*"/, with: "")
                #expect(unquoted.matches(of: /\{\{\s*[\w.]/).isEmpty, "\(name): \(tag.output)")
            }
        }
    }

    @Test func `No template has an inline script, style or handler`() throws {
        for (name, text) in try Templates.all() {
            #expect(text.matches(of: /<(script|style)(?![^>]*src=)|\s(on\w+|style|srcdoc)=/).isEmpty, "\(name)")
        }
    }
}
