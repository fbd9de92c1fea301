import Foundation
import LadingRecords
import Testing
@testable import Orders

/// Reading of valid and invalid documents.
@Suite struct OrderDocumentTests {
    private static let itemURL = URL(string: "http://example.org/items/3.xml")!

    // MARK: Valid documents

    @Test func `Every field of an order is read, and text is trimmed`() throws {
        let order = try Order(id: 1, document: Documents.order())

        #expect(order.id == 1)
        #expect(order.title == "Need groceries")
        #expect(order.info == "Ring twice & wait")
        #expect(order.price == Decimal(string: "15.50"))
        #expect(order.currency == "USD")
        #expect(order.itemCount == 3)
        #expect(order.deliveryDate == "May, 15th 16:00")
        #expect(order.location.address == "33-07 Ditmars Blvd, Queens, NY 11105, United States")
        #expect(order.location.radius == 1)
        #expect(order.location.radiusUnit == "km")
        #expect(order.location.point == GeographicPoint(latitude: 51.50007773, longitude: -0.1246402))
        #expect(order.fieldErrors.isEmpty)
        #expect(order.items.map(\.id) == [1, 2])
        #expect(order.items.map(\.quantity) == [5, Decimal(string: "0.3")])
        #expect(order.items.map(\.quantityUnit) == ["kg", "pc."])
        #expect(order.items.allSatisfy { $0.item == nil })
    }

    @Test func `An item is read`() throws {
        let text = "<item>\n<name> Pumpkin\n</name><imageUrl>http://example.org/item-3.png</imageUrl></item>"

        let item = try Item(id: 3, document: Array(text.utf8), at: Self.itemURL)

        #expect(item == Item(id: 3, name: "Pumpkin", imageURL: URL(string: "http://example.org/item-3.png")!))
    }

    @Test(arguments: [
        "", "<imageUrl/>", "<imageUrl></imageUrl>", "<imageUrl> \n </imageUrl>", "<imageUrl>ftp://a.org/3.png</imageUrl>",
        "<imageUrl>file:///3.png</imageUrl>", "<imageUrl>javascript:alert(1)</imageUrl>", "<imageUrl>data:image/png;base64,AA==</imageUrl>",
        "<imageUrl>http://</imageUrl>", "<imageUrl>http://a.org/\(String(repeating: "3", count: 8_192))</imageUrl>",
    ])
    func `An item without a usable image URL is read`(picture: String) throws {
        let text = "<item><name>Bread</name>\(picture)</item>"

        let item = try Item(id: 3, document: Array(text.utf8), at: Self.itemURL)

        #expect(item == Item(id: 3, name: "Bread", imageURL: nil))
    }

    @Test(arguments: [
        ("item-4.png", "http://example.org/items/item-4.png"), ("/p/4.png", "http://example.org/p/4.png"),
        ("../4.png", "http://example.org/4.png"), ("//p.org/4.png", "http://p.org/4.png"),
    ])
    func `A relative image URL is resolved against the item`(address: String, whole: String) throws {
        let text = "<item><name>Bread</name><imageUrl>\(address)</imageUrl></item>"

        let item = try Item(id: 4, document: Array(text.utf8), at: Self.itemURL)

        #expect(item.imageURL?.absoluteString == whole)
    }

    @Test func `An item without a name is an error`() {
        let text = "<item><imageUrl>http://example.org/item-3.png</imageUrl></item>"

        #expect(throws: OrderDocumentError.missing("item/name")) {
            try Item(id: 3, document: Array(text.utf8), at: Self.itemURL)
        }
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1])
    func `Documents in other encodings are read`(encoding: String.Encoding) throws {
        let name = encoding == .isoLatin1 ? "ISO-8859-1" : "UTF-16"
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>" + Documents.orderText(title: "Früchte für Åsa")

        let order = try Order(id: 1, document: Array(try #require(text.data(using: encoding))))

        #expect(order.title == "Früchte für Åsa")
    }

    @Test func `A byte order mark is skipped`() throws {
        let order = try Order(id: 1, document: [0xEF, 0xBB, 0xBF] + Documents.order())

        #expect(order.title == "Need groceries")
    }

    @Test func `The byte order mark and bytes override a contradicting declared encoding`() throws {
        let text = "<?xml version='1.0' encoding='UTF-16'?>" + Documents.orderText(title: "Früchte")
        let marked = "<?xml version='1.0' encoding='UTF-8'?>" + Documents.orderText(title: "Früchte")

        #expect(try Order(id: 1, document: Array(text.utf8)).title == "Früchte")
        #expect(try Order(id: 1, document: Array(try #require(marked.data(using: .utf16)))).title == "Früchte")
    }

    @Test func `A byte that is invalid in the declared encoding is an error`() throws {
        let latin = Documents.orderText(title: "Früchte").data(using: .isoLatin1)

        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Array(try #require(latin))) }
    }

    @Test(arguments: [[0xD8, 0x00], [0xDC, 0x00], [0xFF, 0xFE], [0xFF, 0xFF], [0x00, 0x01]] as [[UInt8]])
    func `A lone surrogate, a noncharacter or a control character in UTF-16 is an error`(unit: [UInt8]) throws {
        var document = Array(try #require(Documents.orderText(title: "X").data(using: .utf16BigEndian)))
        let place = try #require(document.indices.first { document[$0] == 0x58 })
        document.replaceSubrange(place - 1...place, with: unit)

        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: document) }
    }

    @Test(
        arguments: [[0xED, 0xA0, 0x80], [0xEF, 0xBF, 0xBE], [0xC0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x07], [0x00], [0xC3]] as [[UInt8]])
    func `A surrogate, a noncharacter, an overlong form or a control character in UTF-8 is an error`(bytes: [UInt8]) {
        let document = Documents.order(title: "X").split(separator: 0x58, maxSplits: 1)

        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Array(document[0]) + bytes + Array(document[1])) }
    }

    @Test func `A namespace is ignored, with a prefix or without`() throws {
        let plain = Documents.orderText().replacing("<order>", with: "<order xmlns=\"http://a.org/orders\">")
        let prefixed = Documents.orderText().replacing("</", with: "</o:").replacing(/<(\w)/) { "<o:\($0.1)" }
            .replacing("<o:order>", with: "<o:order xmlns:o=\"http://a.org/orders\">")
        let rootAlone = plain.replacing("<order xmlns=", with: "<o:order xmlns:o=").replacing("</order>", with: "</o:order>")

        let orders = try [plain, prefixed, rootAlone].map { try Order(id: 1, document: Array($0.utf8)) }

        #expect(orders.allSatisfy { $0 == orders[0] && $0.title == "Need groceries" && $0.items.count == 2 && $0.fieldErrors.isEmpty })
    }

    @Test func `A field in the namespace of the order takes precedence over one in another`() throws {
        let text = Documents.orderText().replacing("\t<title>", with: "<dc:title>Somebody else's</dc:title><title>")

        #expect(try Order(id: 1, document: Array(text.utf8)).title == "Need groceries")
    }

    @Test(arguments: [
        ("Need <b>fresh</b> fish", "Need fresh fish"), ("<b>Fish</b> <i>chips</i>", "Fish chips"), ("F<b>i</b>sh", "Fish"),
        ("<span><em>Fish</em></span> &amp; <!-- no --><u>chips</u>", "Fish & chips"), ("Fish<br/>chips", "Fish\n\nchips"),
        ("<p>Fish</p><p>chips</p>", "Fish\n\nchips"),
    ])
    func `The text of inline markup is preserved`(markup: String, text: String) throws {
        #expect(try Order(id: 1, document: Documents.order(title: markup)).title == text)
    }

    @Test(arguments: ["iso-8859-1", "ISO-8859-1", "latin1", "windows-1252"])
    func `The charset of the response applies to documents that declare none`(charset: String) throws {
        let latin = Array(try #require(Documents.orderText(title: "Früchte").data(using: .isoLatin1)))

        #expect(try Order(id: 1, document: latin, charset: charset, dates: .greenwich).title == "Früchte")
    }

    @Test(arguments: ["iso-8859-1", "utf-7", "binary", ""])
    func `A declared encoding and a byte order mark override the charset of the response`(charset: String) throws {
        let declared = "<?xml version='1.0' encoding='UTF-8'?>" + Documents.orderText(title: "Früchte")
        let marked = [0xEF, 0xBB, 0xBF] + Documents.order(title: "Früchte")

        #expect(try Order(id: 1, document: Array(declared.utf8), charset: charset, dates: .greenwich).title == "Früchte")
        #expect(try Order(id: 1, document: marked, charset: charset, dates: .greenwich).title == "Früchte")
    }

    @Test func `An unsupported charset of the response is ignored`() throws {
        #expect(try Order(id: 1, document: Documents.order(title: "Früchte"), charset: "x-odd", dates: .greenwich).title == "Früchte")
    }

    @Test(arguments: [
        "<!DOCTYPE order [<!ENTITY shop \"Müller &#38;#38; Co\">]>", "<!DOCTYPE order [<!ENTITY shop '&external;'>]>",
        "<!DOCTYPE order [<!ENTITY shop SYSTEM \"file:///etc/passwd\">]>", "<!DOCTYPE order [<!ENTITY % shop \"x\">]>",
        "<!DOCTYPE order [<!ENTITY shop \"&#60;b/>\">]>", "<!DOCTYPE order [<!ENTITY shop \"<b/>\">]>",
        "<!DOCTYPE order [<!ENTITY shop PUBLIC \"a\" \"http://a.org/\">]>", "<!DOCTYPE order [%shop;]>",
        "<!DOCTYPE order SYSTEM \"a.dtd\" [<!ENTITY shop \"x\">]>", "<!DOCTYPE order [<!ELEMENT order ANY>]>",
        "<!DOCTYPE order [<!ENTITY a '1'>]><!DOCTYPE order [<!ENTITY shop '2'>]>", "<!doctype order [<!ENTITY shop 'x'>]>",
    ])
    func `An entity that is more than plain text is refused where it is declared`(documentType: String) {
        let text = documentType + Documents.orderText(title: "&shop;")

        #expect(throws: OrderDocumentError.unsupportedDocumentType) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test(arguments: [
        "<!DOCTYPE order [<!ENTITY shop \"Müller &amp; S&#xF6;hne\">]>",
        "<!DOCTYPE order [\n<!-- a --><?b?><!ENTITY shop 'Müller &amp; Söhne' >\n] >",
        "<!DOCTYPE order [<!ENTITY shop 'Müller &amp; Söhne'><!ENTITY shop 'Another'>]>",
    ])
    func `A plain-text entity of the document is expanded`(documentType: String) throws {
        let text = documentType + Documents.orderText(title: "Fish for &shop;, &shop;")

        #expect(try Order(id: 1, document: Array(text.utf8)).title == "Fish for Müller & Söhne, Müller & Söhne")
    }

    @Test(arguments: ["<!DOCTYPE order>", "<!DOCTYPE order []>"]) func `A document type without definitions is ignored`(
        documentType: String
    ) throws {
        #expect(try Order(id: 1, document: Array((documentType + Documents.orderText()).utf8)).title == "Need groceries")
    }

    @Test func `The expansion of entities is bounded`() {
        let value = String(repeating: "x", count: 1_000)
        let text = "<!DOCTYPE order [<!ENTITY x '\(value)'>]>" + Documents.orderText(title: String(repeating: "&x;", count: 66))

        #expect(throws: OrderDocumentError.expansionTooLong(limit: 65_536)) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `A document may define at most 64 entities`() {
        let entities = (0..<65).map { "<!ENTITY e\($0) ''>" }.joined()
        let text = "<!DOCTYPE order [\(entities)]>" + Documents.orderText()

        #expect(throws: OrderDocumentError.unsupportedDocumentType) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `Processing instructions are skipped`() throws {
        let text = "<?xml-stylesheet href='a.css'?>" + Documents.orderText(title: "Need<?php echo 1 ?> groceries") + "<?end?>"

        #expect(try Order(id: 1, document: Array(text.utf8)).title == "Need groceries")
    }

    @Test func `CDATA is text, and comments are not`() throws {
        let order = try Order(id: 1, document: Documents.order(title: "<![CDATA[<Fish>]]> &amp; <!-- no -->chips"))

        #expect(order.title == "<Fish> & chips")
    }

    // MARK: Invalid documents

    @Test(arguments: 1...40) func `A truncated document is an error`(tenths: Int) {
        let document = Documents.order()

        #expect(throws: OrderDocumentError.self) {
            try Order(id: 1, document: Array(document.prefix(document.count * tenths / 41)))
        }
    }

    @Test(arguments: [
        "info", "price", "currency", "itemCount", "deliveryDate", "location", "items", "address", "radius", "radiusUnit",
        "latitude", "longitude",
    ])
    func `A missing field is reported by name, and the rest is read`(name: String) throws {
        let text = Documents.orderText().replacing("<\(name)>", with: "<x>").replacing("</\(name)>", with: "</x>")

        let order = try Order(id: 1, document: Array(text.utf8))

        #expect(order.title == "Need groceries")
        #expect(order.fieldErrors.count == 1)
        #expect(order.fieldErrors.first?.description.contains(name) == true)
    }

    @Test func `An order without a title is an error`() {
        let text = Documents.orderText().replacing("<title>", with: "<x>").replacing("</title>", with: "</x>")

        #expect(throws: OrderDocumentError.missing("order/title")) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `An order without a location preserves its other fields`() throws {
        let text = Documents.orderText().replacing(/<location>.*<\/location>/.dotMatchesNewlines(), with: "")

        let order = try Order(id: 1, document: Array(text.utf8))

        #expect(order.location == OrderLocation(address: "", radius: nil, radiusUnit: "", point: nil))
        #expect(order.fieldErrors == [.missing("order/location")])
        #expect(order.price == Decimal(string: "15.50"))
        #expect(order.items.count == 2)
    }

    @Test func `The errors of a document are bounded`() throws {
        let lines = String(repeating: "<item><id>1</id></item>", count: 1_000)
        let text = Documents.orderText().replacing("<items>", with: "<items>\(lines)")

        let order = try Order(id: 1, document: Array(text.utf8))

        #expect(order.items.count == 1_002)
        #expect(order.fieldErrors.count == 20)
    }

    @Test(arguments: [
        "", "fifteen", "1,5", "1e999", "NaN", "inf", "--1", "-", ".", "1.2.3", "0x10", "+5", "١٢", "1 000", "1_000", "1e3", "５",
        String(repeating: "9", count: 31), String(repeating: "9", count: 100_000),
    ])
    func `A price that is not a number is reported`(price: String) throws {
        let order = try Order(id: 1, document: Documents.order(price: price))

        #expect(order.price == nil)
        #expect(order.fieldErrors == [.notANumber("order/price", text: price)])
        #expect(order.location.point != nil)
    }

    @Test(
        arguments: [("0", 0), ("-7.5", -7.5), (".5", 0.5), ("5.", 5), ("007", 7), ("123456789012345678901234567.89", nil)]
            as [(String, Double?)])
    func `A price in plain digits is read as written`(text: String, number: Double?) throws {
        let price = try Order(id: 1, document: Documents.order(price: text)).price

        #expect(price == number.map { Decimal($0) } ?? Decimal(string: text))
    }

    @Test(arguments: ["91", "-90.5", "1e2", "9e999"]) func `A latitude out of range is reported`(latitude: String) throws {
        let order = try Order(id: 1, document: Documents.order(latitude: latitude))

        #expect(order.location.point == nil)
        #expect(order.fieldErrors == [.outOfRange("location/latitude", text: latitude)])
    }

    @Test(arguments: ["inf", "nan", "north", "", "0x1p3", "+5", "51,5", "٥١"]) func `A latitude that is not a number is reported`(
        latitude: String
    ) throws {
        let order = try Order(id: 1, document: Documents.order(latitude: latitude))

        #expect(order.location.point == nil)
        #expect(order.fieldErrors == [.notANumber("location/latitude", text: latitude)])
    }

    @Test(arguments: ["90", "-90", "-7.2e-05", "1E1"]) func `A latitude in range is read`(latitude: String) throws {
        #expect(try Order(id: 1, document: Documents.order(latitude: latitude)).location.point?.latitude == Double(latitude))
    }

    @Test func `A negative item count is reported and replaced by the number of items`() throws {
        let order = try Order(id: 1, document: Documents.order(itemCount: "-3"))

        #expect(order.itemCount == 2)
        #expect(order.fieldErrors == [.outOfRange("order/itemCount", text: "-3")])
    }

    @Test(arguments: ["", "3.5", "three", "+3", "1e2", "99999999999999999999"])
    func `An item count that is not a number is reported and replaced by the number of items`(
        count: String
    ) throws {
        let order = try Order(id: 1, document: Documents.order(itemCount: count))

        #expect(order.itemCount == 2)
        #expect(order.fieldErrors == [.notANumber("order/itemCount", text: count)])
    }

    @Test func `An item line without a numeric id preserves its position`() throws {
        let text = Documents.orderText().replacing("<id> 1 </id>", with: "<id>a pumpkin</id>")

        let order = try Order(id: 1, document: Array(text.utf8))

        #expect(order.items.map(\.id) == [nil, 2])
        #expect(order.items[0].quantityUnit == "kg")
    }

    @Test(arguments: [("<quantity> 1/2 </quantity>", "1/2"), ("<quantity> </quantity>", nil), ("", nil), ("<quantity>0.5</quantity>", nil)])
    func `A quantity that is no decimal number is read as it was entered`(element: String, text: String?) throws {
        let document = "<order><title>Tea</title><items><item><id>1</id>\(element)<quantityUnit>kg</quantityUnit></item></items></order>"

        let order = try Order(id: 1, document: Array(document.utf8))

        #expect(
            order.items == [
                OrderItem(id: 1, quantity: element.contains("0.5") ? Decimal(string: "0.5") : nil, quantityText: text, quantityUnit: "kg")
            ])
        #expect(order.fieldErrors.count { String(describing: $0).contains("quantity") } == (element.contains("0.5") ? 0 : 1))
    }
}
