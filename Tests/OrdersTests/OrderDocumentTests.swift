import Foundation
import Testing

@testable import Orders

/// What is read from documents, good and bad.
@Suite struct OrderDocumentTests {
    // MARK: What is read

    @Test func `Every field of an order is carried, and text is trimmed`() throws {
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
        #expect(order.location.latitude == 51.50007773)
        #expect(order.location.longitude == -0.1246402)
        #expect(order.items.map(\.id) == [1, 2])
        #expect(order.items.map(\.quantity) == [5, Decimal(string: "0.3")])
        #expect(order.items.map(\.quantityUnit) == ["kg", "pc."])
        #expect(order.items.allSatisfy { $0.item == nil })
    }

    @Test func `An item is read`() throws {
        let text = "<item>\n<name> Pumpkin\n</name><imageUrl>http://example.org/item-3.png</imageUrl></item>"

        let item = try Item(id: 3, document: Array(text.utf8))

        #expect(item == Item(id: 3, name: "Pumpkin", imageURL: URL(string: "http://example.org/item-3.png")!))
    }

    @Test func `A list is read in the order of its ids`() throws {
        let list = Documents.list(["10": "http://a.org/10.xml", "9": " http://a.org/9.xml\n"])

        let references = try OrderReference.list(propertyList: list)

        #expect(references == [.init(id: 9, address: "http://a.org/9.xml"), .init(id: 10, address: "http://a.org/10.xml")])
    }

    @Test(arguments: [String.Encoding.utf16, .utf16LittleEndian, .utf16BigEndian, .isoLatin1])
    func `Documents in other encodings are read`(encoding: String.Encoding) throws {
        let name = encoding == .isoLatin1 ? "ISO-8859-1" : "UTF-16"
        let text = "<?xml version=\"1.0\" encoding=\"\(name)\"?>" + Documents.orderText(title: "Früchte für Åsa")

        let order = try Order(id: 1, document: Array(try #require(text.data(using: encoding))))

        #expect(order.title == "Früchte für Åsa")
    }

    @Test func `A byte order mark is passed over`() throws {
        let order = try Order(id: 1, document: [0xEF, 0xBB, 0xBF] + Documents.order())

        #expect(order.title == "Need groceries")
    }

    @Test func `CDATA is text, and comments are not`() throws {
        let order = try Order(id: 1, document: Documents.order(title: "<![CDATA[<Fish>]]> &amp; <!-- no -->chips"))

        #expect(order.title == "<Fish> & chips")
    }

    // MARK: What is refused

    @Test(arguments: 1...40) func `A document that was cut off is no order`(tenths: Int) {
        let document = Documents.order()

        #expect(throws: OrderDocumentError.self) {
            try Order(id: 1, document: Array(document.prefix(document.count * tenths / 41)))
        }
    }

    @Test(arguments: [
        "title", "info", "price", "currency", "itemCount", "deliveryDate", "location", "items", "address", "radius", "radiusUnit",
        "latitude", "longitude",
    ])
    func `A missing element is named`(name: String) throws {
        let text = Documents.orderText().replacing("<\(name)>", with: "<x>").replacing("</\(name)>", with: "</x>")

        let error = #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Array(text.utf8)) }

        #expect(error?.description.contains(name) == true)
    }

    @Test(arguments: ["", "fifteen", "1,5", "1e5000", "NaN", "--1", "1.2.3", "0x10"])
    func `A price that is no number is an error`(price: String) {
        #expect(throws: OrderDocumentError.notANumber("order/price", text: price)) {
            try Order(id: 1, document: Documents.order(price: price))
        }
    }

    @Test(arguments: ["91", "-90.5", "inf", "nan", "north"]) func `A latitude off the globe is an error`(latitude: String) {
        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Documents.order(latitude: latitude)) }
    }

    @Test(arguments: [String.Encoding.utf8, .utf16, .utf16BigEndian])
    func `A document type is refused before anything is parsed`(encoding: String.Encoding) throws {
        let bomb = (0..<12).map { "<!ENTITY e\($0 + 1) \"\(String(repeating: "&e\($0);", count: 10))\">" }.joined()
        let text = "<!DocType order [<!ENTITY e0 \"x\">\(bomb)]><order><title>&e12;</title></order>"

        #expect(throws: OrderDocumentError.documentType) {
            try Order(id: 1, document: Array(try #require(text.data(using: encoding))))
        }
    }

    @Test func `An encoding that could hide a document type is refused`() {
        let text = "<?xml version=\"1.0\" encoding='UTF-7'?>" + Documents.orderText()

        #expect(throws: OrderDocumentError.encoding("UTF-7")) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test func `A document in another alphabet's bytes is refused before it is parsed`() {
        let ebcdic: [UInt8] = [0x4C, 0x6F, 0xA7, 0x94, 0x93, 0x40, 0xA5, 0x85, 0x99]

        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: ebcdic + Documents.order()) }
    }

    @Test func `An entity that is not declared does not vanish`() {
        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Documents.order(title: "a&ext;b")) }
    }

    @Test func `A hundred thousand levels of nesting are refused at the sixty-fourth`() {
        let deep = String(repeating: "<a>", count: 100_000)

        #expect(throws: OrderDocumentError.tooDeep(limit: 64)) {
            try Order(id: 1, document: Array("<order>\(deep)".utf8))
        }
    }

    @Test func `A document that is too long is refused`() {
        #expect(throws: OrderDocumentError.tooLong(limit: 1_000_000)) {
            try Order(id: 1, document: Array(repeating: 0x20, count: 1_000_001))
        }
    }

    @Test(arguments: ["", "   ", "not xml", "<html></html>", "<order/>", "<order></order><order></order>", "\u{0}\u{0}"])
    func `What is no order is an error`(text: String) {
        #expect(throws: OrderDocumentError.self) { try Order(id: 1, document: Array(text.utf8)) }
    }

    @Test(arguments: ["", "<plist version=\"1.0\"><array/></plist>", "<plist version=\"1.0\"><dict><key>1</key>"])
    func `What is no dictionary is no list`(text: String) {
        #expect(throws: OrderDocumentError.noDictionary) { try OrderReference.list(propertyList: Array(text.utf8)) }
    }

    @Test func `A key that is no number is named`() {
        #expect(throws: OrderDocumentError.keyIsNoNumber("first")) {
            try OrderReference.list(propertyList: Documents.list(["first": "http://a.org"]))
        }
    }
}
