import Foundation

@testable import Orders

/// Documents in the format of the original service.
enum Documents {
    static func orderText(
        title: String = "Need groceries", price: String = "15.50", latitude: String = "51.50007773", itemCount: String = "3",
        deliveryDate: String = "May, 15th 16:00", items: [Int] = [1, 2]
    ) -> String {
        let units = ["<quantity>5</quantity><quantityUnit>kg</quantityUnit>", "<quantity>0.3</quantity><quantityUnit>pc.</quantityUnit>"]
        let lines = items.enumerated().map { "<item>\n<id> \($1) </id>\(units[$0 % 2])</item>" }.joined(separator: "\n")
        return """
            <order>
            \t<title>\(title)
            </title>
            \t<info> Ring twice &amp; wait </info>
            \t<price>\(price)</price>
            \t<currency>USD</currency>
            \t<itemCount>\(itemCount)</itemCount>
            \t<deliveryDate>\(deliveryDate)</deliveryDate>
            \t<location>
            \t\t<address>33-07 Ditmars Blvd, Queens, NY 11105, United States</address>
            \t\t<radius>1</radius>
            \t\t<radiusUnit>km</radiusUnit>
            \t\t<latitude>\(latitude)</latitude>
            \t\t<longitude>-0.1246402</longitude>
            \t</location>
            \t<items>\(lines)</items>
            </order>

            """
    }

    static func order(
        title: String = "Need groceries", price: String = "15.50", latitude: String = "51.50007773", itemCount: String = "3",
        deliveryDate: String = "May, 15th 16:00", items: [Int] = [1, 2]
    ) -> [UInt8] {
        let text = orderText(
            title: title, price: price, latitude: latitude, itemCount: itemCount, deliveryDate: deliveryDate, items: items)
        return Array(text.utf8)
    }

    static func list(_ entries: [String: String]) -> [UInt8] {
        let lines = entries.map { "<key>\($0)</key>\n<string>\($1)</string>" }.joined(separator: "\n")
        return Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\(lines)\n</dict></plist>".utf8)
    }

    static func item(_ name: String) -> [UInt8] {
        Array("<item><name>\(name)</name><imageUrl>http://a.org/\(name).png</imageUrl></item>".utf8)
    }
}

extension Order {
    /// Creates an order from a document sent at the beginning of 2026, in GMT.
    init(id: OrderID, document: [UInt8]) throws(OrderDocumentError) {
        try self.init(id: id, document: document, dates: .greenwich)
    }
}

extension DeliveryDateReader {
    /// A reader for GMT with the reference 2026-01-01T00:00:00Z.
    static let greenwich = DeliveryDateReader(timeZone: .gmt, reference: Date(timeIntervalSince1970: 1_767_225_600))
}
