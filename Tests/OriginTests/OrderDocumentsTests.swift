import Foundation
import Testing

@testable import Origin

@Suite("Order documents")
struct OrderDocumentsTests {
    static let plain = Order(
        id: 1, title: "Need groceries", info: "Lorem ipsum", price: "15", currency: "USD", itemCount: 3,
        deliveryDate: "May, 15th 16:00",
        location: .init(
            address: "33-07 Ditmars Blvd, Queens, NY 11105, United States",
            radius: 1, radiusUnit: "km", latitude: 51.50007773, longitude: -0.1246402
        ),
        items: [.init(id: 1, quantity: "5", unit: "kg"), .init(id: 2, quantity: "3", unit: "pc.")]
    )

    @Test func `An order has the published format`() {
        #expect(
            OrderDocuments.order(Self.plain) == """
                <order>
                \t<title>Need groceries</title>
                \t<info>Lorem ipsum</info>
                \t<price>15</price>
                \t<currency>USD</currency>
                \t<itemCount>3</itemCount>
                \t<deliveryDate>May, 15th 16:00</deliveryDate>
                \t<location>
                \t\t<address>33-07 Ditmars Blvd, Queens, NY 11105, United States</address>
                \t\t<radius>1</radius>
                \t\t<radiusUnit>km</radiusUnit>
                \t\t<latitude>51.50007773</latitude>
                \t\t<longitude>-0.1246402</longitude>
                \t</location>
                \t<items>
                \t\t<item>
                \t\t\t<id>1</id>
                \t\t\t<quantity>5</quantity>
                \t\t\t<quantityUnit>kg</quantityUnit>
                \t\t</item>
                \t\t<item>
                \t\t\t<id>2</id>
                \t\t\t<quantity>3</quantity>
                \t\t\t<quantityUnit>pc.</quantityUnit>
                \t\t</item>
                \t</items>
                </order>

                """
        )
    }

    @Test func `A list has the published format`() {
        #expect(
            OrderDocuments.list(of: [1, 2]) { "http://example.com/item-\($0).xml" } == """
                <?xml version="1.0" encoding="UTF-8"?>
                <plist version="1.0">
                \t<dict>
                \t\t<key>1</key>
                \t\t<string>http://example.com/item-1.xml</string>
                \t\t<key>2</key>
                \t\t<string>http://example.com/item-2.xml</string>
                \t</dict>
                </plist>

                """
        )
    }

    @Test func `A grocery has the published format`() {
        #expect(
            OrderDocuments.item(name: "Pumpkin", imageURL: "http://example.com/item-3.png") == """
                <item>
                \t<name>Pumpkin</name>
                \t<imageUrl>http://example.com/item-3.png</imageUrl>
                </item>

                """
        )
    }

    @Test func `An empty list is a property list`() throws {
        let data = Data(OrderDocuments.list(of: []) { _ in "" }.utf8)

        let list = try PropertyListSerialization.propertyList(from: data, format: nil)

        #expect(list as? [String: String] == [:])
    }

    @Test(arguments: [
        "Fish & chips", "1 < 2 > 0", "\"The usual\"", "]]>", "&amp;",
        "Crème brûlée für Zoë", "日本橋", "👩‍👩‍👧", "a\tb", "a\r\nb", "",
    ])
    func `Any text survives a round trip`(text: String) throws {
        let tree = try #require(XMLTree.parse(OrderDocuments.item(name: text, imageURL: "")))

        #expect(tree["name"]?.text == text)
    }

    @Test(arguments: ["a\u{0}b", "a\u{1F}b", "a\u{FFFE}b"])
    func `A character that XML forbids is replaced`(text: String) throws {
        let tree = try #require(XMLTree.parse(OrderDocuments.item(name: text, imageURL: "")))

        #expect(tree["name"]?.text == "a\u{FFFD}b")
    }

    @Test(arguments: [
        (0.00001, "0.000010"), (-73.9, "-73.900000"), (40.7654321, "40.7654321"), (40.765432109, "40.76543211"), (0, "0.000000"),
    ])
    func `Degrees have six to eight decimals and no exponent`(degrees: Double, text: String) throws {
        let tree = try #require(XMLTree.parse(OrderDocuments.order(Self.plain.moved(toLatitude: degrees))))

        #expect(tree["location"]?["latitude"]?.text == text)
    }

    @Test(arguments: [(0.5, "0.5"), (1, "1"), (750, "750"), (2.25, "2.25")])
    func `A radius has the decimals it needs`(radius: Double, text: String) throws {
        let tree = try #require(XMLTree.parse(OrderDocuments.order(Self.plain.moved(radius: radius))))

        #expect(tree["location"]?["radius"]?.text == text)
    }
}

extension Order {
    fileprivate func moved(toLatitude latitude: Double? = nil, radius: Double? = nil) -> Order {
        let moved = Location(
            address: location.address,
            radius: radius ?? location.radius,
            radiusUnit: location.radiusUnit,
            latitude: latitude ?? location.latitude,
            longitude: location.longitude
        )
        return Order(
            id: id, title: title, info: info, price: price, currency: currency, itemCount: itemCount,
            deliveryDate: deliveryDate, location: moved, items: items
        )
    }
}
