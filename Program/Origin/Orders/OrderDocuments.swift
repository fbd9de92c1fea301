import Foundation

/// The documents of the order service, with its published element names, order and layout.
enum OrderDocuments {
    static func order(_ order: Order) -> String {
        var xml = XMLWriter()
        xml.element("order") { xml in
            xml.element("title", order.title)
            xml.element("info", order.info)
            xml.element("price", order.price)
            xml.element("currency", order.currency)
            xml.element("itemCount", String(order.itemCount))
            xml.element("deliveryDate", order.deliveryDate)
            write(order.location, to: &xml)
            write(order.items, to: &xml)
        }
        return xml.text
    }

    static func item(name: String, imageURL: String) -> String {
        var xml = XMLWriter()
        xml.element("item") { xml in
            xml.element("name", name)
            xml.element("imageUrl", imageURL)
        }
        return xml.text
    }

    /// Returns a property list that maps ids to URLs.
    static func list(of ids: some Sequence<Int>, url: (Int) -> String) -> String {
        var xml = XMLWriter(prologue: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
        xml.element("plist", attributes: " version=\"1.0\"") { xml in
            xml.element("dict") { xml in
                for id in ids {
                    xml.element("key", String(id))
                    xml.element("string", url(id))
                }
            }
        }
        return xml.text
    }

    private static func write(_ location: Order.Location, to xml: inout XMLWriter) {
        xml.element("location") { xml in
            xml.element("address", location.address)
            xml.element("radius", decimal(location.radius, digits: 0...3))
            xml.element("radiusUnit", location.radiusUnit)
            xml.element("latitude", decimal(location.latitude, digits: 6...8))
            xml.element("longitude", decimal(location.longitude, digits: 6...8))
        }
    }

    private static func write(_ items: [Order.Item], to xml: inout XMLWriter) {
        xml.element("items") { xml in
            for item in items {
                xml.element("item") { xml in
                    xml.element("id", String(item.id))
                    xml.element("quantity", item.quantity)
                    xml.element("quantityUnit", item.unit)
                }
            }
        }
    }

    /// Formats a number with a decimal point, without an exponent or trailing zeros beyond the minimum number of digits.
    private static func decimal(_ value: Double, digits: ClosedRange<Int>) -> String {
        var text = Substring(String(format: "%.\(digits.upperBound)f", value))
        var surplus = digits.count - 1
        while surplus > 0, text.last == "0" {
            text.removeLast()
            surplus -= 1
        }
        return String(text.last == "." ? text.dropLast() : text)
    }
}
