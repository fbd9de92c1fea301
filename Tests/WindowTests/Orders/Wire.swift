/// Documents in the format of the order service.
enum Wire {
    static func list(_ entries: [(id: String, address: String)]) -> String {
        let lines = entries.map { "<key>\($0.id)</key><string>\($0.address)</string>" }.joined()
        return "<?xml version=\"1.0\" encoding=\"UTF-8\"?><plist version=\"1.0\"><dict>\(lines)</dict></plist>"
    }

    static func order(title: String, items: [Int] = [1]) -> String {
        let lines = items.map { "<item><id>\($0)</id><quantity>2</quantity><quantityUnit>kg</quantityUnit></item>" }.joined()
        return """
            <order><title>\(title)</title><info>Ring</info><price>12.5</price><currency>USD</currency><itemCount>1</itemCount>\
            <deliveryDate>May, 15th 16:00</deliveryDate><location><address>1 Main Street</address><radius>1</radius>\
            <radiusUnit>km</radiusUnit><latitude>51.5</latitude><longitude>-0.12</longitude></location>\
            <items>\(lines)</items></order>
            """
    }

    static func item(_ name: String, imageURL: String) -> String {
        "<item><name>\(name)</name><imageUrl>\(imageURL)</imageUrl></item>"
    }
}
