import Foundation

/// Documents in the form of the original service.
enum Documents {
    static func orderText(
        title: String = "Need groceries", price: String = "15.50", latitude: String = "51.50007773", items: [Int] = [1, 2]
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
            \t<itemCount>3</itemCount>
            \t<deliveryDate>May, 15th 16:00</deliveryDate>
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
        title: String = "Need groceries", price: String = "15.50", latitude: String = "51.50007773", items: [Int] = [1, 2]
    ) -> [UInt8] {
        Array(orderText(title: title, price: price, latitude: latitude, items: items).utf8)
    }

    static func list(_ entries: [String: String]) -> [UInt8] {
        let lines = entries.map { "<key>\($0)</key>\n<string>\($1)</string>" }.joined(separator: "\n")
        return Array("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\"><dict>\n\(lines)\n</dict></plist>".utf8)
    }

    static func item(_ name: String) -> [UInt8] {
        Array("<item><name>\(name)</name><imageUrl>http://a.org/\(name).png</imageUrl></item>".utf8)
    }
}
